#include "mcp/json/schema.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/try.h"
#include "mcp/json/schema_index.h"
#include "mcp/json/schema_values.h"
#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

// Schemas applied to parts of one value. A hostile schema can make the work grow polynomially or worse with its size.
constexpr int kMaxSteps = 300'000;
// What one step costs beyond itself: values compared, names looked up, bytes matched. An enum or a name may be as long
// as the schema, and a step may be repeated for every part of a value.
constexpr std::size_t kMaxWork = 20'000'000;
constexpr int kMaxCheckDepth = 400;

// The parts of one object or array that some successful keyword has evaluated.
struct Evaluated {
  std::set<std::string, std::less<>> properties;
  std::set<std::size_t> items;

  void add(const Evaluated& other) {
    properties.insert(other.properties.begin(), other.properties.end());
    items.insert(other.items.begin(), other.items.end());
  }
};

}  // namespace

// One check of one value.
class SchemaCheck {
 public:
  explicit SchemaCheck(const SchemaIndex& index) : index_(index) {}

  std::optional<SchemaMismatch> run(const json::value& value) {
    Evaluated evaluated;
    scope_.push_back(index_.resources.front().get());
    const bool fits = apply(index_.text, *scope_.front(), value, evaluated);
    // Before anything else: a `not` fits when what it negates was given up.
    if (exhausted_) return SchemaMismatch{"", "the schema takes too long to check"};
    if (fits) return std::nullopt;
    return mismatch_ ? std::move(mismatch_) : SchemaMismatch{"", "does not match the schema"};
  }

 private:
  // For work that is no step of its own. False: it was too much, and the check is over.
  bool spend(std::size_t work) {
    if (work > work_left_) exhausted_ = true;
    work_left_ -= std::min(work, work_left_);
    return !exhausted_;
  }
  bool same(const json::value& a, const json::value& b) {
    std::size_t work = 0;
    const bool is_same = equal(a, b, work);
    return spend(work) && is_same;
  }

  bool fail(std::string message) {
    if (!mismatch_ && trying_ == 0) mismatch_ = SchemaMismatch{path_, std::move(message)};
    return false;
  }

  // Applies without reporting: a failure in one branch is not yet a failure of the value.
  bool attempt(const json::value& schema, const SchemaResource& resource, const json::value& value,
               Evaluated& evaluated) {
    ++trying_;
    const bool fits = apply(schema, resource, value, evaluated);
    --trying_;
    return fits;
  }

  // No alternative fits. The one that gets furthest is probably meant, and its mismatch is reported.
  bool fail_all(const json::array& alternatives, const SchemaResource& resource, const json::value& value,
                const char* message) {
    if (mismatch_ || trying_ > 0) return false;
    std::optional<SchemaMismatch> best;
    bool is_tie = false;
    for (const json::value& one : alternatives) {
      Evaluated own;
      (void)apply(one, resource, value, own);
      if (exhausted_) return false;
      auto found = std::exchange(mismatch_, std::nullopt);
      if (!found) continue;
      is_tie = best && best->path.size() == found->path.size() && best->message != found->message;
      if (!best || best->path.size() < found->path.size()) best = std::move(found);
    }
    if (best && !(is_tie && best->path == path_)) mismatch_ = std::move(best);
    return fail(message);
  }

  bool below(std::string_view step, const json::value& schema, const SchemaResource& resource,
             const json::value& value) {
    const std::size_t size = path_.size();
    path_ += '/';
    for (const char c : step) c == '~' ? path_ += "~0" : c == '/' ? path_ += "~1" : path_ += c;
    Evaluated own;
    const bool fits = apply(schema, resource, value, own);
    path_.resize(size);
    return fits;
  }

  bool apply(const json::value& schema, const SchemaResource& outer, const json::value& value, Evaluated& evaluated) {
    if (exhausted_ || ++steps_ > kMaxSteps || depth_ >= kMaxCheckDepth) {
      exhausted_ = true;
      return false;
    }
    if (schema.is_bool()) return schema.get_bool() || fail("is not allowed");
    const json::object* keywords = schema.if_object();
    if (!keywords) return true;
    // The same schema on the same value again: a reference cycle that does not go deeper.
    const std::pair<const void*, const void*> here{&schema, &value};
    if (std::find(under_way_.begin(), under_way_.end(), here) != under_way_.end()) return true;
    const auto known = index_.resource_of.find(&schema);
    const SchemaResource& resource = known == index_.resource_of.end() ? outer : *known->second;
    under_way_.push_back(here);
    scope_.push_back(&resource);
    ++depth_;
    // What a schema has evaluated is visible to the schemas that apply it, and not to its siblings.
    Evaluated own;
    bool fits = keywords_fit(*keywords, resource, value, own);
    if (fits && index_.tracks_evaluation) {
      fits = spend(16 * (own.properties.size() + own.items.size()));
      evaluated.add(own);
    }
    --depth_;
    scope_.pop_back();
    under_way_.pop_back();
    return fits;
  }

