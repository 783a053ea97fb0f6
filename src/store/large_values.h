// Large values by their SHA-256, each once however many refer to it.
#pragma once

#include <string>
#include <string_view>

#include "store/database/database.h"

namespace glovebox::store {

// How a value is kept in a row: inline, or as the hash of one that is kept apart.
struct PlacedValue {
  std::string_view text;
  std::string hash;  // empty: `text` is all of it
};

// Within a write. `value` must outlive the result.
Result<PlacedValue> place_value(Database& database, std::string_view value);
// The value of a row that has `text` and `hash`.
Result<std::string> placed_value(Database& database, std::string text, const std::string& hash);
// Within a write: drops up to `most` values that nothing refers to, and that were not placed for `patience`
// milliseconds.
Result<std::int64_t> drop_unused_values(Database& database, std::int64_t most, std::int64_t patience);

}  // namespace glovebox::store
