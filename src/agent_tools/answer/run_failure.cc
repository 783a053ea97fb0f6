#include "agent_tools/answer/run_failure.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "base/text/json_builder.h"
#include "base/text/log_text.h"
#include "terminal/error_view.h"

namespace glovebox::agent_tools {
namespace {

constexpr std::size_t kMostOuterFrames = 3;
constexpr std::size_t kMostNames = 20;
constexpr std::string_view kFrame = "    at ";
// Errors about limits end with the calls that were made.
constexpr std::string_view kSaysCalls = "; before that it called ";
// Of a call that was not sent to its server.
constexpr std::string_view kNotMade[] = {"SERVER_NOT_FOUND", "TOOL_NOT_FOUND", "INVALID_ARGUMENTS"};
constexpr std::string_view kTraceback = "Traceback (most recent call last):\n";

// The places in a stack: neither the message, which stands at either end of it, nor empty lines.
std::string_view places_of(std::string_view stack, std::string_view message) {
  if (stack.starts_with(kTraceback)) stack.remove_prefix(kTraceback.size());
  if (stack.ends_with(message)) stack.remove_suffix(message.size());
  // Python's last line, where the message has advice behind it.
  const std::string_view last = stack.substr(stack.rfind('\n') + 1);
  if (!last.empty() && message.size() > last.size() && message.starts_with(last) &&
      (message[last.size()] == ';' || message[last.size()] == '\n')) {
    stack.remove_suffix(last.size());
  }
  if (const std::size_t at = stack.find(message); at != stack.npos && !message.empty())
    stack.remove_prefix(at + message.size());
  while (stack.starts_with('\n')) stack.remove_prefix(1);
  while (stack.ends_with('\n')) stack.remove_suffix(1);
  return stack;
}

// The number at the end of a text, and the colon before it, are taken off.
std::optional<int> take_number(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos) return std::nullopt;
  const std::string_view digits = text.substr(colon + 1);
  int number = 0;
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (wrong != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  text.remove_suffix(digits.size() + 1);
  return number;
}

// Of "agent.ts:3:49" or "name (agent.ts:3:49)".
std::optional<SourcePosition> position_in(std::string_view frame) {
  if (frame.ends_with(')')) frame.remove_suffix(1);
  const auto column = take_number(frame);
  const auto line = column ? take_number(frame) : std::nullopt;
  if (!line || *line < 1) return std::nullopt;
  return SourcePosition{*line, *column};
}

std::string with_source(std::string_view frames, const std::function<std::string()>& code) {
  std::string text;
  for (std::size_t number = 0; !frames.empty() && number <= kMostOuterFrames; ++number) {
    const std::size_t end = frames.find('\n');
    std::string_view frame = frames.substr(0, end);
    frames.remove_prefix(end == frames.npos ? frames.size() : end + 1);
    if (frame.starts_with(kFrame)) frame.remove_prefix(kFrame.size());
    text += (number == 0 ? "at " : "  called at ") + std::string(frame) + "\n";
    const auto position = number == 0 ? position_in(frame) : std::nullopt;
    if (position) text += cli::source_frame(code(), *position);
  }
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

struct CallsMade {
  std::vector<std::pair<std::string, std::size_t>> counts;

  void add(std::string_view trace) {
    const auto entries = base::slice_array(trace, {.max_depth = 1000, .half_characters = true});
    if (!entries) return;
    for (const std::string_view entry : *entries) {
      const auto parts = base::JsonSlices::of(entry, {.max_depth = 1000, .half_characters = true});
      if (!parts || parts->raw("op") != R"("tool")" || parts->raw("outcome") == R"("denied")") continue;
      count(base::neutralise(parts->text("target")));
    }
  }

  void take_back(const std::string& name) {
    for (auto& [known, times] : counts) {
      if (known == name) --times;
    }
    std::erase_if(counts, [](const auto& one) { return one.second == 0; });
  }

  void count(const std::string& name) {
    for (auto& [known, times] : counts) {
      if (known == name) return static_cast<void>(++times);
    }
    if (counts.size() < kMostNames) counts.emplace_back(name, 1);
  }

  std::string json() const {
    base::ObjectText json;
    for (const auto& [name, times] : counts) json.number(name, times);
    return json.done();
  }

  std::string text() const {
    std::string text;
    for (const auto& [name, times] : counts)
      text += (text.empty() ? "" : ", ") + name + (times > 1 ? " ×" + std::to_string(times) : "");
    return text;
  }
};

}  // namespace

RunFailure run_failure(const base::JsonSlices& error, std::string_view trace,
                       const std::function<std::string()>& code) {
  RunFailure failure;
  const std::string type = error.text("type");
  failure.message = error.text("message");
  const std::string stack = error.text("stack");
  const std::string_view places = places_of(stack, failure.message);
  const std::string where = !code ? "" : places.starts_with(kFrame) ? with_source(places, code) : std::string(places);
  CallsMade made;
  if (code && !trace.empty() && failure.message.find(kSaysCalls) == std::string::npos) made.add(trace);
  if (std::find(std::begin(kNotMade), std::end(kNotMade), error.text("code")) != std::end(kNotMade))
    made.take_back(error.text("toolName"));

  failure.json = base::ObjectText()
                     .text("type", type)
                     .json_or_null("code", error.raw("code"))
                     .text("message", failure.message)
                     .text_if("where", where)
                     .json_if("toolName", error.raw("toolName"))
                     .json_if("calls", made.counts.empty() ? "" : made.json())
                     .done();

  std::string_view message = failure.message;
  if (message.starts_with(type + ": ")) message.remove_prefix(type.size() + 2);
  failure.text = type + " (" + error.text("code") + "): " + std::string(message);
  if (!where.empty()) failure.text += "\n" + where;
  if (!made.counts.empty()) failure.text += "\nCalls that had been made: " + made.text();
  return failure;
}

}  // namespace glovebox::agent_tools