  bool keywords_fit(const json::object& schema, const SchemaResource& resource, const json::value& value,
                    Evaluated& evaluated) {
    const auto reference = string_member(schema, "$ref");
    if (reference) {
      if (!spend(reference->size() + resource.uri.size())) return false;
      const auto target = index_.resolve(resource, *reference);
      if (!target) return fail(target.failure().message);
      if (!apply(*target.value().schema, *target.value().resource, value, evaluated)) return false;
      if (index_.old_dialect) return true;
    }
    if (const auto dynamic = string_member(schema, "$dynamicRef")) {
      if (!spend(dynamic->size() + resource.uri.size())) return false;
      const auto target = dynamic_target(resource, *dynamic);
      if (!target) return fail(target.failure().message);
      if (!apply(*target.value().schema, *target.value().resource, value, evaluated)) return false;
    }
    if (!plain_fits(schema, value)) return false;
    if (!combinations_fit(schema, resource, value, evaluated)) return false;
    if (const json::object* object = value.if_object()) {
      if (!object_fits(schema, resource, value, *object, evaluated)) return false;
    }
    if (const json::array* array = value.if_array()) {
      if (!array_fits(schema, resource, *array, evaluated)) return false;
    }
    return true;
  }

  Result<SchemaTarget> dynamic_target(const SchemaResource& resource, std::string_view reference) const {
    SchemaTarget target = GLOVEBOX_TRY(index_.resolve(resource, reference));
    const std::size_t hash = reference.find('#');
    const std::string_view name = hash == reference.npos ? std::string_view() : reference.substr(hash + 1);
    const json::object* object = target.schema->if_object();
    if (!object || string_member(*object, "$dynamicAnchor") != std::string(name)) return target;
    for (const SchemaResource* outer : scope_) {
      const auto found = outer->dynamic_anchors.find(name);
      if (found != outer->dynamic_anchors.end()) return SchemaTarget{found->second, outer};
    }
    return target;
  }

  // Keywords that concern the value alone.
  bool plain_fits(const json::object& schema, const json::value& value) {
    if (const json::value* type = member(schema, "type")) {
      if (const json::string* one = type->if_string()) {
        if (!spend(one->size() / 8)) return false;
        if (!has_type(value, view_of(*one))) return fail("must be " + std::string(view_of(*one)));
      } else if (const json::array* several = type->if_array()) {
        if (!spend(several->size())) return false;
        const bool any = std::any_of(several->begin(), several->end(), [&](const json::value& one) {
          return one.is_string() && has_type(value, view_of(one.get_string()));
        });
        if (!any) return fail("must be one of the types " + shortened(*type));
      }
    }
    if (const json::value* expected = member(schema, "const"); expected && !same(*expected, value))
      return fail("must be " + shortened(*expected));
    if (const json::array* choices = array_member(schema, "enum")) {
      if (std::none_of(choices->begin(), choices->end(),
                       [&](const json::value& one) { return exhausted_ || same(one, value); }) ||
          exhausted_)
        return fail("must be one of " + shortened(*member(schema, "enum")));
    }
    if (value.is_number() && !number_fits(schema, value)) return false;
    if (value.is_string() && !string_fits(schema, value.get_string())) return false;
    return true;
  }

  bool number_fits(const json::object& schema, const json::value& value) {
    const auto limit = [&](std::string_view key) -> const json::value* {
      const json::value* found = member(schema, key);
      return found && found->is_number() ? found : nullptr;
    };
    if (const auto* bound = limit("minimum"); bound && number(value) < number(*bound))
      return fail("must be at least " + shortened(*bound));
    if (const auto* bound = limit("maximum"); bound && number(value) > number(*bound))
      return fail("must be at most " + shortened(*bound));
    if (const auto* bound = limit("exclusiveMinimum"); bound && number(value) <= number(*bound))
      return fail("must be more than " + shortened(*bound));
    if (const auto* bound = limit("exclusiveMaximum"); bound && number(value) >= number(*bound))
      return fail("must be less than " + shortened(*bound));
    if (const auto* factor = limit("multipleOf"); factor && !is_multiple(value, *factor))
      return fail("must be a multiple of " + shortened(*factor));
    return true;
  }

