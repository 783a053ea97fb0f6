// Values of a config file, read by their type, with messages for what is wrong.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/jsonc.h"

namespace glovebox::config {

// A larger value is a mistake.
inline constexpr std::int64_t kMostMilliseconds = 1'000'000'000'000;

class ValueReader {
 public:
  // `path` names the value in messages: sandbox.timeoutMs.
  ValueReader(std::string path, std::vector<JsonProblem>& problems) : path_(std::move(path)), problems_(&problems) {}
  // One that reads nothing: code that reads a value with it thereby declares what the value must be, and gets nothing.
  // So the schema of a config is derived from its parser (config/schema/schema_object.h).
  explicit ValueReader(std::vector<std::string>& schemas) : schemas_(&schemas) {}

  // Each adds to the problems and returns nothing when the value does not fit.
  std::optional<std::int64_t> number(const JsonNode& node, std::int64_t most, const char* example,
                                     std::int64_t least = 1);
  std::optional<bool> truth(const JsonNode& node);
  std::optional<std::string> text(const JsonNode& node, const char* example);
  std::optional<std::vector<std::string>> list(const JsonNode& node, const char* example, bool may_be_empty = false);
  // Also those that cannot be parsed, with a problem each.
  std::optional<std::vector<std::string>> tool_patterns(const JsonNode& node, const char* example);
  // One of these.
  std::optional<std::string> word(const JsonNode& node, std::initializer_list<std::string_view> words);
  // Names with texts; numbers are kept as written.
  std::optional<std::map<std::string, std::string>> texts_by_name(const JsonNode& node, const char* example);
  std::optional<std::map<std::string, std::int64_t>> numbers_by_name(const JsonNode& node, std::int64_t most,
                                                                     const char* example);
  const JsonObject* object(const JsonNode& node, const char* example);

  // For the schema alone: what else the value may be.
  void also(const std::string& schema);
  // Declares what the value must be, when reading for the schema. False when it is really read.
  bool describes(const std::string& schema, const char* example);
  // For a member of the value: http.oauth.scope.
  ValueReader of(const std::string& key) const;
  std::nullopt_t refuse(std::size_t offset, const std::string& why);

 private:
  std::string path_;
  std::vector<JsonProblem>* problems_ = nullptr;
  std::vector<std::string>* schemas_ = nullptr;  // in place of problems: what the value may be
};

// Reports that `where` has no such key, and which one was probably meant.
JsonProblem unknown_key(const std::string& where, const JsonMember& member, std::span<const std::string_view> known);

}  // namespace glovebox::config
