// What a schema says about the shape of a value, in terms that TypeScript and Python both have.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace glovebox::types {

struct Property;

struct Type {
  enum class Kind {
    kAny,
    kNever,
    kNull,
    kBoolean,
    kInteger,
    kNumber,
    kString,
    kLiteral,       // `literal`: a string, number or boolean
    kArray,         // of parts[0]
    kTuple,         // parts, of which the first `required` must be there; `rest` has one type if there may be more
    kObject,        // properties; `rest` has one type if other names are allowed
    kUnion,         // of parts, at least two
    kIntersection,  // of parts, at least two
    kName,          // names[name] of the model
  };

  Kind kind = Kind::kAny;
  std::string remark;  // of kAny: why there is no better type
  boost::json::value literal;
  std::vector<Type> parts;
  std::vector<Type> rest;
  std::vector<Property> properties;
  std::size_t required = 0;
  std::size_t name = 0;

  static Type of(Kind kind);
  static Type any(std::string remark = {});
  bool is(Kind wanted) const { return kind == wanted; }
};

// Something useful to people and agents that no type can express: {"default", "10"}.
struct Fact {
  std::string key;
  std::string value;
};

struct Property {
  std::string name;
  Type type;
  bool is_required = false;
  std::string description;
  std::vector<Fact> facts;
};

struct NamedType {
  std::string name;  // plain, and distinct within its model
  Type type;
  std::string description;
  bool is_recursive = false;
};

// The types of one tool.
struct ToolModel {
  Type arguments;
  bool may_omit_arguments = true;
  Type result;
  std::vector<NamedType> names;
};

bool same(const Type& a, const Type& b);

// Nodes of the tree, names counted as one.
std::size_t size_of(const Type& type);

// Both simplify `any`, `never` and duplicates.
Type union_of(std::vector<Type> parts);
Type intersection_of(std::vector<Type> parts);

}  // namespace glovebox::types
