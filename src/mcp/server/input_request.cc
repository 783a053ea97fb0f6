#include "mcp/server/input_request.h"

#include "base/text/json_builder.h"
#include "base/try.h"
#include "mcp/json/schema.h"

namespace glovebox::mcp {
namespace {

Failure wrong(const InputRequest& request, const std::string& what) {
  return {ErrorCode::kInvalidArgument, "the answer to \"" + request.key + "\" " + what};
}

Result<void> check_elicitation(const InputRequest& request, const json::object& answer) {
  const auto action = string_member(answer, "action");
  if (!action || (*action != "accept" && *action != "decline" && *action != "cancel"))
    return wrong(request, "has no action");
  if (*action != "accept") return {};
  const json::object params = GLOVEBOX_TRY(parse_object(request.params));
  const json::value* requested = member(params, "requestedSchema");
  if (!requested) return {};
  const json::value* content = member(answer, "content");
  if (!content || !content->is_object()) return wrong(request, "has no content");
  const Schema schema = GLOVEBOX_TRY(Schema::compile(*requested));
  if (const auto mismatch = schema.check(*content))
    return wrong(request, "does not fit: content" + mismatch->path + " " + mismatch->message);
  return {};
}

}  // namespace

InputRequest elicit_form(std::string key, std::string_view message, std::string_view requested_schema) {
  return {std::move(key), "elicitation/create",
          base::ObjectText()
              .text("mode", "form")
              .text("message", message)
              .json("requestedSchema", requested_schema)
              .done()};
}

InputRequest create_message(std::string key, std::string params) {
  return {std::move(key), "sampling/createMessage", std::move(params)};
}

InputRequest list_roots(std::string key) {
  return {std::move(key), "roots/list", "{}"};
}

std::optional<std::string> missing_capability(const InputRequest& request, const json::object& capabilities) {
  if (request.method == "sampling/createMessage")
    return object_member(capabilities, "sampling") ? std::nullopt : std::optional<std::string>(R"({"sampling":{}})");
  if (request.method == "roots/list")
    return object_member(capabilities, "roots") ? std::nullopt : std::optional<std::string>(R"({"roots":{}})");
  const json::object* elicitation = object_member(capabilities, "elicitation");
  const auto params = parse_object(request.params);
  const bool by_url = params && string_member(params.value(), "mode") == "url";
  if (by_url)
    return elicitation && object_member(*elicitation, "url")
               ? std::nullopt
               : std::optional<std::string>(R"({"elicitation":{"url":{}}})");
  // An empty object means forms, as it did before modes existed.
  const bool forms = elicitation && (elicitation->empty() || object_member(*elicitation, "form"));
  return forms ? std::nullopt : std::optional<std::string>(R"({"elicitation":{}})");
}

Result<void> check_answer(const InputRequest& request, const json::value& answer) {
  const json::object* object = answer.if_object();
  if (!object) return wrong(request, "is not an object");
  if (request.method == "elicitation/create") return check_elicitation(request, *object);
  if (request.method == "roots/list")
    return array_member(*object, "roots") ? Result<void>() : wrong(request, "has no roots");
  return member(*object, "content") && member(*object, "role") ? Result<void>() : wrong(request, "is not a message");
}

}  // namespace glovebox::mcp
