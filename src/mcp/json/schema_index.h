// What Schema derives from its text before it sees a value: where references lead, and compiled patterns.
#pragma once

#include <re2/re2.h>

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "mcp/json/json_tree.h"
#include "mcp/json/schema.h"

namespace glovebox::mcp {

// A schema with an $id, or the whole text: what a reference that starts with # is relative to.
struct SchemaResource {
  std::string uri;
  const json::value* root = nullptr;
  std::map<std::string, const json::value*, std::less<>> anchors;
  std::map<std::string, const json::value*, std::less<>> dynamic_anchors;
};

struct SchemaTarget {
  const json::value* schema = nullptr;
  const SchemaResource* resource = nullptr;
};

struct SchemaIndex {
  json::value text;
  bool old_dialect = false;  // draft-07 or before: a $ref overrides its siblings
  bool tracks_evaluation = false;
  std::vector<std::unique_ptr<SchemaResource>> resources;
  std::map<std::string, SchemaResource*, std::less<>> by_uri;
  std::unordered_map<const json::value*, SchemaResource*> resource_of;
  std::unordered_map<const json::value*, std::unique_ptr<re2::RE2>> patterns;  // by the value that holds the text
  std::map<std::string, std::unique_ptr<re2::RE2>, std::less<>> key_patterns;
  std::vector<std::string> unchecked;
  // What compiling patterns may still cost, in instructions of the compiled patterns: an untrusted server's thousand
  // patterns with counted repetitions would take seconds. Zero for callers that need no patterns.
  int pattern_budget = 50'000;
  // Bytes that all $id together may have once they are resolved: each repeats the one around it, so that thousands of
  // short ones within a long one would be thousands of long ones.
  std::size_t uri_budget = 1 << 20;

  // Finds resources, anchors and patterns in `text`, which must stay where it is.
  Result<void> read();
  // Fails when a reference cannot be resolved.
  Result<void> check_references() const { return check_references(text, 1); }
  Result<SchemaTarget> resolve(const SchemaResource& from, std::string_view reference) const;

 private:
  // `is_schema`: within unknown keywords, $id and anchors do not count.
  Result<void> visit(const json::value& node, SchemaResource* resource, bool is_schema, int depth);
  Result<void> check_references(const json::value& node, int depth) const;
  std::unique_ptr<re2::RE2> pattern(std::string_view text);
};

}  // namespace glovebox::mcp
