#include "gateway/runs/recording.h"

#include <boost/json.hpp>
#include <charconv>
#include <set>

#include "base/text/json_builder.h"
#include "base/text/json_slice.h"
#include "base/text/utf8.h"
#include "base/try.h"
#include "mcp/json/base64.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;
using base::JsonSlices;
using base::ListText;
using base::ObjectText;

// A value within a call within the list.
constexpr base::SliceOptions kWhole{.max_depth = 1100};

Failure wrong_recording(std::string what) {
  return {ErrorCode::kInvalidArgument, std::move(what)};
}

std::string answer_json(const RecordedCall& call) {
  if (!call.ok) {
    ObjectText error;
    error.text("name", call.error_name).text("code", call.error_code).text("message", call.error_message);
    return ObjectText().json("error", error.json_if("data", call.error_data).done()).done();
  }
  ObjectText out;
  out.json("value", call.value_json);
  if (base::is_utf8(call.bytes)) return out.text_if("text", call.bytes).done();
  return out.text("base64", mcp::base64(call.bytes)).done();
}

template <typename Number>
Result<Number> number_of(const JsonSlices& members, const char* key) {
  const std::string_view raw = members.raw(key);
  Number number{};
  const auto read = std::from_chars(raw.data(), raw.data() + raw.size(), number);
  if (raw.empty() || read.ec != std::errc() || read.ptr != raw.data() + raw.size()) {
    return wrong_recording(std::string("its \"") + key + "\" is not a whole number");
  }
  return number;
}

Result<std::string> text_of(const JsonSlices& members, const char* key) {
  auto text = base::unquote(members.raw(key).empty() ? std::string_view("0") : members.raw(key));
  if (!text) return wrong_recording(std::string("its \"") + key + "\" is not a string");
  return text;
}

Result<void> read_answer(std::string_view raw, RecordedCall& call) {
  const auto members = JsonSlices::of(raw, kWhole);
  if (!members) return wrong_recording("its \"answer\" is not an object");
  call.is_answered = true;
  if (members->has("error")) {
    const auto error = JsonSlices::of(members->raw("error"), kWhole);
    if (!error) return wrong_recording("its \"error\" is not an object");
    call.error_name = GLOVEBOX_TRY(text_of(*error, "name"));
    call.error_code = GLOVEBOX_TRY(text_of(*error, "code"));
    call.error_message = GLOVEBOX_TRY(text_of(*error, "message"));
    call.error_data = error->raw("data");
    return {};
  }
  if (!members->has("value")) return wrong_recording("its \"answer\" has neither \"value\" nor \"error\"");
  call.ok = true;
  call.value_json = members->raw("value");
  if (members->has("text")) call.bytes = GLOVEBOX_TRY(text_of(*members, "text"));
  if (members->has("base64")) {
    auto bytes = mcp::from_base64(GLOVEBOX_TRY(text_of(*members, "base64")));
    if (!bytes) return wrong_recording("its \"base64\" is not base64");
    call.bytes = std::move(*bytes);
  }
  return {};
}

Result<RecordedCall> read_call(std::string_view raw) {
  const auto members = JsonSlices::of(raw, kWhole);
  if (!members) return wrong_recording("it is not an object");
  RecordedCall call;
  call.op = GLOVEBOX_TRY(text_of(*members, "op"));
  call.arguments = members->raw("args");
  if (!call.arguments.starts_with('{')) return wrong_recording("its \"args\" are not an object");
  if (members->has("body")) call.body_digest = GLOVEBOX_TRY(text_of(*members, "body"));
  if (!members->has("answer")) return call;
  GLOVEBOX_TRY_VOID(read_answer(members->raw("answer"), call));
  call.now_ms = GLOVEBOX_TRY(number_of<std::int64_t>(*members, "now"));
  call.turn = GLOVEBOX_TRY(number_of<std::size_t>(*members, "turn"));
  call.after = GLOVEBOX_TRY(number_of<std::size_t>(*members, "after"));
  return call;
}

}  // namespace

std::string to_json(const std::vector<RecordedCall>& calls) {
  ListText list;
  for (const RecordedCall& call : calls) {
    ObjectText out;
    out.text("op", call.op).json("args", call.arguments).text_if("body", call.body_digest);
    if (call.is_answered) {
      out.json("answer", answer_json(call))
          .number("now", call.now_ms)
          .number("turn", call.turn)
          .number("after", call.after);
    }
    list.json(out.done());
  }
  return list.done();
}

Result<std::vector<RecordedCall>> recorded_calls_of(std::string_view text) {
  const auto items = base::slice_array(text, kWhole);
  if (!items) return wrong_recording("\"calls\" is not an array of calls: " + items.failure().message);
  std::vector<RecordedCall> calls;
  std::set<std::size_t> turns;
  for (const std::string_view item : items.value()) {
    auto call = read_call(item);
    const std::string which = "call " + std::to_string(calls.size() + 1) + ": ";
    if (!call) return wrong_recording(which + call.failure().message);
    if (call->is_answered && !turns.insert(call->turn).second)
      return wrong_recording(which + "its \"turn\" is another call's");
    calls.push_back(std::move(call).value());
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].is_answered && (calls[i].after <= i || calls[i].after > calls.size())) {
      return wrong_recording("call " + std::to_string(i + 1) + ": its \"after\" is not one that a run can have");
    }
  }
  return calls;
}

std::string to_json(const std::vector<ToolNamespace>& servers) {
  ListText list;
  for (const ToolNamespace& server : servers) {
    if (!base::is_utf8(server.server)) continue;
    ListText tools;
    for (const std::string& tool : server.tools)
      if (base::is_utf8(tool)) tools.text(tool);
    list.json(ObjectText().text("server", server.server).json("tools", tools.done()).done());
  }
  return list.done();
}

Result<std::vector<ToolNamespace>> namespaces_of(std::string_view text) {
  json::error_code error;
  const json::value tree = json::parse(json::string_view(text.data(), text.size()), error);
  const auto bad = [] { return wrong_recording("\"servers\" is not a list of servers and their tools"); };
  if (error || !tree.is_array()) return bad();
  std::vector<ToolNamespace> servers;
  for (const json::value& item : tree.get_array()) {
    const json::object* members = item.if_object();
    const json::value* name = members ? members->if_contains("server") : nullptr;
    const json::value* tools = members ? members->if_contains("tools") : nullptr;
    if (!name || !name->is_string() || !tools || !tools->is_array()) return bad();
    ToolNamespace& server = servers.emplace_back();
    server.server = std::string_view(name->get_string());
    for (const json::value& tool : tools->get_array()) {
      if (!tool.is_string()) return bad();
      server.tools.emplace_back(std::string_view(tool.get_string()));
    }
  }
  return servers;
}

std::string to_json(const std::map<std::string, std::string>& definitions) {
  ObjectText out;
  for (const auto& [tool, hash] : definitions)
    if (base::is_utf8(tool) && base::is_utf8(hash)) out.text(tool, hash);
  return out.done();
}

Result<std::map<std::string, std::string>> definitions_of(std::string_view text) {
  json::error_code error;
  const json::value tree = json::parse(json::string_view(text.data(), text.size()), error);
  if (error || !tree.is_object()) return wrong_recording("\"tools\" is not an object of hashes");
  std::map<std::string, std::string> definitions;
  for (const auto& member : tree.get_object()) {
    if (!member.value().is_string()) return wrong_recording("\"tools\" is not an object of hashes");
    definitions[std::string(std::string_view(member.key()))] = std::string_view(member.value().get_string());
  }
  return definitions;
}

}  // namespace glovebox::gateway