  bool string_fits(const json::object& schema, const json::string& text) {
    if (schema.contains("minLength") || schema.contains("maxLength")) {
      if (!spend(text.size() / 8)) return false;
      if (!count_fits(schema, "minLength", "maxLength", code_points(text), "characters")) return false;
    }
    if (const json::value* pattern = member(schema, "pattern")) {
      if (!spend(32 + text.size())) return false;
      const auto found = index_.patterns.find(pattern);
      if (found != index_.patterns.end() && found->second &&
          !re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *found->second))
        return fail("must match the pattern " + shortened(*pattern));
    }
    return true;
  }

  bool count_fits(const json::object& schema, std::string_view least, std::string_view most, std::size_t count,
                  const char* what) {
    if (const auto bound = number_member(schema, least); bound && static_cast<double>(count) < *bound)
      return fail("must have at least " + shortened(*member(schema, least)) + " " + what);
    if (const auto bound = number_member(schema, most); bound && static_cast<double>(count) > *bound)
      return fail("must have at most " + shortened(*member(schema, most)) + " " + what);
    return true;
  }

  bool combinations_fit(const json::object& schema, const SchemaResource& resource, const json::value& value,
                        Evaluated& evaluated) {
    if (const json::array* all = array_member(schema, "allOf")) {
      for (const json::value& one : *all)
        if (!apply(one, resource, value, evaluated)) return false;
    }
    if (const json::array* any = array_member(schema, "anyOf")) {
      bool fits = false;
      for (const json::value& one : *any) {
        Evaluated own;
        if (!attempt(one, resource, value, own)) continue;
        evaluated.add(own);
        fits = true;
        if (!index_.tracks_evaluation) break;
      }
      if (!fits) return fail_all(*any, resource, value, "matches none of the alternatives of anyOf");
    }
    if (const json::array* one_of = array_member(schema, "oneOf")) {
      int fitting = 0;
      for (const json::value& one : *one_of) {
        Evaluated own;
        if (!attempt(one, resource, value, own)) continue;
        evaluated.add(own);
        ++fitting;
      }
      if (fitting == 0) return fail_all(*one_of, resource, value, "matches none of the alternatives of oneOf");
      if (fitting != 1)
        return fail("must match exactly one alternative of oneOf, but matches " + std::to_string(fitting));
    }
    if (const json::value* negated = member(schema, "not")) {
      Evaluated own;
      if (attempt(*negated, resource, value, own)) return fail("matches a schema that it must not match");
    }
    if (const json::value* condition = member(schema, "if")) {
      Evaluated own;
      const bool holds = attempt(*condition, resource, value, own);
      if (holds) evaluated.add(own);
      const json::value* branch = member(schema, holds ? "then" : "else");
      if (branch && !apply(*branch, resource, value, evaluated)) return false;
    }
    return true;
  }

  bool object_fits(const json::object& schema, const SchemaResource& resource, const json::value& value,
                   const json::object& object, Evaluated& evaluated) {
    if (!count_fits(schema, "minProperties", "maxProperties", object.size(), "properties")) return false;
    if (const json::array* required = array_member(schema, "required")) {
      for (const json::value& name : *required) {
        if (!spend(1 + (name.is_string() ? name.get_string().size() / 8 : 0))) return false;
        if (name.is_string() && !object.contains(name.get_string()))
          return fail("must have the property " + quoted(view_of(name.get_string())));
      }
    }
    if (!dependencies_fit(schema, resource, value, object, evaluated)) return false;
    const json::object* properties = object_member(schema, "properties");
    const json::object* patterns = object_member(schema, "patternProperties");
    const json::value* additional = member(schema, "additionalProperties");
    const json::value* names = member(schema, "propertyNames");
    std::set<std::string, std::less<>> seen;
    for (const auto& [raw_key, item] : object) {
      const std::string_view key = view_of(raw_key);
      bool covered = false;
      if (!spend(1 + key.size() / 8)) return false;
      if (names) {
        const json::value name_value(raw_key);
        if (!below(key, *names, resource, name_value)) return false;
      }
      if (const json::value* sub = properties ? member(*properties, key) : nullptr) {
        covered = true;
        if (!below(key, *sub, resource, item)) return false;
      }
      if (patterns) {
        for (const auto& [pattern, sub] : *patterns) {
          if (!spend(32 + key.size() + pattern.size() / 8)) return false;
          const auto found = index_.key_patterns.find(view_of(pattern));
          if (found == index_.key_patterns.end() || !found->second ||
              !re2::RE2::PartialMatch(re2::StringPiece(key.data(), key.size()), *found->second))
            continue;
          covered = true;
          if (!below(key, sub, resource, item)) return false;
        }
      }
      if (!covered && additional) {
        covered = true;
        if (additional->is_bool() && !additional->get_bool()) return fail("has the unknown property " + quoted(key));
        if (!below(key, *additional, resource, item)) return false;
      }
      if (covered) seen.emplace(key);
    }
    evaluated.properties.insert(seen.begin(), seen.end());
    if (const json::value* rest = member(schema, "unevaluatedProperties")) {
      for (const auto& [raw_key, item] : object) {
        const std::string_view key = view_of(raw_key);
        if (evaluated.properties.contains(key)) continue;
        if (rest->is_bool() && !rest->get_bool()) return fail("has the unknown property " + quoted(key));
        if (!below(key, *rest, resource, item)) return false;
        evaluated.properties.emplace(key);
      }
    }
    return true;
  }

  bool dependencies_fit(const json::object& schema, const SchemaResource& resource, const json::value& value,
                        const json::object& object, Evaluated& evaluated) {
    for (const std::string_view keyword : {"dependentRequired", "dependentSchemas", "dependencies"}) {
      const json::object* dependencies = object_member(schema, keyword);
      if (!dependencies) continue;
      for (const auto& [name, needs] : *dependencies) {
        if (!spend(1 + name.size() / 8 + (needs.is_array() ? needs.get_array().size() : 0))) return false;
        if (!object.contains(name)) continue;
        if (const json::array* others = needs.if_array()) {
          for (const json::value& other : *others)
            if (other.is_string() && !object.contains(other.get_string()))
              return fail("must have the property " + quoted(view_of(other.get_string())) + " because it has " +
                          quoted(view_of(name)));
        } else if (!apply(needs, resource, value, evaluated)) {
          return false;
        }
      }
    }
    return true;
  }

  bool array_fits(const json::object& schema, const SchemaResource& resource, const json::array& array,
                  Evaluated& evaluated) {
    if (!spend(array.size())) return false;
    if (!count_fits(schema, "minItems", "maxItems", array.size(), "items")) return false;
    if (true_member(schema, "uniqueItems") && !unique(array)) return fail("must not have two equal items");
    const json::value* items = member(schema, "items");
    const json::array* prefix = array_member(schema, "prefixItems");
    if (items && items->is_array()) {  // draft-07
      prefix = items->if_array();
      items = member(schema, "additionalItems");
    }
    std::set<std::size_t> seen;
    for (std::size_t i = 0; i < array.size(); ++i) {
      const json::value* sub = prefix && i < prefix->size() ? &(*prefix)[i] : items;
      if (!sub) continue;
      seen.insert(i);
      if (!below(std::to_string(i), *sub, resource, array[i])) return false;
    }
    evaluated.items.insert(seen.begin(), seen.end());
    if (const json::value* wanted = member(schema, "contains")) {
      std::size_t found = 0;
      for (std::size_t i = 0; i < array.size(); ++i) {
        Evaluated own;
        if (!attempt(*wanted, resource, array[i], own)) continue;
        ++found;
        evaluated.items.insert(i);
      }
      const double least = number_member(schema, "minContains").value_or(1);
      const auto most = number_member(schema, "maxContains");
      if (static_cast<double>(found) < least) return fail("must contain more matching items");
      if (most && static_cast<double>(found) > *most) return fail("must contain fewer matching items");
    }
    if (const json::value* rest = member(schema, "unevaluatedItems")) {
      for (std::size_t i = 0; i < array.size(); ++i) {
        if (evaluated.items.contains(i)) continue;
        if (!below(std::to_string(i), *rest, resource, array[i])) return false;
        evaluated.items.insert(i);
      }
    }
    return true;
  }

  bool unique(const json::array& array) {
    for (std::size_t i = 0; i < array.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) {
        if (++steps_ > kMaxSteps) {
          exhausted_ = true;
          return false;
        }
        if (same(array[i], array[k]) || exhausted_) return false;
      }
    return true;
  }

  const SchemaIndex& index_;
  std::vector<const SchemaResource*> scope_;
  std::vector<std::pair<const void*, const void*>> under_way_;
  std::string path_;
  std::optional<SchemaMismatch> mismatch_;
  int trying_ = 0;
  int steps_ = 0;
  std::size_t work_left_ = kMaxWork;
  int depth_ = 0;
  bool exhausted_ = false;
};

Schema::Schema(std::unique_ptr<SchemaIndex> index) : index_(std::move(index)) {}
Schema::Schema(Schema&&) noexcept = default;
Schema& Schema::operator=(Schema&&) noexcept = default;
Schema::~Schema() = default;

Result<Schema> Schema::compile(const json::value& schema) {
  auto index = std::make_unique<SchemaIndex>();
  index->text = schema;
  GLOVEBOX_TRY_VOID(index->read());
  GLOVEBOX_TRY_VOID(index->check_references());
  return Schema(std::move(index));
}

std::optional<SchemaMismatch> Schema::check(const json::value& value) const {
  return SchemaCheck(*index_).run(value);
}

const std::vector<std::string>& Schema::unchecked_patterns() const {
  return index_->unchecked;
}

}  // namespace glovebox::mcp
