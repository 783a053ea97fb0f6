#include "catalog/call/tool_result.h"

#include <algorithm>

#include "base/text/json_builder.h"
#include "base/text/json_slice.h"
#include "base/text/utf8.h"
#include "mcp/limits.h"

namespace glovebox::catalog {
namespace {

// A tool's error message goes into an exception, and into logs.
constexpr std::size_t kMostErrorBytes = 8 * 1024;

// Each content is an object of ours, many times larger than the shortest one in an answer.
constexpr std::size_t kMostContents = 100'000;

// The guest allows a little less nesting than messages do.
constexpr base::SliceOptions kSlices{.max_depth = mcp::kMaxMessageDepth - 4};

// An exception nests it two levels deeper inside a frame.
constexpr base::SliceOptions kInErrors{.max_depth = kSlices.max_depth - 4, .unique_keys = true};

struct Content {
  std::string_view type;  // with its quotes
  base::JsonSlices members;
};

Result<std::vector<Content>> contents_of(std::string_view raw) {
  std::vector<Content> contents;
  auto items = base::slice_array(raw, kSlices, kMostContents);
  if (!items) return std::move(items).failure();
  for (const std::string_view item : *items) {
    auto members = base::JsonSlices::of(item, kSlices);
    if (!members) return std::move(members).failure();
    const std::string_view type = members->raw("type");
    contents.push_back({type, std::move(members).value()});
  }
  return contents;
}

bool is_string(std::string_view raw) {
  return raw.starts_with('"');
}

std::string error_text(const std::vector<Content>& contents) {
  std::string said;
  for (const Content& content : contents) {
    const std::string_view raw = content.members.raw("text");
    if (content.type != "\"text\"" || !is_string(raw)) continue;
    if (!said.empty()) said += '\n';
    // Six bytes of JSON may encode one; more is not examined.
    if (raw.size() > 8 * kMostErrorBytes) {
      said += "(a text of " + std::to_string(raw.size()) + " bytes)";
    } else {
      said += base::unquote(raw).value();
    }
    if (said.size() > kMostErrorBytes) break;
  }
  if (said.size() > kMostErrorBytes) {
    said.resize(base::beginning_of(said, kMostErrorBytes).size());
    said += "…";
  }
  return said.empty() ? "the tool failed and did not say why" : said;
}

// A JSON string whose text begins like an object or an array. Most texts do not, and are not copied.
bool may_hold_structure(std::string_view raw) {
  std::string_view text = raw.substr(1);
  for (bool is_space = true; is_space;) {
    const std::size_t length = text.starts_with("\\n") || text.starts_with("\\r") || text.starts_with("\\t") ? 2 : 1;
    is_space = length == 2 || text.starts_with(' ');
    if (is_space) text.remove_prefix(length);
  }
  return text.starts_with('{') || text.starts_with('[');
}

// A parsed text, and the message that it came in.
struct ParsedText {
  std::shared_ptr<const mcp::CallReply> message;
  std::string json;
};

// The JSON that a JSON string holds.
std::optional<ToolResult> parsed(const std::shared_ptr<const mcp::CallReply>& message, std::string_view raw,
                                 std::string_view content) {
  auto text = base::unquote(raw);
  if (!text || !base::check_json(*text, kSlices)) return std::nullopt;
  // Line breaks can only be between its tokens: the value must stay on one line.
  std::replace_if(
      text->begin(), text->end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  const auto held = std::make_shared<const ParsedText>(ParsedText{message, std::move(text).value()});
  return ToolResult{held, held->json, content};
}

}  // namespace

bool says_json(std::string_view media_type) {
  return media_type.starts_with("\"application/json") || media_type.ends_with("+json\"");
}

CallFailure broken_answer(const std::string& why) {
  return {"PROTOCOL_ERROR", "the server's answer cannot be used: " + why, true};
}

TextForm text_form(std::string_view output_schema) {
  if (output_schema.empty()) return TextForm::kUnknown;
  const auto members = base::JsonSlices::of(output_schema, kSlices);
  const std::string_view type = members ? members->raw("type") : std::string_view();
  const auto names = [&](std::string_view kind) { return type.find(kind) != type.npos; };
  return names("\"string\"") && !names("\"object\"") && !names("\"array\"") ? TextForm::kText : TextForm::kJson;
}

Result<ToolResult, CallFailure> tool_result(mcp::CallReply reply, TextForm form) {
  const auto held = std::make_shared<const mcp::CallReply>(std::move(reply));
  auto members = base::JsonSlices::of(held->result(), kSlices);
  if (!members) return broken_answer(members.failure().message);
  if (members->raw("resultType") == "\"input_required\"")
    return broken_answer("it asks a question that no client can answer");
  const std::string_view raw = members->raw("content");
  const std::string_view structured = members->raw("structuredContent");
  const auto slice = [&](std::string_view json) { return ToolResult{held, json, raw}; };
  const bool failed = members->raw("isError") == "true";
  if (!failed && !structured.empty() && structured != "null") return slice(structured);
  const auto failure = [&](const std::vector<Content>& contents) {
    CallFailure reported{"TOOL_ERROR", error_text(contents), true};
    const bool is_kept = structured.size() <= kMostErrorBytes && structured.starts_with('{');
    if (is_kept && base::check_json(structured, kInErrors)) reported.structured = structured;
    return reported;
  };
  if (raw.empty()) {
    if (failed) return failure({});
    return broken_answer("it has no content");
  }
  auto contents = contents_of(raw);
  if (!contents) return broken_answer(contents.failure().message);
  if (failed) return failure(*contents);
  if (contents->empty()) return slice("null");
  if (contents->size() > 1) return slice(raw);

  const Content& only = contents->front();
  const std::string_view text = only.members.raw("text");
  if (only.type == "\"text\"" && is_string(text)) {
    const bool may_be_value = form == TextForm::kJson || (form == TextForm::kUnknown && may_hold_structure(text));
    if (may_be_value)
      if (auto value = parsed(held, text, raw)) return std::move(*value);
    return slice(text);
  }
  if (only.type == "\"resource\"") {
    const auto resource = base::JsonSlices::of(only.members.raw("resource"), kSlices);
    if (resource && is_string(resource->raw("text")) && says_json(resource->raw("mimeType")))
      if (auto value = parsed(held, resource->raw("text"), raw)) return std::move(*value);
  }
  return slice(raw);
}

ToolResult as_contents(ToolResult result) {
  if (!result.content.empty()) return {std::move(result.owner), result.content, result.content};
  base::ObjectText block;
  block.text("type", "text");
  // A JSON string is quoted already.
  is_string(result.json) ? block.json("text", result.json) : block.text("text", result.json);
  const auto made = std::make_shared<const std::string>(base::ListText().json(block.done()).done());
  return {made, *made, *made};
}

}  // namespace glovebox::catalog
