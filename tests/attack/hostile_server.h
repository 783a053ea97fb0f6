// A web server that means harm. What it does is in the path of the request; see the table in hostile_server.cc.
#pragma once

#include "net/scripted_server.h"

namespace glovebox::attack {

// What the server holds is this process's memory, too, and not what is measured: it is made beforehand.
void prepare_harm();
void serve_harm(net::testing::Connection& connection);

}  // namespace glovebox::attack
