// A web server that means harm. What it does is in the path of the request; see the table in hostile_server.cc.
#pragma once

#include "net/scripted_server.h"

namespace glovebox::attack {

void serve_harm(net::testing::Connection& connection);

}  // namespace glovebox::attack
