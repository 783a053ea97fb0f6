#include "config/jsonc_edit.h"

#include <algorithm>
#include <optional>

#include "base/text/json_builder.h"
#include "base/text/json_text.h"
#include "base/try.h"

namespace glovebox::config {
namespace {

// One child of an object or array: from its first byte (the key's, for a member) to the end.
struct Span {
  std::size_t begin;
  std::size_t end;
};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

class Editor {
 public:
  static Result<Editor, JsonProblem> of(std::string_view text) {
    const bool empty = std::all_of(text.begin(), text.end(), is_blank);
    std::string whole(empty ? "{}\n" : text);
    auto root = parse_jsonc(whole);
    if (!root) return std::move(root).failure();
    auto bare = without_comments(whole);
    if (!bare) return std::move(bare).failure();
    return Editor(std::move(whole), std::move(bare).value(), std::move(root).value());
  }

  const JsonNode& root() const { return root_; }
  std::string take() { return std::move(text_); }

  // The new child goes last, on a line of its own if the others have theirs.
  void append(const JsonNode& container, const std::string& prefix, std::string_view json) {
    const std::vector<Span> children = children_of(container);
    const std::size_t close = container.end - 1;
    std::size_t at = close;  // after the last thing before the bracket, which may be a comment
    while (is_blank(text_[at - 1])) --at;
    const std::string_view inside = std::string_view(text_).substr(container.offset, container.end - container.offset);
    const bool in_lines = children.empty() ? json.find_first_of("{[") != json.npos || &container == &root_ ||
                                                 inside.find('\n') != inside.npos
                                           : inside.find('\n') != inside.npos;
    const std::string outer = indent_at(container.offset);
    std::string inner = outer + unit();
    if (!children.empty() && starts_line(children.front().begin)) inner = indent_at(children.front().begin);

    const std::optional<std::size_t> comma = children.empty() ? std::nullopt : comma_after(children.back().end);
    std::string added;
    if (in_lines) {
      added = line_end() + inner + prefix + spread(json, inner) + (comma ? "," : "") + line_end() + outer;
    } else if (children.empty()) {
      added = prefix + std::string(json);
    } else {
      added = " " + prefix + std::string(json) + (inside[inside.size() - 2] == ' ' ? " " : "");
    }
    text_.replace(at, close - at, added);
    if (!children.empty() && !comma) text_.insert(children.back().end, ",");
  }

  void replace(const JsonNode& node, std::string_view json) {
    text_.replace(node.offset, node.end - node.offset, spread(json, indent_at(node.offset)));
  }

  void remove(const JsonNode& container, std::size_t index) {
    const std::vector<Span> children = children_of(container);
    Span gone = children[index];
    const std::optional<std::size_t> comma = comma_after(gone.end);
    if (comma) gone.end = *comma + 1;
    // A comment after it on the same line is about it.
    std::size_t rest = gone.end;
    while (rest < bare_.size() && bare_[rest] != '\n' && is_blank(bare_[rest])) ++rest;
    const bool ends_line = rest == bare_.size() || bare_[rest] == '\n';
    if (starts_line(gone.begin) && ends_line) {
      gone.begin = line_start(gone.begin);
      gone.end = std::min(rest + 1, text_.size());
    } else if (index + 1 < children.size()) {
      while (gone.end < children[index + 1].begin && is_blank(text_[gone.end])) ++gone.end;
    } else if (index > 0) {
      // Not into the previous line, which may end with a comment.
      while (text_[gone.begin - 1] == ' ' || text_[gone.begin - 1] == '\t') --gone.begin;
    }
    text_.erase(gone.begin, gone.end - gone.begin);
    if (!comma && index > 0) {
      // It was the last, and now the one before it is.
      if (const auto before = comma_after(children[index - 1].end)) text_.erase(*before, 1);
    }
  }

 private:
  Editor(std::string text, std::string bare, JsonNode root)
      : text_(std::move(text)), bare_(std::move(bare)), root_(std::move(root)) {}

  static std::vector<Span> children_of(const JsonNode& container) {
    std::vector<Span> spans;
    if (const auto* members = container.as<JsonObject>()) {
      for (const JsonMember& member : *members) spans.push_back({member.key_offset, member.value.end});
    } else if (const auto* items = container.as<JsonArray>()) {
      for (const JsonNode& item : *items) spans.push_back({item.offset, item.end});
    }
    return spans;
  }

  std::optional<std::size_t> comma_after(std::size_t at) const {
    while (at < bare_.size() && is_blank(bare_[at])) ++at;
    if (at < bare_.size() && bare_[at] == ',') return at;
    return std::nullopt;
  }

