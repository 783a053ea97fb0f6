#include "calls/own/env_calls.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include "broker/call_desk.h"

namespace glovebox::calls {
namespace {

// The environment has bytes, and frames have text.
TEST(EnvCalls, GivesTextOfVariablesThatAreNotUtf8) {
  std::vector<std::string> replies;
  broker::CallDesk::Links links;
  links.send = [&](OutgoingBytes frame) { replies.emplace_back(frame.bytes.substr(frame.bytes.find("\"value\""))); };
  links.now_ms = [] { return 1000; };
  const auto desk = std::make_shared<broker::CallDesk>(std::move(links));
  desk->add("env", std::make_unique<EnvCalls>(policy::EnvGrants::parse({"*"}).value(),
                                              Environment{{"A", "\xff/ä"}, {"B", "\"ä\""}}));
  simdjson::dom::parser parser;
  std::uint64_t id = 0;
  for (const std::string name : {"A", "B"}) {
    const simdjson::padded_string arguments("{\"name\":\"" + name + "\"}");
    desk->open({++id, "env.get", CallArguments(parser.parse(arguments).get_object().value())});
  }
  desk->open({++id, "env.all", CallArguments(parser.parse("{}", 2).get_object().value())});
  EXPECT_EQ(replies, (std::vector<std::string>{R"("value":"�/ä"})", R"("value":"\"ä\""})",
                                               R"("value":{"A":"�/ä","B":"\"ä\""}})"}));
}

}  // namespace
}  // namespace glovebox::calls
