#include "mcp/json/schema_index.h"

#include <set>

#include "base/characters/ascii.h"
#include "base/characters/percent.h"
#include "base/try.h"
#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

Failure broken_schema(const std::string& what) {
  return {ErrorCode::kInvalidArgument, "the schema " + what};
}

// Keywords whose values are data, in which nothing is a schema.
bool holds_data(std::string_view keyword) {
  return keyword == "const" || keyword == "enum" || keyword == "default" || keyword == "examples";
}

// Keywords whose values are schemas or lists of them. Those that map names to schemas are visited on their own.
bool holds_schemas(std::string_view keyword) {
  static const std::set<std::string_view> keywords = {"additionalItems",
                                                      "additionalProperties",
                                                      "allOf",
                                                      "anyOf",
                                                      "contains",
                                                      "contentSchema",
                                                      "else",
                                                      "if",
                                                      "items",
                                                      "not",
                                                      "oneOf",
                                                      "prefixItems",
                                                      "propertyNames",
                                                      "then",
                                                      "unevaluatedItems",
                                                      "unevaluatedProperties"};
  return keywords.contains(keyword);
}

// `reference` against `base`, as far as schemas in one text need it.
std::string resolve_uri(std::string_view base, std::string_view reference) {
  const std::size_t colon = reference.find(':');
  if (colon != reference.npos && reference.find('/') > colon) return std::string(reference);
  if (reference.empty()) return std::string(base);
  const std::size_t scheme = base.find("://");
  if (reference.front() == '/' && scheme != base.npos)
    return std::string(base.substr(0, base.find('/', scheme + 3))) + std::string(reference);
  const std::size_t slash = base.rfind('/');
  if (slash == base.npos) return std::string(reference);
  return std::string(base.substr(0, slash + 1)) + std::string(reference);
}

const json::value* at_pointer(const json::value& root, std::string_view pointer) {
  const json::value* at = &root;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = pointer.find('/');
    std::string step;
    const std::string_view raw = pointer.substr(0, end);
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const bool escaped = raw[i] == '~' && i + 1 < raw.size();
      step += escaped ? (raw[++i] == '1' ? '/' : '~') : raw[i];
    }
    pointer.remove_prefix(end == pointer.npos ? pointer.size() : end);
    if (const json::object* object = at->if_object()) {
      at = member(*object, step);
    } else if (const json::array* array = at->if_array()) {
      if (step.size() > 6 || !base::is_number(step)) return nullptr;
      const std::size_t index = std::stoul(step);
      at = index < array->size() ? &(*array)[index] : nullptr;
    } else {
      return nullptr;
    }
    if (!at) return nullptr;
  }
  return at;
}

}  // namespace

std::unique_ptr<re2::RE2> SchemaIndex::pattern(std::string_view text) {
  // A pattern that does not compile costs something, too.
  constexpr int kCostOfFailure = 1'000;
  if (pattern_budget <= 0) {
    unchecked.emplace_back(text);
    return nullptr;
  }
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  auto expression = std::make_unique<re2::RE2>(re2::StringPiece(text.data(), text.size()), options);
  pattern_budget -= expression->ok() ? expression->ProgramSize() : kCostOfFailure;
  if (expression->ok()) return expression;
  unchecked.emplace_back(text);
  return nullptr;
}

Result<void> SchemaIndex::read() {
  if (!text.is_object() && !text.is_bool()) return broken_schema("is neither an object nor a boolean");
  if (const json::object* object = text.if_object()) {
    const auto dialect = string_member(*object, "$schema");
    old_dialect = dialect && (dialect->find("draft-07") != dialect->npos ||
                              dialect->find("draft-06") != dialect->npos || dialect->find("draft-04") != dialect->npos);
  }
  resources.push_back(std::make_unique<SchemaResource>(SchemaResource{.uri = {}, .root = &text}));
  by_uri[""] = resources.front().get();
  return visit(text, resources.front().get(), true, 1);
}

