// Precompiled: the heavy headers that this folder's files share.
#pragma once

#include <simdjson.h>

#include <boost/asio.hpp>
