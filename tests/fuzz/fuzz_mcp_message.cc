// JSON-RPC from an untrusted peer: the slicer agrees with a real parser on what is JSON, and a server answers every
// request exactly once, with a message.
#include <simdjson.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "expect.h"
#include "mcp/limits.h"
#include "mcp/server/server_core.h"

namespace fuzz_mcp_message {

namespace {

using namespace glovebox;
using namespace glovebox::mcp;

struct Counting final : Outlet {
  void notify(std::string message) override { send(std::move(message)); }
  void send(std::string message) override { FUZZ_EXPECT(Message::parse(std::move(message), {.max_depth = 1000}).ok()); }
  void finish(std::string message, int) override {
    ++answers;
    FUZZ_EXPECT(Message::parse(std::move(message), {.max_depth = 1000}).ok());
  }
  void abandon() override { ++answers; }
  int answers = 0;
};

bool is_json(std::string_view text) {
  simdjson::dom::parser parser;
  simdjson::dom::element element;
  const simdjson::padded_string padded(text);
  return parser.parse(padded).get(element) == simdjson::SUCCESS;
}

}  // namespace

FUZZ_TARGET(mcp_message) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // What simdjson refuses, we refuse, except numbers beyond its range. (We also refuse lone surrogates, which it lets
  // pass.)
  if (base::check_json(text, {.max_depth = 512}).ok() && !is_json(text))
    FUZZ_EXPECT(text.find_first_of("0123456789") != text.npos);
  const auto slices = base::JsonSlices::of(text, {.max_depth = 512});
  if (slices)
    for (const auto& [key, value] : slices->all())
      FUZZ_EXPECT(value.data() >= text.data() && value.data() + value.size() <= text.data() + text.size());

  ServerCore core({.info = {"fuzz", "1", {}}, .state_key = {}});
  (void)core.add_tool({.name = "t", .input_schema = R"({"type":"object","properties":{"a":{"type":"string"}}})"},
                      [](const std::shared_ptr<ServerCall>& call) {
                        call->progress(1, 2, "p");
                        call->log(mcp::NoticeLevel::kError, "l", "1");
                        call->ask({elicit_form("k", "m", R"({"type":"object"})")},
                                  [call](Result<Answers, RpcError> answers) {
                                    answers ? call->reply_text("done") : call->fail(answers.failure());
                                  });
                      });
  (void)core.add_resource_template({.uri_template = "a://{b}/c", .name = "r"},
                                   [](const std::shared_ptr<ServerCall>& call) { call->reply(R"({"contents":[]})"); });
  (void)core.add_prompt({.name = "p", .arguments = {{"x", "", true}}},
                        [](const std::shared_ptr<ServerCall>& call) { call->reply(R"({"messages":[]})"); });
  const auto peer = core.connect({.principal = "fuzz"});
  // Lines, as over stdio, so that one input can be a conversation.
  std::string_view rest = text;
  for (int lines = 0; !rest.empty() && lines < 50; ++lines) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    auto message =
        Message::parse(std::string(rest.substr(0, end)), {.max_depth = kMaxMessageDepth, .unique_keys = true});
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!message) continue;
    const bool request = message->kind() == MessageKind::kRequest;
    const auto outlet = std::make_shared<Counting>();
    peer->receive(std::move(message).value(), outlet);
    FUZZ_EXPECT(outlet->answers <= (request ? 1 : 0));
  }
  peer->close();
  return 0;
}

}  // namespace fuzz_mcp_message
