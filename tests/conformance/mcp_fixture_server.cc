// A small MCP server with the tools that conformance tests call by name. Not part of the product.
//
// mcp_fixture_server --stdio | --http PORT
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fixture_tools.h"
#include "mcp/http/http_server.h"
#include "mcp/server/stdio_server.h"

int main(int count, char** words) {
  using namespace glovebox;
  boost::asio::io_context loop;
  mcp::ServerCore core({.info = {"glovebox-fixture", "1.0.0", {}}, .instructions = "A fixture for tests."});
  mcp::add_fixture_tools(core, loop.get_executor());
  mcp::add_question_tools(core, loop.get_executor());
  mcp::add_fixture_resources(core);
  mcp::add_fixture_prompts(core);
  const std::string_view mode = count > 1 ? words[1] : "";
  if (mode == "--stdio") {
    auto server = mcp::StdioServer::start(core, loop.get_executor(), base::UniqueFd(::dup(0)), base::UniqueFd(::dup(1)),
                                          [&](const Failure&) { loop.stop(); });
    if (!server) return std::fprintf(stderr, "%s\n", server.failure().message.c_str()), 1;
    loop.run();
    return 0;
  }
  if (mode == "--http" && count > 2) {
    auto server = mcp::HttpServer::start(
        core, loop.get_executor(),
        {.port = static_cast<std::uint16_t>(std::atoi(words[2])), .access = mcp::OpenOnLoopback{}});
    if (!server) return std::fprintf(stderr, "%s\n", server.failure().message.c_str()), 1;
    std::printf("http://127.0.0.1:%u/mcp\n", (*server)->port());
    std::fflush(stdout);
    loop.run();
    return 0;
  }
  std::fprintf(stderr, "usage: mcp_fixture_server --stdio | --http PORT\n");
  return 2;
}
