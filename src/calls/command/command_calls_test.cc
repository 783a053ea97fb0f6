#include "calls/command/command_calls.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "broker/call_desk.h"
#include "calls/command/program_search.h"
#include "wire/frame.h"

namespace glovebox::calls {
namespace {

class CommandCallsTest : public testing::Test {
 protected:
  CommandCallsTest() {
    broker::CallDesk::Links links;
    links.send = [this](OutgoingBytes bytes) { sent.push_back(std::move(bytes)); };
    links.unsent_bytes = [] { return std::size_t{0}; };
    links.now_ms = [] { return 1000; };
    links.blocked = [](const std::string&) {};
    links.pause_reading = [](bool) {};
    links.violation = [](const std::string& why) { ADD_FAILURE() << why; };
    desk = std::make_shared<broker::CallDesk>(std::move(links));
    CommandRules rules;
    rules.programs = policy::RunGrants::prepare({"sh"}, [](const std::string& grant) {
                       return find_program(grant, "/usr/local/bin:/usr/bin:/bin");
                     }).value();
    rules.max_held_bytes = 1000;
    // As a disk whose waiting work is dropped when the run ends.
    const auto never = [](const std::string&, const std::function<void(vfs::FileResult<base::UniqueFd>)>&) {};
    desk->add("run", std::make_unique<CommandCalls>(io, std::move(rules), never));
  }

  void call(const std::string& arguments_json) {
    simdjson::dom::object arguments;
    ASSERT_EQ(parser.parse(arguments_json).get(arguments), simdjson::SUCCESS) << arguments_json;
    desk->open({++last_id, "run", CallArguments(arguments), 0, arguments_json});
    io.restart();
    io.run();
  }
  std::string reply() const { return sent.empty() ? "" : std::string(sent.back().bytes.substr(wire::kPrefixBytes)); }
  // The guest takes everything that it was sent.
  void take_all() {
    for (const OutgoingBytes& bytes : std::exchange(sent, {})) {
      if (bytes.sent) bytes.sent();
    }
  }

  boost::asio::io_context io;
  std::shared_ptr<broker::CallDesk> desk;
  simdjson::dom::parser parser;
  std::uint64_t last_id = 0;
  std::vector<OutgoingBytes> sent;
};

// Otherwise the run's end would wait for the folder, and keep the run's descriptors and thread, for ever.
TEST_F(CommandCallsTest, EndWithoutAFolderThatIsNeverOpened) {
  call(R"({"command":"sh","args":[],"env":[],"cwd":"/x","stdout":"piped","stderr":"piped"})");
  bool ended = false;
  desk->end([&] { ended = true; });
  EXPECT_TRUE(ended);
}

TEST_F(CommandCallsTest, HoldOutputThatIsNotReadOnlyUpToALimit) {
  const std::string command =
      R"({"command":"sh","args":["-c","printf %0600d 0"],"env":[],"stdout":"piped","stderr":"null"})";
  call(command);
  EXPECT_NE(reply().find(R"("ok":true,"body":600)"), std::string::npos) << reply();
  call(command);
  EXPECT_NE(reply().find("COMMAND_OUTPUT_LIMIT"), std::string::npos) << reply();
  take_all();
  call(command);
  EXPECT_NE(reply().find(R"("ok":true,"body":600)"), std::string::npos) << reply();
}

}  // namespace
}  // namespace glovebox::calls
