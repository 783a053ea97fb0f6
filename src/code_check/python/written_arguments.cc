#include "code_check/python/written_arguments.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "code_check/python/written_calls.h"
#include "config/nearest_word.h"

namespace glovebox::code_check {
namespace {

namespace json = boost::json;
using Mistakes = std::vector<ArgumentMistake>;

constexpr std::size_t kMostNames = 12;
constexpr int kMaxDepth = 32;
// A value against a part of a schema. Both may come from people who want this to take long.
constexpr int kMostSteps = 100'000;

std::string listed_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kMostNames ? text + ", …" : text;
}

const json::value* part(const json::value& value, const char* name) {
  return value.is_object() ? value.get_object().if_contains(name) : nullptr;
}

std::string text_part(const json::value& value, const char* name) {
  const json::value* found = part(value, name);
  return found && found->is_string() ? std::string(found->get_string()) : "";
}

bool is_true(const json::value& value, const char* name) {
  const json::value* found = part(value, name);
  return found && found->is_bool() && found->get_bool();
}

const json::array& list_part(const json::value& value, const char* name) {
  static const json::array kNone;
  const json::value* found = part(value, name);
  return found && found->is_array() ? found->get_array() : kNone;
}

bool has_any(const json::object& schema, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return schema.contains(word); });
}

// JSON Schema's word for what is written; empty: not known.
std::string type_of(const json::value& written) {
  constexpr std::array<std::array<const char*, 2>, 7> kWords = {{{"text", "string"},
                                                                 {"integer", "integer"},
                                                                 {"number", "number"},
                                                                 {"truth", "boolean"},
                                                                 {"none", "null"},
                                                                 {"list", "array"},
                                                                 {"dict", "object"}}};
  const std::string kind = text_part(written, "kind");
  for (const auto& [python, schema] : kWords)
    if (kind == python) return schema;
  return "";
}

std::vector<std::string> types_in(const json::object& schema) {
  std::vector<std::string> types;
  const json::value* type = schema.if_contains("type");
  if (type && type->is_string()) types.emplace_back(type->get_string());
  if (type && type->is_array())
    for (const json::value& one : type->get_array())
      if (one.is_string()) types.emplace_back(one.get_string());
  return types;
}

ArgumentMistake mistake_at(const json::array& place, std::string message, std::string suggestion = "") {
  return {std::move(message), position_in(place, 0), position_in(place, 2), std::move(suggestion), ""};
}

// Each of a schema's conditions alone: a value that breaks one of them is wrong, whatever the others say.
class SchemaCheck {
 public:
  // `is_whole`: the schema lists all that a value may have, unless it says otherwise. A part of another one does not.
  SchemaCheck(bool is_whole, int& steps_left) : is_whole_(is_whole), steps_left_(steps_left) {}

  // `what`: how a message calls the value.
  Mistakes value(const json::value& written, const json::value& schema, const std::string& what, int depth) const {
    const std::string type = type_of(written);
    if (type.empty() || !schema.is_object() || depth > kMaxDepth || --steps_left_ < 0) return {};
    const json::object& rules = schema.get_object();
    // What stands beside a reference means something in some drafts and nothing in others.
    if (rules.contains("$ref")) return {};
    const std::vector<std::string> types = types_in(rules);
    const bool fits = types.empty() || std::find(types.begin(), types.end(), type) != types.end() ||
                      (type == "integer" && std::find(types.begin(), types.end(), "number") != types.end());
    if (!fits)
      return {mistake_at(list_part(written, "at"), what + " must be " + listed_names(types) + ", not " + type)};
    Mistakes found = choice(written, rules, what);
    for (const char* several : {"anyOf", "oneOf"}) add(found, alternatives(written, rules, several, what, depth));
    for (const json::value& one : list_part(schema, "allOf"))
      add(found, SchemaCheck(false, steps_left_).value(written, one, what, depth + 1));
    if (type == "object") add(found, members(written, rules, what, depth));
    if (type == "array") add(found, items(written, rules, what, depth));
    return found;
  }