  std::size_t line_start(std::size_t at) const {
    const std::size_t before = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    return before == std::string::npos ? 0 : before + 1;
  }
  bool starts_line(std::size_t at) const {
    const std::size_t start = line_start(at);
    return std::all_of(text_.begin() + static_cast<std::ptrdiff_t>(start),
                       text_.begin() + static_cast<std::ptrdiff_t>(at), is_blank);
  }
  // The indent of the line that contains this byte.
  std::string indent_at(std::size_t at) const {
    const std::size_t start = line_start(at);
    const std::size_t end = std::min(text_.find_first_not_of(" \t", start), text_.size());
    return text_.substr(start, end - start);
  }
  // One indent step of this file.
  std::string unit() const {
    const auto* members = root_.as<JsonObject>();
    if (members && !members->empty() && starts_line(members->front().key_offset)) {
      std::string step = indent_at(members->front().key_offset);
      if (!step.empty() && step.size() <= 8) return step;
    }
    return "  ";
  }
  const char* line_end() const { return text_.find("\r\n") != text_.npos ? "\r\n" : "\n"; }

  // The value formatted in the style of this file.
  std::string spread(std::string_view json, const std::string& indent) const {
    if (json.empty() || (json.front() != '{' && json.front() != '[')) return std::string(json);
    const std::string pretty = base::pretty_json(json);
    const std::string step = unit();
    std::string out;
    for (std::size_t i = 0; i < pretty.size(); ++i) {
      if (pretty[i] != '\n') {
        out += pretty[i];
        continue;
      }
      out += line_end() + indent;
      while (pretty.compare(i + 1, 2, "  ") == 0) {
        out += step;
        i += 2;
      }
    }
    return out;
  }

  std::string text_;
  std::string bare_;  // without comments
  JsonNode root_;
};

const JsonMember* find_member(const JsonNode& node, std::string_view key) {
  const auto* members = node.as<JsonObject>();
  if (!members) return nullptr;
  for (const JsonMember& member : *members)
    if (member.key == key) return &member;
  return nullptr;
}

// As far as the keys lead.
struct Found {
  const JsonNode* node;
  std::size_t steps;
};
Found follow(const JsonNode& root, const JsonPlace& place) {
  Found found{&root, 0};
  while (found.steps < place.size()) {
    const JsonMember* member = find_member(*found.node, place[found.steps]);
    if (!member) break;
    found = {&member->value, found.steps + 1};
  }
  return found;
}

JsonProblem no_object(const JsonNode& node) {
  return {node.offset, "is not an object, so nothing can be added to it"};
}

// The edited text must still parse: a mistake here must not reach the disk.
EditResult checked(Editor editor) {
  std::string text = editor.take();
  if (auto root = parse_jsonc(text); !root) return std::move(root).failure();
  return text;
}

}  // namespace

EditResult set_member(std::string_view text, const JsonPlace& place, std::string_view value_json) {
  auto made = Editor::of(text);
  if (!made) return std::move(made).failure();
  Editor editor = std::move(made).value();
  const Found found = follow(editor.root(), place);
  if (found.steps == place.size()) {
    editor.replace(*found.node, value_json);
    return checked(std::move(editor));
  }
  if (!found.node->as<JsonObject>()) return no_object(*found.node);
  std::string value(value_json);
  for (std::size_t i = place.size() - 1; i > found.steps; --i) value = base::ObjectText().json(place[i], value).done();
  editor.append(*found.node, base::json_string(place[found.steps]) + ": ", value);
  return checked(std::move(editor));
}

EditResult remove_member(std::string_view text, const JsonPlace& place) {
  auto made = Editor::of(text);
  if (!made) return std::move(made).failure();
  Editor editor = std::move(made).value();
  const Found above = follow(editor.root(), {place.begin(), place.end() - 1});
  const auto* members = above.node->as<JsonObject>();
  if (above.steps + 1 != place.size() || !members) return std::string(text);
  for (std::size_t i = 0; i < members->size(); ++i) {
    if ((*members)[i].key != place.back()) continue;
    editor.remove(*above.node, i);
    return checked(std::move(editor));
  }
  return std::string(text);
}

EditResult add_text(std::string_view text, const JsonPlace& place, std::string_view element) {
  auto made = Editor::of(text);
  if (!made) return std::move(made).failure();
  Editor editor = std::move(made).value();
  const Found found = follow(editor.root(), place);
  const std::string json = base::json_string(element);
  if (found.steps != place.size()) return set_member(text, place, base::ListText().json(json).done());
  const auto* items = found.node->as<JsonArray>();
  if (!items) return JsonProblem{found.node->offset, "is not a list, so nothing can be added to it"};
  for (const JsonNode& item : *items)
    if (const auto* known = item.as<std::string>(); known && *known == element) return std::string(text);
  editor.append(*found.node, "", json);
  return checked(std::move(editor));
}

EditResult remove_text(std::string_view text, const JsonPlace& place, std::string_view element) {
  auto made = Editor::of(text);
  if (!made) return std::move(made).failure();
  Editor editor = std::move(made).value();
  const Found found = follow(editor.root(), place);
  const auto* items = found.steps == place.size() ? found.node->as<JsonArray>() : nullptr;
  if (!items) return std::string(text);
  for (std::size_t i = 0; i < items->size(); ++i) {
    const auto* known = (*items)[i].as<std::string>();
    if (!known || *known != element) continue;
    editor.remove(*found.node, i);
    return checked(std::move(editor));
  }
  return std::string(text);
}

}  // namespace glovebox::config
