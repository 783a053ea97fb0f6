#include "types/schema/type_model.h"

#include <algorithm>
#include <optional>

namespace glovebox::types {
namespace {

using Kind = Type::Kind;

bool all_same(const std::vector<Type>& a, const std::vector<Type>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

void add_unless_there(std::vector<Type>& types, Type type) {
  const bool known = std::any_of(types.begin(), types.end(), [&](const Type& one) { return same(one, type); });
  if (!known) types.push_back(std::move(type));
}

// Two plain objects as one: equivalent to their intersection, and shorter to read.
Type merged(Type a, Type b) {
  for (Property& property : b.properties) {
    const auto known = std::find_if(a.properties.begin(), a.properties.end(),
                                    [&](const Property& one) { return one.name == property.name; });
    if (known == a.properties.end()) {
      a.properties.push_back(std::move(property));
      continue;
    }
    std::vector<Type> both;
    both.push_back(std::move(known->type));
    both.push_back(std::move(property.type));
    known->type = intersection_of(std::move(both));
    known->is_required = known->is_required || property.is_required;
    if (known->description.empty()) known->description = std::move(property.description);
    if (known->facts.empty()) known->facts = std::move(property.facts);
  }
  if (a.rest.empty()) a.rest = std::move(b.rest);
  // An index signature also constrains the named properties, so beside them it can only be `any`.
  if (!a.rest.empty() && !a.properties.empty()) a.rest = {Type::any()};
  return a;
}

}  // namespace

Type Type::of(Kind kind) {
  return {.kind = kind};
}

Type Type::any(std::string remark) {
  return {.kind = Kind::kAny, .remark = std::move(remark)};
}

bool same(const Type& a, const Type& b) {
  if (a.kind != b.kind || a.name != b.name || a.required != b.required) return false;
  if (a.is(Kind::kLiteral) && a.literal != b.literal) return false;
  if (!all_same(a.parts, b.parts) || !all_same(a.rest, b.rest)) return false;
  return std::equal(a.properties.begin(), a.properties.end(), b.properties.begin(), b.properties.end(),
                    [](const Property& one, const Property& other) {
                      return one.name == other.name && one.is_required == other.is_required &&
                             same(one.type, other.type);
                    });
}

std::size_t size_of(const Type& type) {
  std::size_t size = 1;
  for (const Type& part : type.parts) size += size_of(part);
  for (const Type& part : type.rest) size += size_of(part);
  for (const Property& property : type.properties) size += size_of(property.type);
  return size;
}

Type union_of(std::vector<Type> parts) {
  std::vector<Type> kept;
  for (Type& part : parts) {
    if (part.is(Kind::kAny)) return std::move(part);
    if (part.is(Kind::kNever)) continue;
    if (part.is(Kind::kUnion)) {
      for (Type& inner : part.parts) add_unless_there(kept, std::move(inner));
    } else {
      add_unless_there(kept, std::move(part));
    }
  }
  if (kept.empty()) return Type::of(Kind::kNever);
  if (kept.size() == 1) return std::move(kept.front());
  // null reads best at the end.
  std::stable_partition(kept.begin(), kept.end(), [](const Type& one) { return !one.is(Kind::kNull); });
  return {.kind = Kind::kUnion, .parts = std::move(kept)};
}

Type intersection_of(std::vector<Type> parts) {
  std::vector<Type> kept;
  std::optional<Type> object;
  Type any = Type::any();
  for (Type& part : parts) {
    if (part.is(Kind::kNever)) return std::move(part);
    if (part.is(Kind::kAny)) {
      if (any.remark.empty()) any = std::move(part);
    } else if (part.is(Kind::kObject)) {
      object = object ? merged(std::move(*object), std::move(part)) : std::move(part);
    } else if (part.is(Kind::kIntersection)) {
      for (Type& inner : part.parts) {
        if (!inner.is(Kind::kObject)) {
          add_unless_there(kept, std::move(inner));
        } else {
          object = object ? merged(std::move(*object), std::move(inner)) : std::move(inner);
        }
      }
    } else {
      add_unless_there(kept, std::move(part));
    }
  }
  // An object without properties adds nothing to others; alone it allows no properties.
  const bool says_something = object && (kept.empty() || !object->properties.empty() || !object->rest.empty());
  if (says_something) kept.insert(kept.begin(), std::move(*object));
  if (kept.empty()) return any;
  if (kept.size() == 1) return std::move(kept.front());
  return {.kind = Kind::kIntersection, .parts = std::move(kept)};
}

}  // namespace glovebox::types
