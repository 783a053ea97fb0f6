#include "config/jsonc.h"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <optional>

#include "base/text/json_builder.h"
#include "base/text/json_text.h"

namespace glovebox::config {
namespace {

namespace json = boost::json;
using boost::system::error_code;

// Builds the tree from the parser's events. The parser does not report its position, so it is fed byte by byte: an
// event belongs to the byte that was fed last, and to a token that began at the first byte after the previous event.
class TreeBuilder {
 public:
  static constexpr std::size_t max_object_size = 10'000;
  static constexpr std::size_t max_array_size = 10'000;
  static constexpr std::size_t max_key_size = 10'000;
  static constexpr std::size_t max_string_size = 100'000;

  explicit TreeBuilder(std::string_view whole) : whole_(whole) {}

  void feed(std::size_t offset, char c) {
    current_ = offset;
    if (!token_ && c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != ',' && c != ':') token_ = offset;
  }
  JsonNode take() { return std::move(root_); }
  const std::optional<JsonProblem>& problem() const { return problem_; }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return open(JsonObject{}); }
  bool on_array_begin(error_code&) { return open(JsonArray{}); }
  bool on_object_end(std::size_t, error_code&) { return close(); }
  bool on_array_end(std::size_t, error_code&) { return close(); }

  bool on_key_part(json::string_view text, std::size_t, error_code&) { return collect(text); }
  bool on_key(json::string_view text, std::size_t, error_code& error) {
    collect(text);
    auto& members = std::get<JsonObject>(path_.back()->value);
    const std::size_t at = end_token();
    std::string key = std::exchange(text_, {});
    if (std::any_of(members.begin(), members.end(), [&](const JsonMember& member) { return member.key == key; })) {
      problem_ = JsonProblem{at, "the key " + base::json_string(key) + " appears twice"};
      error = json::error::syntax;
      return false;
    }
    members.push_back({std::move(key), at, {}});
    return true;
  }
  bool on_string_part(json::string_view text, std::size_t, error_code&) { return collect(text); }
  bool on_string(json::string_view text, std::size_t, error_code&) {
    collect(text);
    return add(std::exchange(text_, {}));
  }
  bool on_number_part(json::string_view, error_code&) { return true; }
  bool on_int64(std::int64_t number, json::string_view, error_code&) { return add_number(number); }
  bool on_uint64(std::uint64_t number, json::string_view, error_code&) {
    return add_number(static_cast<double>(number));
  }
  bool on_double(double number, json::string_view, error_code&) { return add_number(number); }
  bool on_bool(bool truth, error_code&) { return add(truth); }
  bool on_null(error_code&) { return add(nullptr); }
  bool on_comment_part(json::string_view, error_code&) { return true; }
  bool on_comment(json::string_view, error_code&) { return true; }

 private:
  std::size_t end_token() { return std::exchange(token_, std::nullopt).value_or(0); }
  bool collect(json::string_view text) {
    text_.append(text.data(), text.size());
    return true;
  }
  template <typename T>
  JsonNode& put(T value) {
    JsonNode* place = &root_;
    if (!path_.empty()) {
      if (auto* items = std::get_if<JsonArray>(&path_.back()->value)) {
        place = &items->emplace_back();
      } else {
        place = &std::get<JsonObject>(path_.back()->value).back().value;
      }
    }
    place->offset = end_token();
    place->value = std::move(value);
    return *place;
  }
  template <typename T>
  bool add(T value) {
    put(std::move(value)).end = current_ + 1;
    return true;
  }
  // A number has ended only when something else follows.
  template <typename T>
  bool add_number(T value) {
    JsonNode& node = put(value);
    node.end = std::min(whole_.find_first_not_of("0123456789+-.eE", node.offset), whole_.size());
    return true;
  }
  template <typename T>
  bool open(T value) {
    path_.push_back(&put(std::move(value)));
    return true;
  }
  bool close() {
    end_token();
    path_.back()->end = current_ + 1;
    path_.pop_back();
    return true;
  }

  std::string_view whole_;
  JsonNode root_;
  std::vector<JsonNode*> path_;  // only the last one grows, so none of them moves
  std::string text_;
  std::optional<std::size_t> token_;
  std::size_t current_ = 0;
  std::optional<JsonProblem> problem_;
};

// Replaces comments with blanks, so that everything else keeps its position. The parser accepts comments as well, but
// fails when one arrives in pieces.
std::optional<JsonProblem> blank_comments(std::string& text) {
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_string) {
      if (text[i] == '\\') {
        ++i;
      } else if (text[i] == '"' || text[i] == '\n') {
        in_string = false;
      }
      continue;
    }
    in_string = text[i] == '"';
    if (text[i] != '/' || i + 1 >= text.size() || (text[i + 1] != '/' && text[i + 1] != '*')) continue;
    const bool to_the_line_end = text[i + 1] == '/';
    std::size_t end = text.find(to_the_line_end ? "\n" : "*/", i + 2);
    if (end == std::string::npos && !to_the_line_end) return JsonProblem{i, "this comment has no end"};
    end = end == std::string::npos ? text.size() : to_the_line_end ? end : end + 2;
    for (std::size_t at = i; at < end; ++at) {
      if (text[at] != '\n') text[at] = ' ';
    }
    i = end - 1;
  }
  return std::nullopt;
}

std::string explain(const error_code& error, std::string_view text, std::size_t offset) {
  if (error == json::error::incomplete) return "the file ends too early";
  if (error == json::error::extra_data) return "there is more after the end";
  if (error != json::error::syntax || offset >= text.size()) return error.message();
  const char c = text[offset];
  return c > ' ' && c < 0x7f ? std::string("did not expect '") + c + "' here" : error.message();
}

}  // namespace

JsonNode::JsonNode() = default;
JsonNode::JsonNode(JsonNode&&) noexcept = default;
JsonNode& JsonNode::operator=(JsonNode&&) noexcept = default;
JsonNode::~JsonNode() = default;

Result<JsonNode, JsonProblem> parse_jsonc(std::string_view given) {
  std::string text(given);
  if (auto problem = blank_comments(text)) return std::move(*problem);
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  json::parse_options options;
  options.allow_trailing_commas = true;
  json::basic_parser<TreeBuilder> parser(options, std::string_view(text));
  TreeBuilder& builder = parser.handler();
  error_code error;
  std::size_t offset = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (; offset < text.size(); ++offset) {
    builder.feed(offset, text[offset]);
    if (parser.write_some(true, &text[offset], 1, error) != 1 && !error) error = json::error::extra_data;
    if (error) break;
  }
  if (!error) parser.write_some(false, "", 0, error);
  if (!error) return builder.take();
  if (builder.problem()) return *builder.problem();
  return JsonProblem{offset, explain(error, text, offset)};
}

std::string to_json(const JsonNode& node, std::string_view text) {
  if (const auto* items = node.as<JsonArray>()) {
    return base::json_list(*items, [&](const JsonNode& item) { return to_json(item, text); });
  }
  if (const auto* members = node.as<JsonObject>()) {
    base::ObjectText json;
    for (const JsonMember& member : *members) json.json(member.key, to_json(member.value, text));
    return json.done();
  }
  return std::string(text.substr(node.offset, node.end - node.offset));
}

Result<std::string, JsonProblem> without_comments(std::string_view given) {
  std::string text(given);
  if (auto problem = blank_comments(text)) return std::move(*problem);
  return text;
}

TextPosition position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_break = before.rfind('\n');
  const std::size_t line_start = line_break == std::string_view::npos ? 0 : line_break + 1;
  return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<int>(before.size() - line_start) + 1};
}

}  // namespace glovebox::config
