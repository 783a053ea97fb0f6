#include "gateway/direct/one_call.h"

#include "base/text/json_slice.h"
#include "base/text/utf8.h"

namespace glovebox::gateway {
namespace {

constexpr std::string_view kBegin = "return await mcp";

// Takes `["text"]` from the front.
std::optional<std::string> take_key(std::string_view& rest) {
  if (!rest.starts_with("[\"")) return std::nullopt;
  const std::size_t end = base::closing_quote(rest, 1);
  const std::string_view key = rest.substr(1, end);
  if (end + 1 >= rest.size() || rest[end + 1] != ']' || !base::check_json(key)) return std::nullopt;
  rest.remove_prefix(end + 2);
  return base::unquote(key).value();
}

}  // namespace

std::string one_call_program(std::string_view server, std::string_view tool, std::string_view arguments, bool raw) {
  return std::string(kBegin) + "[" + base::json_text(server) + "][" + base::json_text(tool) + "]" +
         (raw ? ".raw(" : "(") + std::string(arguments) + ")";
}

std::optional<OneCall> one_call_in(std::string_view program) {
  if (!program.starts_with(kBegin)) return std::nullopt;
  program.remove_prefix(kBegin.size());
  auto server = take_key(program);
  auto tool = server ? take_key(program) : std::nullopt;
  const bool is_one = program == "(context)" || program == "(context.arguments)" || program == ".raw(context)";
  if (!tool || !is_one) return std::nullopt;
  return OneCall{std::move(*server), std::move(*tool)};
}

}  // namespace glovebox::gateway
