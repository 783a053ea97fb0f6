// Answers to a question: a line that was typed, a client's form, and a server's own form with its answer. Only an
// unambiguous yes is one, and a server's form has no field that ours have.
#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text/json_slice.h"
#include "base/text/utf8.h"
#include "expect.h"
#include "gateway/approvals/reply.h"
#include "gateway/calls/server_question.h"

namespace fuzz_answers {

namespace {

using namespace glovebox;
namespace json = boost::json;

void check_typed(std::string_view line) {
  for (const bool remembered : {false, true}) {
    const auto once = gateway::typed_reply(line, "y", remembered);
    if (once && !remembered) FUZZ_EXPECT(once->scope == store::Scope::kOnce);
    if (once && once->approved) FUZZ_EXPECT(line.find_first_not_of(" \rabcdefghijklmnopqrstuvwxyz") == line.npos);
    const auto several = gateway::typed_reply(line, "12", remembered);
    if (several && several->approved) FUZZ_EXPECT(line.find("12") != line.npos);
  }
}

void check_form(const json::object& result) {
  const auto reply = gateway::form_reply(result);
  if (!reply) return;
  FUZZ_EXPECT(reply->approved() || reply->scope == store::Scope::kOnce);
  if (reply->approved())
    FUZZ_EXPECT(result.at("action") == "accept" && result.at("content").at("decision") == "approve");
}

void check_server_question(std::string_view text) {
  const auto question = gateway::question_of("acme", "elicitation/create", text);
  if (!question) return;
  FUZZ_EXPECT(base::check_json(question->params, {.max_depth = 200}).ok());
  const json::value tree = json::parse(question->params);
  FUZZ_EXPECT(tree.at("message").as_string().starts_with("The server \"acme\" asks this; Glovebox does not:\n"));
  const json::value* schema = tree.as_object().if_contains("requestedSchema");
  const json::value* fields = schema && schema->is_object() ? schema->get_object().if_contains("properties") : nullptr;
  if (fields && fields->is_object()) {
    for (const char* ours : {"decision", "scope", "reason", "approve"})
      FUZZ_EXPECT(!fields->get_object().contains(ours));
  }
  const std::string answer = gateway::answer_for(question.value(), std::string(text));
  FUZZ_EXPECT(base::check_json(answer, {.max_depth = 200}).ok());
}

}  // namespace

FUZZ_TARGET(answers) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_typed(text);
  // Input to either was parsed as a message before: it is UTF-8 and JSON.
  if (!base::is_utf8(text) || !base::check_json(text, {.max_depth = 200}).ok()) return 0;
  json::error_code error;
  const json::value tree = json::parse(json::string_view(text.data(), text.size()), error);
  if (error || !tree.is_object()) return 0;
  check_form(tree.get_object());
  check_server_question(text);
  return 0;
}

}  // namespace fuzz_answers
