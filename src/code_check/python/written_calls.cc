#include "code_check/python/written_calls.h"

#include <algorithm>

#include "base/text/log_text.h"

namespace glovebox::code_check {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostCalls = 2000;
constexpr std::size_t kMostWrittenNameBytes = 1024;

const json::array& place_in(const json::object& entry, const char* field) {
  static const json::array kNowhere;
  const json::value* found = entry.if_contains(field);
  return found && found->is_array() ? found->get_array() : kNowhere;
}

std::string name_in(const json::object& entry, const char* field) {
  const json::value* found = entry.if_contains(field);
  if (!found || !found->is_string() || found->get_string().size() > kMostWrittenNameBytes) return "";
  return base::neutralise(std::string_view(found->get_string()));
}

}  // namespace

SourcePosition position_in(const json::array& place, std::size_t first) {
  const auto number = [&](std::size_t i) {
    const bool is_there = i < place.size() && place[i].is_int64() && place[i].get_int64() >= 0;
    return is_there ? static_cast<int>(std::min<std::int64_t>(place[i].get_int64(), INT32_MAX - 1)) : 0;
  };
  return {number(first), number(first + 1) + 1};
}

Result<WrittenCalls> written_calls_in(const std::string& said_json) {
  boost::system::error_code error;
  const json::value said = json::parse(said_json, error);
  const json::object* whole = error ? nullptr : said.if_object();
  const json::value* read = whole ? whole->if_contains("said") : nullptr;
  if (!read || !read->is_object()) return Failure{ErrorCode::kProtocol, "the guest did not report what the code calls"};
  if (const std::string why = name_in(read->get_object(), "error"); !why.empty())
    return Failure{ErrorCode::kInvalidArgument, "the program cannot be read: " + why};
  WrittenCalls written;
  const json::value* known = read->get_object().if_contains("names_known");
  written.names_known = known && known->is_bool() && known->get_bool();
  for (const json::value& entry : place_in(read->get_object(), "calls")) {
    if (!entry.is_object() || written.calls.size() >= kMostCalls) continue;
    const json::object& fields = entry.get_object();
    WrittenCall call;
    call.server = name_in(fields, "server");
    call.tool = name_in(fields, "tool");
    if (call.server.empty()) continue;
    const json::array& server_at = place_in(fields, "server_at");
    const json::array& at = place_in(fields, "at");
    call.server_begin = position_in(server_at, 0);
    call.server_end = position_in(server_at, 2);
    call.begin = position_in(at, 0);
    call.end = position_in(at, 2);
    if (const json::value* arguments = fields.if_contains("arguments")) call.arguments = *arguments;
    written.calls.push_back(std::move(call));
  }
  return written;
}

}  // namespace glovebox::code_check
