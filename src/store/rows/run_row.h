// The columns that every list of runs begins with.
#pragma once

#include "store/damage.h"
#include "store/database/database.h"
#include "store/records.h"

namespace glovebox::store {

// id, created, ended, status, language: into a RunRecord or a RunSummary.
template <typename Run>
Result<Run> read_first_columns(const Statement& row) {
  Run run;
  run.id = row.text(0);
  run.created = row.number(1);
  if (!row.is_null(2)) run.ended = row.number(2);
  const auto status = run_status_of(row.text(3));
  if (!status) return damaged("status of a run");
  run.status = *status;
  run.language = row.text(4);
  return run;
}

}  // namespace glovebox::store
