#include "types/schema/schema_reader.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "mcp/json/json_tree.h"
#include "mcp/json/schema_index.h"
#include "types/distinct_names.h"
#include "types/limits.h"
#include "types/schema/named_types.h"
#include "types/schema/schema_facts.h"
#include "types/typescript_text.h"

namespace glovebox::types {
namespace {

namespace json = boost::json;
using mcp::array_member;
using mcp::member;
using mcp::object_member;
using mcp::SchemaResource;
using mcp::string_member;
using Kind = Type::Kind;

std::string_view view(json::string_view text) {
  return {text.data(), text.size()};
}

// The kinds of JSON values that may be meant, as a set.
using Kinds = unsigned;
constexpr Kinds kNullKind = 1;
constexpr Kinds kBooleanKind = 2;
constexpr Kinds kIntegerKind = 4;  // whole numbers
constexpr Kinds kNumberKind = 8;   // other numbers
constexpr Kinds kStringKind = 16;
constexpr Kinds kArrayKind = 32;
constexpr Kinds kObjectKind = 64;
constexpr Kinds kAllKinds = 127;

Kinds kinds_of_word(std::string_view word) {
  if (word == "null") return kNullKind;
  if (word == "boolean") return kBooleanKind;
  if (word == "integer") return kIntegerKind;
  if (word == "number") return kIntegerKind | kNumberKind;
  if (word == "string") return kStringKind;
  if (word == "array") return kArrayKind;
  if (word == "object") return kObjectKind;
  return 0;
}

Kinds kinds_of_value(const json::value& value) {
  if (value.is_null()) return kNullKind;
  if (value.is_bool()) return kBooleanKind;
  if (value.is_string()) return kStringKind;
  if (value.is_array()) return kArrayKind;
  if (value.is_object()) return kObjectKind;
  return kIntegerKind | kNumberKind;
}

// The kinds that `type` names; all where it is absent or unknown.
Kinds kinds_of_type(const json::object& schema) {
  const json::value* type = member(schema, "type");
  Kinds kinds = 0;
  if (const json::string* one = type ? type->if_string() : nullptr) kinds = kinds_of_word(view(*one));
  if (const json::array* several = type ? type->if_array() : nullptr)
    for (const json::value& one : *several)
      if (const json::string* word = one.if_string()) kinds |= kinds_of_word(view(*word));
  if (kinds == 0) return kAllKinds;
  const json::value* nullable = member(schema, "nullable");
  return nullable && nullable->is_bool() && nullable->get_bool() ? kinds | kNullKind : kinds;
}

bool has_any(const json::object& schema, std::initializer_list<std::string_view> keys) {
  return std::any_of(keys.begin(), keys.end(), [&](std::string_view key) { return member(schema, key) != nullptr; });
}

bool speaks_of_objects(const json::object& schema) {
  return has_any(schema, {"properties", "patternProperties", "additionalProperties", "required"});
}

bool speaks_of_arrays(const json::object& schema) {
  return has_any(schema, {"items", "prefixItems"});
}

// In TypeScript every object has these, as functions; a property of such a name can have no other type.
bool is_on_every_object(std::string_view name) {
  static const std::set<std::string_view> names = {"constructor",    "toString",      "toLocaleString",      "valueOf",
                                                   "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"};
  return names.contains(name);
}

// State shared by the schemas of one tool.
struct Work {
  ToolModel model;
  std::size_t budget = kMostSchemas;
  DistinctNames names;
};

// One schema text.
class SchemaReader {
 public:
  SchemaReader(Work& work, std::string root_name)
      : work_(work), model_(work.model), budget_(work.budget), root_name_(std::move(root_name)) {}

  Type read(const std::string& text, Kinds kinds) {
    auto tree = mcp::parse_tree(text);
    if (!tree) return Type::any("the schema cannot be read");
    index_.text = std::move(tree).value();
    index_.pattern_budget = 0;
    if (!index_.read()) return Type::any("the schema cannot be read");
    return type_of(index_.text, *index_.resources.front(), kinds, 0);
  }

