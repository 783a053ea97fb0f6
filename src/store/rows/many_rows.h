// An INSERT of several rows by one statement. There is one for each small number of rows, and each is prepared once.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/try.h"
#include "store/database/database.h"

namespace glovebox::store {

class ManyRows {
 public:
  // `insert` ends with VALUES.
  ManyRows(std::string_view insert, int columns, std::string_view after = "") {
    std::string row = "(?";
    for (int i = 1; i < columns; ++i) row += ", ?";
    row += ")";
    std::string rows = row;
    for (std::string& statement : statements_) {
      statement = std::string(insert) + " " + rows + std::string(after);
      rows += ", " + row;
    }
  }

  // Within a write; each row has a key of its own. What `bind` binds must outlive this call.
  template <typename Rows, typename Bind>
  Result<void> write(Database& database, const Rows& rows, Bind bind) const {
    for (std::size_t at = 0; at < rows.size();) {
      const std::size_t count = std::min(rows.size() - at, statements_.size());
      auto insert = GLOVEBOX_TRY(database.prepare(statements_[count - 1].c_str()));
      for (const std::size_t end = at + count; at < end; ++at) bind(insert, rows[at]);
      GLOVEBOX_TRY_VOID(insert.run());
    }
    return {};
  }

 private:
  std::array<std::string, 16> statements_;
};

}  // namespace glovebox::store
