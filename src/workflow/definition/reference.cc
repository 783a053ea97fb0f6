#include "workflow/definition/reference.h"

#include <algorithm>
#include <charconv>

#include "base/characters/ascii.h"
#include "base/try.h"

namespace glovebox::workflow {
namespace {

namespace json = boost::json;

// Untrusted values are nested no deeper than a message may be; this bounds our own recursion.
constexpr int kMostDepth = 200;

bool is_word(char c) {
  return base::is_alnum(c) || c == '_' || c == '-';
}

std::string_view take_word(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  while (at < text.size() && is_word(text[at])) ++at;
  return text.substr(begin, at - begin);
}

Failure bad_reference(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

// `at` is the offset after $OUTPUT or $INPUT, and afterwards the one after the reference.
Result<Reference> read_reference(std::string_view text, std::size_t& at, bool of_task) {
  Reference reference;
  if (of_task) {
    if (at >= text.size() || text[at] != '[')
      return bad_reference("after $OUTPUT comes a task in brackets: $OUTPUT[fetch].items");
    ++at;
    reference.task = take_word(text, at);
    if (reference.task.empty() || at >= text.size() || text[at] != ']') {
      return bad_reference("$OUTPUT[ needs the id of a task and a closing bracket: $OUTPUT[fetch].items");
    }
    ++at;
  }
  while (at < text.size()) {
    if (text[at] == '.') {
      std::size_t behind = at + 1;
      const std::string_view key = take_word(text, behind);
      if (key.empty()) break;  // the end of a sentence
      reference.path.emplace_back(std::string(key));
      at = behind;
    } else if (text[at] == '[') {
      const std::size_t close = text.find(']', at);
      if (close == text.npos) return bad_reference("a reference has a bracket that is not closed");
      std::string_view inner = text.substr(at + 1, close - at - 1);
      if (inner.size() >= 2 && (inner.front() == '"' || inner.front() == '\'') && inner.back() == inner.front()) {
        reference.path.emplace_back(std::string(inner.substr(1, inner.size() - 2)));
      } else {
        std::size_t index = 0;
        const auto [end, wrong] = std::from_chars(inner.data(), inner.data() + inner.size(), index);
        if (wrong != std::errc() || end != inner.data() + inner.size()) {
          return bad_reference("in a reference, brackets hold a number or a quoted key, not " + std::string(inner));
        }
        reference.path.emplace_back(index);
      }
      at = close + 1;
    } else {
      break;
    }
  }
  return reference;
}

std::string shown(const Reference& reference, std::size_t steps) {
  std::string text = reference.task.empty() ? "$INPUT" : "$OUTPUT[" + reference.task + "]";
  for (std::size_t i = 0; i < steps; ++i) {
    if (const auto* key = std::get_if<std::string>(&reference.path[i])) {
      text += "." + *key;
    } else {
      text += "[" + std::to_string(std::get<std::size_t>(reference.path[i])) + "]";
    }
  }
  return text;
}

std::string kind_of(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null: return "null";
    case json::kind::bool_: return "a boolean";
    case json::kind::string: return "a text";
    case json::kind::array: return "an array of " + std::to_string(value.get_array().size());
    case json::kind::object: return "an object";
    default: return "a number";
  }
}

Result<const json::value*> follow(const Reference& reference, const json::value& input, const OutputOf& output) {
  const json::value* at = reference.task.empty() ? &input : output(reference.task);
  if (!at) return bad_reference(shown(reference, 0) + ": the task has no output");
  for (std::size_t i = 0; i < reference.path.size(); ++i) {
    const json::value* next = nullptr;
    if (const auto* key = std::get_if<std::string>(&reference.path[i])) {
      if (at->is_object()) next = at->get_object().if_contains(*key);
    } else if (at->is_array()) {
      next = at->get_array().if_contains(std::get<std::size_t>(reference.path[i]));
    }
    if (!next) {
      return bad_reference(shown(reference, i + 1) + " does not exist: " + shown(reference, i) + " is " + kind_of(*at));
    }
    at = next;
  }
  return at;
}

std::string text_of(const json::value& value) {
  if (const auto* text = value.if_string()) return std::string(text->data(), text->size());
  return json::serialize(value);
}

// What references are resolved with.
struct Sources {
  const json::value& input;
  const OutputOf& output;
  std::size_t room = kMostContextBytes;  // for copies
};

// The value, if there is room for a copy of it.
Result<const json::value*> follow_to_copy(const Reference& reference, Sources& from) {
  const json::value* const found = GLOVEBOX_TRY(follow(reference, from.input, from.output));
  if (take_room(*found, from.room)) return found;
  return bad_reference(shown(reference, reference.path.size()) + ": the referenced values have more than " +
                       std::to_string(kMostContextBytes >> 20) + " MB in all; refer to the parts that you need");
}

Result<json::value> resolve_text(std::string_view text, Sources& from) {
  const auto pieces = GLOVEBOX_TRY(cut_text(text));
  if (pieces.size() == 1) {
    if (const auto* reference = std::get_if<Reference>(&pieces[0])) {
      return *GLOVEBOX_TRY(follow_to_copy(*reference, from));
    }
  }
  std::string made;
  for (const TextPiece& piece : pieces) {
    if (const auto* plain = std::get_if<std::string>(&piece)) {
      made += *plain;
    } else {
      made += text_of(*GLOVEBOX_TRY(follow_to_copy(std::get<Reference>(piece), from)));
    }
  }
  return json::value(made);
}

Result<json::value> resolve_at(const json::value& value, Sources& from, int depth) {
  if (depth > kMostDepth) return bad_reference("the arguments are nested too deeply");
  if (const auto* text = value.if_string()) return resolve_text({text->data(), text->size()}, from);
  if (const auto* list = value.if_array()) {
    json::array made;
    made.reserve(list->size());
    for (const json::value& item : *list) made.push_back(GLOVEBOX_TRY(resolve_at(item, from, depth + 1)));
    return json::value(std::move(made));
  }
  if (const auto* object = value.if_object()) {
    json::object made;
    for (const auto& member : *object) {
      made[member.key()] = GLOVEBOX_TRY(resolve_at(member.value(), from, depth + 1));
    }
    return json::value(std::move(made));
  }
  return value;
}

void find_at(const json::value& value, const std::string& at, std::vector<FoundReference>& found,
             std::vector<BadReference>& wrong, int depth) {
  if (depth > kMostDepth) return wrong.push_back({at, "the arguments are nested too deeply"});
  if (const auto* text = value.if_string()) {
    auto pieces = cut_text({text->data(), text->size()});
    if (!pieces) return wrong.push_back({at, pieces.failure().message});
    for (TextPiece& piece : pieces.value()) {
      if (auto* reference = std::get_if<Reference>(&piece)) found.push_back({at, std::move(*reference)});
    }
  } else if (const auto* list = value.if_array()) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      find_at((*list)[i], at + "/" + std::to_string(i), found, wrong, depth + 1);
    }
  } else if (const auto* object = value.if_object()) {
    for (const auto& member : *object) {
      find_at(member.value(), at + pointer_step(member.key()), found, wrong, depth + 1);
    }
  }
}

}  // namespace