 private:
  struct Entry {
    std::size_t name;
    bool is_under_way = true;
  };

  Type type_of(const json::value& schema, const SchemaResource& outer, Kinds wanted, int depth) {
    if (schema.is_bool()) return schema.get_bool() ? whole(wanted) : Type::of(Kind::kNever);
    const json::object* keywords = schema.if_object();
    if (!keywords) return Type::any("the schema cannot be read");
    if (depth >= kMostDepth) return Type::any("nested too deeply");
    if (budget_ == 0) return Type::any("the schema is too large");
    --budget_;
    const auto known = index_.resource_of.find(&schema);
    const SchemaResource& resource = known == index_.resource_of.end() ? outer : *known->second;
    Kinds kinds = wanted & kinds_of(schema, resource, 0);
    if (kinds == 0) return Type::of(Kind::kNever);
    const auto reference = string_member(*keywords, "$ref");
    if (reference && index_.old_dialect) return reference_of(resource, *reference);
    if (kinds == kAllKinds) {
      const Kinds meant =
          (speaks_of_objects(*keywords) ? kObjectKind : 0) | (speaks_of_arrays(*keywords) ? kArrayKind : 0);
      if (meant != 0) kinds = meant;
    }
    if (auto choices = choices_of(*keywords, kinds)) return std::move(*choices);

    std::vector<Type> parts;
    if (reference) parts.push_back(reference_of(resource, *reference));
    for (const char* keyword : {"anyOf", "oneOf"})
      if (const json::array* branches = array_member(*keywords, keyword); branches && !branches->empty())
        parts.push_back(alternatives(*branches, resource, kinds, depth));
    if (const json::array* all = array_member(*keywords, "allOf"))
      for (const json::value& one : *all) parts.push_back(type_of(one, resource, kinds, depth + 1));
    if (const json::value* negated = member(*keywords, "not"); negated && allows_everything(*negated))
      return Type::of(Kind::kNever);

    // The other parts are already limited to these kinds; a bare `type` adds nothing to them.
    const bool is_said = std::any_of(parts.begin(), parts.end(), [](const Type& part) { return !part.is(Kind::kAny); });
    const bool adds = ((kinds & kObjectKind) && speaks_of_objects(*keywords)) ||
                      ((kinds & kArrayKind) && speaks_of_arrays(*keywords));
    if (!is_said || adds) {
      Type own = own_type(*keywords, resource, kinds, depth);
      // The remark of a part that could not be translated is kept with the parts that could.
      parts.insert(parts.begin(), std::move(own));
    }
    return intersection_of(std::move(parts));
  }

  static bool allows_everything(const json::value& schema) {
    return (schema.is_bool() && schema.get_bool()) || (schema.is_object() && schema.get_object().empty());
  }

  // Which kinds can fit. References are followed; a cycle counts as all kinds.
  Kinds kinds_of(const json::value& schema, const SchemaResource& outer, int depth) {
    if (schema.is_bool()) return schema.get_bool() ? kAllKinds : 0;
    const json::object* keywords = schema.if_object();
    if (!keywords || depth >= kMostDepth) return kAllKinds;
    if (const auto known = kinds_.find(&schema); known != kinds_.end()) return known->second;
    kinds_[&schema] = kAllKinds;
    const auto own = index_.resource_of.find(&schema);
    const SchemaResource& resource = own == index_.resource_of.end() ? outer : *own->second;
    Kinds kinds = kAllKinds;
    if (const auto reference = string_member(*keywords, "$ref")) {
      if (const auto target = index_.resolve(resource, *reference))
        kinds = kinds_of(*target->schema, *target->resource, depth + 1);
      if (index_.old_dialect) return kinds_[&schema] = kinds;
    }
    kinds &= kinds_of_type(*keywords);
    if (const json::value* value = member(*keywords, "const")) kinds &= kinds_of_value(*value);
    if (const json::array* choices = array_member(*keywords, "enum")) {
      Kinds any = 0;
      for (const json::value& one : *choices) any |= kinds_of_value(one);
      kinds &= any;
    }
    if (const json::array* all = array_member(*keywords, "allOf"))
      for (const json::value& one : *all) kinds &= kinds_of(one, resource, depth + 1);
    for (const char* keyword : {"anyOf", "oneOf"}) {
      const json::array* branches = array_member(*keywords, keyword);
      if (!branches || branches->empty()) continue;
      Kinds any = 0;
      for (const json::value& one : *branches) any |= kinds_of(one, resource, depth + 1);
      kinds &= any;
    }
    return kinds_[&schema] = kinds;
  }