  Mistakes members(const json::value& written, const json::object& rules, const std::string& what, int depth) const {
    Mistakes found;
    const json::value* const more = rules.if_contains("additionalProperties");
    const json::value* const properties = rules.if_contains("properties");
    const bool has_names = properties && properties->is_object();
    // As the declarations have it: what is not listed is a mistake, unless the schema says otherwise.
    const bool takes_more =
        (more ? !more->is_bool() || more->get_bool() : !has_names || !is_whole_) ||
        has_any(rules, {"anyOf", "oneOf", "allOf", "patternProperties", "if", "not", "unevaluatedProperties"});
    std::vector<std::string> given;
    for (const json::value& entry : list_part(written, "names")) {
      if (!entry.is_array() || entry.get_array().size() != 3 || !entry.get_array()[0].is_string()) continue;
      const json::array& named = entry.get_array();
      given.emplace_back(named[0].get_string());
      const std::string& name = given.back();
      const json::array no_place;
      const json::array& place = named[1].is_array() ? named[1].get_array() : no_place;
      const json::value* const rule = has_names ? properties->get_object().if_contains(name) : nullptr;
      if (rule)
        add(found, value(named[2], *rule, name + " of " + what, depth + 1));
      else if (!takes_more)
        found.push_back(unknown_name(name, place, properties, what, depth));
    }
    if (is_true(written, "is_open")) return found;
    std::vector<std::string> missing;
    for (const json::value& name : list_part(rules, "required"))
      if (name.is_string() && std::find(given.begin(), given.end(), std::string(name.get_string())) == given.end())
        missing.emplace_back(name.get_string());
    if (!missing.empty())
      found.push_back(mistake_at(list_part(written, "at"), what + " needs " + listed_names(missing)));
    return found;
  }

 private:
  static void add(Mistakes& all, Mistakes more) { std::move(more.begin(), more.end(), std::back_inserter(all)); }

  static const json::array& list_part(const json::object& object, const char* name) {
    static const json::array kNone;
    const json::value* found = object.if_contains(name);
    return found && found->is_array() ? found->get_array() : kNone;
  }
  static const json::array& list_part(const json::value& value, const char* name) {
    return code_check::list_part(value, name);
  }

  static ArgumentMistake unknown_name(const std::string& name, const json::array& place, const json::value* properties,
                                      const std::string& what, int depth) {
    std::vector<std::string> names;
    if (properties && properties->is_object())
      for (const auto& property : properties->get_object()) names.emplace_back(property.key());
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    const std::string meant(config::nearest_word(name, candidates));
    ArgumentMistake mistake =
        mistake_at(place,
                   what + " takes no " + (depth == 0 ? "argument" : "member") + " '" + name + "'; " +
                       (!meant.empty()  ? "did you mean " + meant + "?"
                        : names.empty() ? "it takes no arguments"
                                        : "it takes " + listed_names(names)),
                   meant);
    mistake.name = name;
    return mistake;
  }

  static Mistakes choice(const json::value& written, const json::object& rules, const std::string& what) {
    const json::array& values = list_part(rules, "enum");
    const json::value* const text = part(written, "text");
    if (values.empty() || !text || !text->is_string()) return {};
    std::vector<std::string> known;
    for (const json::value& value : values) {
      if (value == *text) return {};
      known.push_back(json::serialize(value));
    }
    return {mistake_at(list_part(written, "at"), what + " must be one of " + listed_names(known))};
  }

  // Wrong if each of them is broken; then the one that comes nearest says why.
  Mistakes alternatives(const json::value& written, const json::object& rules, const char* word,
                        const std::string& what, int depth) const {
    Mistakes nearest;
    for (const json::value& one : list_part(rules, word)) {
      Mistakes found = SchemaCheck(false, steps_left_).value(written, one, what, depth + 1);
      if (found.empty()) return {};
      const bool is_of_this_type = one.is_object() && [&] {
        const std::vector<std::string> types = types_in(one.get_object());
        return std::find(types.begin(), types.end(), type_of(written)) != types.end();
      }();
      if (nearest.empty() || is_of_this_type) nearest = std::move(found);
    }
    return nearest;
  }

  Mistakes items(const json::value& written, const json::object& rules, const std::string& what, int depth) const {
    Mistakes found;
    const json::value* const rule = rules.if_contains("items");
    if (!rule || !rule->is_object() || rules.contains("prefixItems")) return found;
    for (const json::value& item : list_part(written, "items"))
      add(found, value(item, *rule, "an item of " + what, depth + 1));
    return found;
  }

  bool is_whole_;
  int& steps_left_;
};

}  // namespace

std::vector<ArgumentMistake> argument_mistakes(const json::value& written, const std::string& schema_json,
                                               const std::string& label) {
  boost::system::error_code error;
  const json::value schema = json::parse(schema_json, error);
  if (error || !schema.is_object() || schema.get_object().contains("$ref")) return {};
  int steps_left = kMostSteps;
  return SchemaCheck(true, steps_left).value(written, schema, label, 0);
}

}  // namespace glovebox::code_check