Result<void> SchemaIndex::visit(const json::value& node, SchemaResource* resource, bool is_schema, int depth) {
  if (depth > kMaxMessageDepth) return broken_schema("is nested too deeply");
  if (const json::array* array = node.if_array()) {
    for (const json::value& item : *array) GLOVEBOX_TRY_VOID(visit(item, resource, is_schema, depth + 1));
    return {};
  }
  const json::object* object = node.if_object();
  if (!object) return {};
  const auto reference = string_member(*object, "$ref");
  if (const auto id = string_member(*object, "$id"); id && is_schema && !(old_dialect && reference)) {
    const std::size_t hash = id->find('#');
    if (id->size() + resource->uri.size() > uri_budget) return broken_schema("has too many $id, or a long one");
    uri_budget -= id->size() + resource->uri.size();
    const std::string uri = resolve_uri(resource->uri, std::string_view(*id).substr(0, hash));
    if (hash != id->npos && hash + 1 < id->size()) {
      resource->anchors[id->substr(hash + 1)] = &node;  // draft-07's way to name a place
    } else if (&node == resource->root && resource->uri.empty()) {
      resource->uri = uri;
      by_uri[uri] = resource;
    } else {
      resources.push_back(std::make_unique<SchemaResource>(SchemaResource{.uri = uri, .root = &node}));
      resource = resources.back().get();
      by_uri[uri] = resource;
    }
  }
  resource_of[&node] = resource;
  if (const auto anchor = string_member(*object, "$anchor"); anchor && is_schema) resource->anchors[*anchor] = &node;
  if (const auto anchor = string_member(*object, "$dynamicAnchor"); anchor && is_schema) {
    resource->anchors[*anchor] = &node;
    resource->dynamic_anchors[*anchor] = &node;
  }
  for (const auto& [raw_key, value] : *object) {
    const std::string_view key = view_of(raw_key);
    if (holds_data(key)) continue;
    if (key == "unevaluatedProperties" || key == "unevaluatedItems") tracks_evaluation = true;
    if (key == "pattern" && value.is_string()) patterns[&value] = pattern(view_of(value.get_string()));
    if (key == "patternProperties" && value.is_object()) {
      for (const auto& [name, sub] : value.get_object()) {
        const std::string_view text_of = view_of(name);
        if (!key_patterns.contains(text_of)) key_patterns[std::string(text_of)] = pattern(text_of);
        GLOVEBOX_TRY_VOID(visit(sub, resource, is_schema, depth + 2));
      }
      continue;
    }
    const bool named = key == "properties" || key == "$defs" || key == "definitions" || key == "dependentSchemas" ||
                       key == "dependencies";
    if (named && value.is_object()) {
      // The names are the schema's own: a property may be called $id or enum.
      for (const auto& [name, sub] : value.get_object()) GLOVEBOX_TRY_VOID(visit(sub, resource, is_schema, depth + 2));
      continue;
    }
    GLOVEBOX_TRY_VOID(visit(value, resource, is_schema && holds_schemas(key), depth + 1));
  }
  return {};
}

Result<void> SchemaIndex::check_references(const json::value& node, int depth) const {
  if (const json::array* array = node.if_array()) {
    for (const json::value& item : *array) GLOVEBOX_TRY_VOID(check_references(item, depth + 1));
    return {};
  }
  const json::object* object = node.if_object();
  if (!object) return {};
  const auto resource = resource_of.find(&node);
  for (const auto& [raw_key, value] : *object) {
    const std::string_view key = view_of(raw_key);
    if (holds_data(key)) continue;
    if (resource != resource_of.end() && (key == "$ref" || key == "$dynamicRef") && value.is_string())
      (void)GLOVEBOX_TRY(resolve(*resource->second, view_of(value.get_string())));
    GLOVEBOX_TRY_VOID(check_references(value, depth + 1));
  }
  return {};
}

Result<SchemaTarget> SchemaIndex::resolve(const SchemaResource& from, std::string_view reference) const {
  const std::size_t hash = reference.find('#');
  const SchemaResource* resource = &from;
  if (hash != 0) {
    const auto found = by_uri.find(resolve_uri(from.uri, reference.substr(0, hash)));
    if (found == by_uri.end()) return broken_schema("refers to \"" + std::string(reference) + "\", which is not in it");
    resource = found->second;
  }
  SchemaTarget target{resource->root, resource};
  if (hash != reference.npos && hash + 1 < reference.size()) {
    const auto fragment = base::percent_decoded(reference.substr(hash + 1));
    target.schema = nullptr;
    if (fragment && fragment->front() == '/') {
      target.schema = at_pointer(*resource->root, *fragment);
    } else if (fragment) {
      const auto anchor = resource->anchors.find(*fragment);
      if (anchor != resource->anchors.end()) target.schema = anchor->second;
    }
  }
  if (!target.schema || !(target.schema->is_object() || target.schema->is_bool()))
    return broken_schema("refers to \"" + std::string(reference) + "\", which is not in it");
  // A pointer may lead into a resource of its own.
  if (const auto own = resource_of.find(target.schema); own != resource_of.end()) target.resource = own->second;
  return target;
}

}  // namespace glovebox::mcp