  // Any value of these kinds.
  static Type whole(Kinds kinds) {
    if (kinds == kAllKinds) return Type::any();
    std::vector<Type> types;
    if (kinds & kStringKind) types.push_back(Type::of(Kind::kString));
    if (kinds & kNumberKind) {
      types.push_back(Type::of(Kind::kNumber));
    } else if (kinds & kIntegerKind) {
      types.push_back(Type::of(Kind::kInteger));
    }
    if (kinds & kBooleanKind) types.push_back(Type::of(Kind::kBoolean));
    if (kinds & kArrayKind) types.push_back({.kind = Kind::kArray, .parts = {Type::any()}});
    if (kinds & kObjectKind) types.push_back({.kind = Kind::kObject, .rest = {Type::any()}});
    if (kinds & kNullKind) types.push_back(Type::of(Kind::kNull));
    return union_of(std::move(types));
  }

  Type own_type(const json::object& schema, const SchemaResource& resource, Kinds kinds, int depth) {
    if (kinds == kAllKinds) return Type::any();
    std::vector<Type> types{whole(kinds & ~(kArrayKind | kObjectKind))};
    if (kinds & kArrayKind) types.push_back(array_type(schema, resource, depth));
    if (kinds & kObjectKind) types.push_back(object_type(schema, resource, depth));
    return union_of(std::move(types));
  }

  // The type with this value as its only one.
  Type exactly(const json::value& value, int depth) {
    if (depth >= kMostDepth || budget_ == 0) return Type::any();
    --budget_;
    if (value.is_null()) return Type::of(Kind::kNull);
    if (const json::array* array = value.if_array()) {
      Type tuple{.kind = Kind::kTuple, .required = array->size()};
      for (const json::value& item : *array) tuple.parts.push_back(exactly(item, depth + 1));
      return tuple;
    }
    if (const json::object* object = value.if_object()) {
      Type type{.kind = Kind::kObject};
      for (const auto& [key, item] : *object) {
        if (key.size() > kMostNameBytes) return whole(kObjectKind);
        type.properties.push_back(
            {.name = std::string(view(key)), .type = exactly(item, depth + 1), .is_required = true});
      }
      return type;
    }
    if (value.is_string() && value.get_string().size() > kMostNameBytes) return Type::of(Kind::kString);
    return {.kind = Kind::kLiteral, .literal = value};
  }

  std::optional<Type> choices_of(const json::object& schema, Kinds kinds) {
    const json::value* only = member(schema, "const");
    const json::array* choices = array_member(schema, "enum");
    if (!only && !choices) return std::nullopt;
    const auto fits = [&](const json::value& value) { return (kinds_of_value(value) & kinds) != 0; };
    if (only) return fits(*only) ? exactly(*only, 0) : Type::of(Kind::kNever);
    if (choices->size() > kMostChoices) {
      Kinds any = 0;
      for (const json::value& one : *choices) any |= kinds_of_value(one);
      return whole(kinds & any);
    }
    std::vector<Type> types;
    for (const json::value& one : *choices)
      if (fits(one)) types.push_back(exactly(one, 0));
    return union_of(std::move(types));
  }

  Type alternatives(const json::array& branches, const SchemaResource& resource, Kinds kinds, int depth) {
    std::vector<Type> types;
    const Type everything = whole(kinds);
    for (const json::value& one : branches) {
      types.push_back(type_of(one, resource, kinds, depth + 1));
      // An alternative that accepts everything makes the union `any`.
      if (same(types.back(), everything)) return Type::any();
    }
    return union_of(std::move(types));
  }

