#include "calls/python/wheel_calls.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "base/digest.h"
#include "broker/call_desk.h"

namespace glovebox::calls {
namespace {

// A guest that reads nothing must not fill the gateway's memory with copies of a wheel. And reading one does not hold
// up the loop, on which other runs are served.
TEST(WheelCalls, WaitForAGuestThatDoesNotRead) {
  const std::string folder = testing::TempDir() + "glovebox_wheels_" + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  const std::string name = "a-1.0-py3-none-any.whl";
  std::ofstream(folder + "/" + name) << "wheel";
  std::ofstream(folder + "/SHA256SUMS") << base::sha256_hex("wheel") << "  " << name << "\n";
  std::size_t unsent = 0;
  std::string said;
  broker::CallDesk::Links links;
  links.send = [&](const OutgoingBytes& out) { said = out.bytes; };
  links.unsent_bytes = [&] { return unsent; };
  links.now_ms = [] { return 1000; };
  const auto io = std::make_shared<boost::asio::io_context>();
  const auto more_to_come = boost::asio::make_work_guard(*io);
  const auto desk = std::make_shared<broker::CallDesk>(std::move(links));
  desk->add("python", std::make_unique<WheelCalls>(io, folder));
  simdjson::dom::parser parser;
  const std::string arguments_json = R"({"name":")" + name + R"("})";
  const simdjson::dom::object arguments = parser.parse(arguments_json);
  desk->open({1, "python.wheel", CallArguments(arguments), 0, arguments_json});
  desk->open({2, "python.wheels", CallArguments(arguments), 0, arguments_json});
  EXPECT_EQ(said, "") << "nothing is read on the loop";
  while (said.find("\"id\":1") == said.npos) io->run_one();
  EXPECT_NE(said.find(R"("ok":true,"body":5)"), std::string::npos) << said;
  while (said.find("\"id\":2") == said.npos) io->run_one();
  EXPECT_NE(said.find(R"("value":[")" + name + R"("])"), std::string::npos) << said;
  unsent = std::size_t{65} << 20;
  desk->open({3, "python.wheel", CallArguments(arguments), 0, arguments_json});
  EXPECT_NE(said.find("have not been read yet"), std::string::npos) << said;
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace glovebox::calls
