// Opens the store of a command's workspace, and reports its failures.
#pragma once

#include "terminal/exit_codes.h"
#include "workspace/open_store.h"
#include "workspace/report.h"
#include "workspace/workspace.h"

namespace glovebox::cli {

// Both report the failure, and give the exit code. For commands that only read: whatever it was, the store could not be
// read.
int fail_to_read(const Failure& failure, bool json);
// For commands that change something: what they mean may be gone, or decided already.
int fail_to_change(const Failure& failure, bool json);

// Opens workspace and store, or says why not and gives the exit code. `with` gets both; the store is null where the
// workspace has none.
template <typename With>
int with_store(const WorkspaceFlags& flags, int (*fail)(const Failure& failure, bool json), With with) {
  const auto workspace = open_workspace(flags);
  if (!workspace) return fail_usage(workspace.failure().message, flags.json);
  const auto store = open_store(workspace.value());
  if (!store) return fail(store.failure(), flags.json);
  if (store.value()) store.value()->tell_wrong_rows(print_note);
  return with(workspace.value(), store.value().get());
}

}  // namespace glovebox::cli
