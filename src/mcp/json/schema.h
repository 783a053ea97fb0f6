// JSON Schema 2020-12, and draft-07 as tools use it: does a value fit?
//
// Schemas are untrusted. A schema is never fetched from anywhere; references may form cycles; the work for one value is
// bounded. `format` only annotates, as the standard says by default.
#pragma once

#include <boost/json.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::mcp {

struct SchemaIndex;

struct SchemaMismatch {
  std::string path;  // a JSON pointer to the part that does not fit; empty for the whole
  std::string message;
};

class Schema {
 public:
  // Fails when the text is no schema, or refers to something that is not in it.
  static Result<Schema> compile(const boost::json::value& schema);

  Schema(Schema&&) noexcept;
  Schema& operator=(Schema&&) noexcept;
  ~Schema();

  // Nothing when `value` fits.
  std::optional<SchemaMismatch> check(const boost::json::value& value) const;

  // Patterns that our regular expressions cannot express, such as lookahead. They are not checked.
  const std::vector<std::string>& unchecked_patterns() const;

 private:
  explicit Schema(std::unique_ptr<SchemaIndex> index);
  std::unique_ptr<SchemaIndex> index_;
  friend class SchemaCheck;
};

}  // namespace glovebox::mcp
