#include "config/value_reader.h"

#include <algorithm>

#include "base/text/json_builder.h"
#include "base/text/json_text.h"
#include "config/nearest_word.h"
#include "policy/tool_rules.h"

namespace glovebox::config {

using base::ObjectText;

std::optional<std::int64_t> ValueReader::number(const JsonNode& node, std::int64_t most, const char* example,
                                                std::int64_t least) {
  ObjectText schema;
  schema.text("type", "integer").number("minimum", least).number("maximum", most);
  if (describes(schema.done(), example)) return std::nullopt;
  const auto* number = node.as<std::int64_t>();
  if (number && *number >= least && *number <= most) return *number;
  return refuse(node.offset, "must be a whole number between " + std::to_string(least) + " and " +
                                 std::to_string(most) + ", such as " + example);
}

std::optional<bool> ValueReader::truth(const JsonNode& node) {
  if (describes(R"({"type":"boolean"})", "")) return std::nullopt;
  if (const auto* truth = node.as<bool>()) return *truth;
  return refuse(node.offset, "must be true or false");
}

std::optional<std::string> ValueReader::text(const JsonNode& node, const char* example) {
  if (describes(R"({"type":"string","minLength":1})", example)) return std::nullopt;
  const auto* text = node.as<std::string>();
  if (text && !text->empty() && text->find('\0') == std::string::npos) return *text;
  return refuse(node.offset, std::string("must be a non-empty string, such as ") + example);
}

std::optional<std::string> ValueReader::word(const JsonNode& node, std::initializer_list<std::string_view> words) {
  if (describes(ObjectText().json("enum", base::text_list(words)).done(), "")) return std::nullopt;
  std::string sentence;
  for (auto word = words.begin(); word != words.end(); ++word)
    sentence += std::string(sentence.empty() ? "" : word + 1 == words.end() ? " or " : ", ") + base::json_string(*word);
  const auto* text = node.as<std::string>();
  if (text && std::find(words.begin(), words.end(), *text) != words.end()) return *text;
  return refuse(node.offset, "must be " + sentence);
}

std::optional<std::vector<std::string>> ValueReader::list(const JsonNode& node, const char* example,
                                                          bool may_be_empty) {
  if (describes(may_be_empty ? R"({"type":"array","items":{"type":"string"}})"
                             : R"({"type":"array","items":{"type":"string","minLength":1}})",
                example))
    return std::nullopt;
  if (const auto* text = node.as<std::string>()) {
    return refuse(node.offset, "must be a list; write [" + base::json_string(*text) + "]");
  }
  const auto* items = node.as<JsonArray>();
  if (!items) return refuse(node.offset, std::string("must be a list of strings, such as ") + example);
  std::vector<std::string> texts;
  for (const JsonNode& item : *items) {
    const auto* text = item.as<std::string>();
    if (!text || (text->empty() && !may_be_empty) || text->find('\0') != std::string::npos) {
      refuse(item.offset,
             std::string("contains something that is not a string, or an empty string; write it like ") + example);
    } else {
      texts.push_back(*text);
    }
  }
  return texts;
}

std::optional<std::vector<std::string>> ValueReader::tool_patterns(const JsonNode& node, const char* example) {
  auto texts = list(node, example);
  if (!texts) return std::nullopt;
  for (const JsonNode& item : *node.as<JsonArray>()) {
    const auto* text = item.as<std::string>();
    if (!text || text->empty()) continue;
    const auto pattern = policy::ToolPattern::parse(*text, "/");
    if (!pattern) refuse(item.offset, "is not understood: " + pattern.failure().message);
  }
  return texts;
}

std::optional<std::map<std::string, std::string>> ValueReader::texts_by_name(const JsonNode& node,
                                                                             const char* example) {
  if (describes(R"({"type":"object","additionalProperties":{"type":["string","integer"]}})", example))
    return std::nullopt;
  const JsonObject* members = object(node, example);
  if (!members) return std::nullopt;
  std::map<std::string, std::string> found;
  for (const JsonMember& member : *members) {
    if (const auto* text = member.value.as<std::string>(); text && text->find('\0') == std::string::npos) {
      found[member.key] = *text;
    } else if (const auto* number = member.value.as<std::int64_t>()) {
      found[member.key] = std::to_string(*number);
    } else {
      refuse(member.value.offset, "contains something that is not a string; write it like " + std::string(example));
    }
  }
  return found;
}

std::optional<std::map<std::string, std::int64_t>> ValueReader::numbers_by_name(const JsonNode& node, std::int64_t most,
                                                                                const char* example) {
  const std::string each = ObjectText().text("type", "integer").number("minimum", 1).number("maximum", most).done();
  if (describes(ObjectText().text("type", "object").json("additionalProperties", each).done(), example))
    return std::nullopt;
  const JsonObject* members = object(node, example);
  if (!members) return std::nullopt;
  std::map<std::string, std::int64_t> found;
  for (const JsonMember& member : *members)
    if (const auto value = number(member.value, most, "60")) found[member.key] = *value;
  return found;
}

const JsonObject* ValueReader::object(const JsonNode& node, const char* example) {
  if (describes(R"({"type":"object"})", example)) return nullptr;
  if (const auto* members = node.as<JsonObject>()) return members;
  refuse(node.offset, std::string("must be an object, such as ") + example);
  return nullptr;
}

std::nullopt_t ValueReader::refuse(std::size_t offset, const std::string& why) {
  if (problems_) problems_->push_back({offset, path_ + " " + why});
  return std::nullopt;
}

void ValueReader::also(const std::string& schema) {
  if (schemas_) schemas_->push_back(schema);
}

ValueReader ValueReader::of(const std::string& key) const {
  ValueReader member = *this;
  member.path_ += "." + key;
  return member;
}

// With the example of the messages, if that is valid JSON.
bool ValueReader::describes(const std::string& schema, const char* example) {
  if (!schemas_) return false;
  const auto parsed = parse_jsonc(example);
  ObjectText shown;
  shown.members(schema);
  if (parsed) shown.json("examples", base::ListText().json(to_json(parsed.value(), example)).done());
  schemas_->push_back(shown.done());
  return true;
}

JsonProblem unknown_key(const std::string& where, const JsonMember& member, std::span<const std::string_view> known) {
  std::string message = where + " has no key " + base::json_string(member.key);
  if (const auto meant = nearest_word(member.key, known); !meant.empty()) {
    message += "; did you mean \"" + std::string(meant) + "\"?";
  } else {
    message += "; known keys:";
    for (const auto key : known) message += " " + std::string(key);
  }
  return {member.key_offset, std::move(message)};
}

}  // namespace glovebox::config
