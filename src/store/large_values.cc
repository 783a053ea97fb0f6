#include "store/large_values.h"

#include "base/digest.h"
#include "base/try.h"
#include "store/damage.h"
#include "store/workflows/workflow_store.h"

namespace glovebox::store {

Result<PlacedValue> place_value(Database& database, std::string_view value) {
  if (value.size() <= kLargeValue) return PlacedValue{value, ""};
  std::string hash = base::sha256_hex(value);
  // Touching an existing value keeps it from being dropped before the row that will refer to it is written.
  auto insert = GLOVEBOX_TRY(
      database.prepare("INSERT INTO large_values (hash, bytes, used) VALUES (?, ?, {now}) ON CONFLICT (hash) DO UPDATE "
                       "SET used = excluded.used"));
  GLOVEBOX_TRY_VOID(insert.bind(hash).bind_blob(value).run());
  return PlacedValue{"", std::move(hash)};
}

Result<std::string> placed_value(Database& database, std::string text, const std::string& hash) {
  if (hash.empty()) return text;
  auto row = GLOVEBOX_TRY(database.prepare("SELECT bytes FROM large_values WHERE hash = ?"));
  if (!GLOVEBOX_TRY(row.bind(hash).step())) return damaged("large value");
  std::string bytes = row.text(0);
  if (base::sha256_hex(bytes) != hash) return damaged("large value: it does not match its hash");
  return bytes;
}

Result<std::int64_t> drop_unused_values(Database& database, std::int64_t most, std::int64_t patience) {
  // Whether a writer has placed it again meanwhile is checked on the row itself. Without patience the clock does not
  // count: it may have been set back.
  auto remove = GLOVEBOX_TRY(database.prepare(
      "DELETE FROM large_values WHERE (?1 = 0 OR used < {now} - ?1) AND hash IN (SELECT hash FROM large_values WHERE "
      "(?1 = 0 OR used < {now} - ?1) AND NOT EXISTS (SELECT 1 FROM workflow_tasks WHERE "
      "output_hash <> '' AND output_hash = large_values.hash) AND NOT EXISTS (SELECT 1 FROM workflow_events WHERE "
      "payload_hash <> '' AND payload_hash = "
      "large_values.hash) AND NOT EXISTS (SELECT 1 FROM workflow_checkpoints WHERE state_hash <> '' AND state_hash = "
      "large_values.hash) LIMIT ?2)"));
  return remove.bind(patience).bind(most).changed();
}

}  // namespace glovebox::store