  Type array_type(const json::object& schema, const SchemaResource& resource, int depth) {
    const json::value* items = member(schema, "items");
    const json::array* prefix = array_member(schema, "prefixItems");
    if (items && items->is_array()) {  // draft-07
      prefix = items->if_array();
      items = member(schema, "additionalItems");
    }
    if (!items &&
        !has_any(schema, {"if", "contains", "dependentSchemas", "$dynamicRef", "$ref", "allOf", "anyOf", "oneOf"}))
      items = member(schema, "unevaluatedItems");
    const bool has_no_items = items && items->is_bool() && !items->get_bool();
    if (!prefix || prefix->empty()) {
      if (has_no_items) return {.kind = Kind::kTuple};
      return {.kind = Kind::kArray, .parts = {items ? type_of(*items, resource, kAllKinds, depth + 1) : Type::any()}};
    }
    Type tuple{.kind = Kind::kTuple};
    const double least = mcp::number_member(schema, "minItems").value_or(0);
    const double most = mcp::number_member(schema, "maxItems").value_or(1e9);
    for (const json::value& one : *prefix) {
      if (static_cast<double>(tuple.parts.size()) >= most) break;
      tuple.parts.push_back(type_of(one, resource, kAllKinds, depth + 1));
    }
    const auto count = static_cast<double>(tuple.parts.size());
    tuple.required = static_cast<std::size_t>(std::clamp(least, 0.0, count));
    if (!has_no_items && count < most)
      tuple.rest.push_back(items ? type_of(*items, resource, kAllKinds, depth + 1) : Type::any());
    return tuple;
  }

  Type object_type(const json::object& schema, const SchemaResource& resource, int depth) {
    Type object{.kind = Kind::kObject};
    const json::object* properties = object_member(schema, "properties");
    std::set<std::string, std::less<>> required;
    if (const json::array* names = array_member(schema, "required"))
      for (const json::value& name : *names)
        if (name.is_string()) required.emplace(view(name.get_string()));
    // Unreadable names, or too many of them, leave the object open.
    bool is_complete = true;
    const auto has_room = [&](std::string_view name) {
      const bool has = budget_ > 0 && name.size() <= kMostNameBytes;
      is_complete = is_complete && has;
      return has;
    };
    if (properties) {
      for (const auto& [raw_name, sub] : *properties) {
        const std::string_view name = view(raw_name);
        if (!has_room(name)) continue;
        Property property{.name = std::string(name), .is_required = required.erase(std::string(name)) > 0};
        property.type = type_of(sub, resource, kAllKinds, depth + 1);
        if (is_on_every_object(name)) property.type = Type::any();
        describe(property, sub, resource);
        object.properties.push_back(std::move(property));
      }
    }
    for (const std::string& name : required) {
      if (!has_room(name)) continue;
      --budget_;
      object.properties.push_back({.name = name, .is_required = true});
    }
    object.rest = other_properties(schema, resource, object, depth);
    if (!is_complete) object.rest = {Type::any()};
    return object;
  }

  // The type of properties that are not listed.
  std::vector<Type> other_properties(const json::object& schema, const SchemaResource& resource, const Type& object,
                                     int depth) {
    const json::value* additional = member(schema, "additionalProperties");
    // Which names conditional schemas allow cannot be expressed.
    if (!additional && !has_any(schema, {"if", "dependentSchemas", "$dynamicRef", "$ref", "allOf", "anyOf", "oneOf"}))
      additional = member(schema, "unevaluatedProperties");
    const json::object* patterns = object_member(schema, "patternProperties");
    const bool is_closed = additional && additional->is_bool() && !additional->get_bool();
    std::vector<Type> types;
    if (patterns)
      for (const auto& [pattern, sub] : *patterns) types.push_back(type_of(sub, resource, kAllKinds, depth + 1));
    if (types.empty() && is_closed) return {};
    if (!additional && types.empty()) {
      // Unspecified: closed if it lists names, open if it only says that it is an object.
      const bool is_bare = object.properties.empty() && (depth > 0 || !member(schema, "properties"));
      return is_bare ? std::vector<Type>{Type::any()} : std::vector<Type>{};
    }
    if (!is_closed) types.push_back(additional ? type_of(*additional, resource, kAllKinds, depth + 1) : Type::any());
    // An index signature also constrains the listed properties, so beside them it can only be `any`.
    if (!object.properties.empty()) return {Type::any()};
    return {union_of(std::move(types))};
  }

