// Precompiled: the heavy headers that this folder's files share.
#pragma once

#include <boost/asio.hpp>