bool take_room(const json::value& value, std::size_t& room) {
  const auto take = [&room](std::size_t bytes) {
    if (bytes > room) return false;
    room -= bytes;
    return true;
  };
  const auto* text = value.if_string();
  if (!take(2 + (text ? text->size() : 0))) return false;
  if (const auto* list = value.if_array()) {
    return std::all_of(list->begin(), list->end(), [&](const json::value& item) { return take_room(item, room); });
  }
  const auto* object = value.if_object();
  return !object || std::all_of(object->begin(), object->end(), [&](const json::key_value_pair& member) {
    return take(2 + member.key().size()) && take_room(member.value(), room);
  });
}

Result<std::vector<TextPiece>> cut_text(std::string_view text) {
  constexpr std::string_view kOutput = "$OUTPUT";
  constexpr std::string_view kInput = "$INPUT";
  std::vector<TextPiece> pieces;
  std::string plain;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t dollar = text.find('$', at);
    if (dollar == text.npos) {
      plain += text.substr(at);
      break;
    }
    plain += text.substr(at, dollar - at);
    at = dollar;
    const std::string_view rest = text.substr(at);
    const auto is = [&](std::string_view word, std::size_t skip) {
      return rest.substr(skip).starts_with(word) &&
             (rest.size() == skip + word.size() || !is_word(rest[skip + word.size()]));
    };
    if (is(kOutput, 1) || is(kInput, 1)) {  // $$OUTPUT
      const std::size_t length = is(kOutput, 1) ? kOutput.size() : kInput.size();
      plain += rest.substr(1, length);
      at += 1 + length;
    } else if (is(kOutput, 0) || is(kInput, 0)) {
      const bool of_task = is(kOutput, 0);
      at += of_task ? kOutput.size() : kInput.size();
      Reference reference = GLOVEBOX_TRY(read_reference(text, at, of_task));
      if (!plain.empty()) pieces.emplace_back(std::exchange(plain, {}));
      pieces.emplace_back(std::move(reference));
    } else {
      plain += '$';
      ++at;
    }
  }
  if (!plain.empty() || pieces.empty()) pieces.emplace_back(std::move(plain));
  return pieces;
}

void find_references(const json::value& value, const std::string& at, std::vector<FoundReference>& found,
                     std::vector<BadReference>& wrong) {
  find_at(value, at, found, wrong, 0);
}

Result<json::value> resolve(const json::value& value, const json::value& input, const OutputOf& output) {
  Sources from{input, output};
  return resolve_at(value, from, 0);
}

std::string pointer_step(std::string_view key) {
  std::string step = "/";
  for (const char c : key) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return step;
}

}  // namespace glovebox::workflow