  void describe(Property& property, const json::value& schema, const SchemaResource& resource) const {
    const json::object* keywords = schema.if_object();
    if (!keywords) return;
    property.description = description_of(*keywords);
    property.facts = facts_of(*keywords);
    const auto reference = string_member(*keywords, "$ref");
    if (!reference || !property.description.empty()) return;
    const auto target = index_.resolve(resource, *reference);
    const json::object* there = target ? target->schema->if_object() : nullptr;
    if (there) property.description = description_of(*there);
  }

  Type reference_of(const SchemaResource& resource, const std::string& reference) {
    const auto target = index_.resolve(resource, reference);
    if (!target) return Type::any("refers to something that is not in the schema");
    const auto known = entries_.find(target->schema);
    if (known != entries_.end()) {
      if (known->second.is_under_way) model_.names[known->second.name].is_recursive = true;
      return {.kind = Kind::kName, .name = known->second.name};
    }
    if (names_under_way_ >= kMostNamesUnderWay) return Type::any("too many references");
    const std::size_t name = model_.names.size();
    model_.names.push_back({.name = free_name(reference)});
    entries_[target->schema] = {name};
    if (const json::object* keywords = target->schema->if_object())
      model_.names[name].description = description_of(*keywords);
    ++names_under_way_;
    Type type = type_of(*target->schema, *target->resource, kAllKinds, 0);
    --names_under_way_;
    model_.names[name].type = std::move(type);
    entries_[target->schema].is_under_way = false;
    return {.kind = Kind::kName, .name = name};
  }

  // Named after the last step of the reference: #/$defs/Node is Node.
  std::string free_name(const std::string& reference) {
    const std::size_t last = reference.find_last_of("/#");
    const std::string step = last == reference.npos ? reference : reference.substr(last + 1);
    return work_.names.take(step.empty() ? root_name_ : plain_word(step));
  }

  Work& work_;
  ToolModel& model_;
  std::size_t& budget_;
  std::string root_name_;
  mcp::SchemaIndex index_;
  std::unordered_map<const json::value*, Kinds> kinds_;
  std::unordered_map<const json::value*, Entry> entries_;
  int names_under_way_ = 0;
};

bool accepts_nothing(const ToolModel& model, const Type& type, int depth) {
  const auto inner = [&](const Type& part) { return accepts_nothing(model, part, depth + 1); };
  if (depth > kMostDepth) return true;
  switch (type.kind) {
    case Kind::kName: return inner(model.names[type.name].type);
    case Kind::kUnion: return std::any_of(type.parts.begin(), type.parts.end(), inner);
    case Kind::kIntersection: return std::all_of(type.parts.begin(), type.parts.end(), inner);
    case Kind::kObject:
      return std::none_of(type.properties.begin(), type.properties.end(),
                          [](const Property& property) { return property.is_required; });
    default: return true;
  }
}

}  // namespace

ToolModel read_tool_model(const std::string& input_schema, const std::string& output_schema) {
  Work work;
  ToolModel& model = work.model;
  if (!input_schema.empty()) model.arguments = SchemaReader(work, "Args").read(input_schema, kObjectKind);
  if (!output_schema.empty()) model.result = SchemaReader(work, "Result").read(output_schema, kAllKinds);
  for (Type* type : {&model.arguments, &model.result})
    if (type->is(Kind::kNever)) *type = Type::any("no value matches the schema");
  make_finite(model);
  replace_small_names(model);
  model.may_omit_arguments = accepts_nothing(model, model.arguments, 0);
  return std::move(model);
}

}  // namespace glovebox::types
