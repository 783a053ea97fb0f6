#include "types/schema/named_types.h"

#include <algorithm>
#include <functional>

#include "types/limits.h"

namespace glovebox::types {
namespace {

using Kind = Type::Kind;

void for_each_child(Type& type, const std::function<void(Type&)>& visit) {
  for (Type& part : type.parts) visit(part);
  for (Type& part : type.rest) visit(part);
  for (Property& property : type.properties) visit(property.type);
}

bool is_combination(const Type& type) {
  return type.is(Kind::kUnion) || type.is(Kind::kIntersection);
}

void simplify(Type& type) {
  if (type.is(Kind::kUnion)) type = union_of(std::move(type.parts));
  if (type.is(Kind::kIntersection)) type = intersection_of(std::move(type.parts));
}

// Follows names as long as they refer to other names without an object or array in between.
class SelfReferences {
 public:
  explicit SelfReferences(std::vector<NamedType>& names) : names_(names), states_(names.size(), State::kNew) {}

  void cut() {
    for (std::size_t i = 0; i < names_.size(); ++i) visit(i);
  }

 private:
  enum class State { kNew, kUnderWay, kDone };

  void visit(std::size_t name) {
    if (states_[name] != State::kNew) return;
    states_[name] = State::kUnderWay;
    follow(names_[name].type);
    states_[name] = State::kDone;
  }

  void follow(Type& type) {
    if (type.is(Kind::kName)) {
      if (states_[type.name] == State::kUnderWay) {
        type = Type::any("refers to itself");
      } else {
        visit(type.name);
      }
    } else if (is_combination(type)) {
      for (Type& part : type.parts) follow(part);
      simplify(type);
    }
  }

  std::vector<NamedType>& names_;
  std::vector<State> states_;
};

class Alternatives {
 public:
  explicit Alternatives(std::vector<NamedType>& names) : names_(names), counts_(names.size(), 0) {}

  void limit(Type& type) {
    for_each_child(type, [this](Type& child) { limit(child); });
    if (count(type) > kMostAlternatives) type = Type::any("too many alternatives");
  }
  void limit_names() {
    for (std::size_t i = 0; i < names_.size(); ++i) count_of_name(i);
  }

 private:
  std::size_t count_of_name(std::size_t name) {
    if (counts_[name] == 0) {
      counts_[name] = 1;  // of itself, deeper down
      limit(names_[name].type);
      counts_[name] = count(names_[name].type);
    }
    return counts_[name];
  }

  std::size_t count(Type& type) {
    if (type.is(Kind::kName)) return count_of_name(type.name);
    if (!is_combination(type)) return 1;
    std::size_t all = type.is(Kind::kUnion) ? 0 : 1;
    for (Type& part : type.parts) {
      const std::size_t one = count(part);
      all = std::min(type.is(Kind::kUnion) ? all + one : all * one, 10 * kMostAlternatives);
    }
    return all;
  }

  std::vector<NamedType>& names_;
  std::vector<std::size_t> counts_;
};

std::size_t depth_of(const Type& type) {
  std::size_t deepest = 0;
  for (const Type& part : type.parts) deepest = std::max(deepest, depth_of(part));
  for (const Type& part : type.rest) deepest = std::max(deepest, depth_of(part));
  for (const Property& property : type.properties) deepest = std::max(deepest, depth_of(property.type));
  return deepest + 1;
}

class Replacement {
 public:
  explicit Replacement(ToolModel& model)
      : model_(model), uses_(model.names.size(), 0), is_ready_(model.names.size(), false) {
    count(model.arguments);
    count(model.result);
    for (NamedType& name : model.names) count(name.type);
  }

  void replace() {
    replace(model_.arguments);
    replace(model_.result);
    drop_unused();
  }

 private:
  void count(Type& type) {
    if (type.is(Kind::kName)) ++uses_[type.name];
    for_each_child(type, [this](Type& child) { count(child); });
  }

  void replace(Type& type) {
    if (!type.is(Kind::kName)) {
      for_each_child(type, [this](Type& child) { replace(child); });
      return simplify(type);
    }
    const std::size_t name = type.name;
    NamedType& named = model_.names[name];
    if (!is_ready_[name]) {
      is_ready_[name] = true;
      replace(named.type);
    }
    if (named.is_recursive) return;
    const std::size_t most = uses_[name] == 1 ? kMostNodesUsedOnce : kMostNodesUsedOften;
    if (size_of(named.type) <= most && depth_of(named.type) <= kMostDepth / 2) type = Type(named.type);
  }

  void drop_unused() {
    std::vector<std::size_t> place(model_.names.size(), 0);
    std::vector<NamedType> kept;
    const std::function<void(Type&)> keep = [&](Type& type) {
      if (type.is(Kind::kName)) {
        const std::size_t name = type.name;
        if (place[name] == 0) {
          kept.push_back({});
          place[name] = kept.size();
          NamedType moved = std::move(model_.names[name]);
          keep(moved.type);
          kept[place[name] - 1] = std::move(moved);
        }
        type.name = place[name] - 1;
      } else {
        for_each_child(type, keep);
      }
    };
    keep(model_.arguments);
    keep(model_.result);
    model_.names = std::move(kept);
  }

  ToolModel& model_;
  std::vector<std::size_t> uses_;
  std::vector<bool> is_ready_;
};

}  // namespace

void make_finite(ToolModel& model) {
  SelfReferences(model.names).cut();
  Alternatives alternatives(model.names);
  alternatives.limit_names();
  alternatives.limit(model.arguments);
  alternatives.limit(model.result);
}

void replace_small_names(ToolModel& model) {
  Replacement(model).replace();
}

}  // namespace glovebox::types
