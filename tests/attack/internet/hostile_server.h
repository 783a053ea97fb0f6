// A malicious web server. The path of a request says what it does; see the table in hostile_server.cc.
#pragma once

#include "net/scripted_server.h"

namespace glovebox::attack {

// The server's memory is this process's memory, too, and must not be measured: it is allocated beforehand.
void prepare_harm();
void serve_harm(net::testing::Connection& connection);

}  // namespace glovebox::attack
