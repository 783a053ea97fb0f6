// The tools that the official conformance suite expects of a server, by its fixed names.
#pragma once

#include <boost/asio/any_io_executor.hpp>

#include "mcp/server/server_core.h"

namespace glovebox::mcp {

void add_fixture_tool(ServerCore& core, std::string name, CallHandler handler,
                      std::string schema = R"({"type":"object"})");

void add_fixture_tools(ServerCore& core, const boost::asio::any_io_executor& executor);
void add_question_tools(ServerCore& core, const boost::asio::any_io_executor& executor);
void add_fixture_resources(ServerCore& core);
void add_fixture_prompts(ServerCore& core);

}  // namespace glovebox::mcp
