// Ids as people type them: in full, or a unique prefix.
#pragma once

#include <optional>
#include <string>

#include "store/store.h"
#include "workspace/workspace.h"

namespace glovebox::cli {

// The whole id of an approval (ap_), a workflow (wf_) or else a run. Fails with kNotFound where none begins so, with
// kInvalidArgument where several do.
Result<std::string> whole_id(store::Store& store, const std::string& typed);

// The same in place, by the store of the workspace. An exit code where it is not clear which one is meant; what no id
// begins with stays as it is, for the command to say what it did not find.
std::optional<int> complete_id(const WorkspaceFlags& where, std::string& id);

}  // namespace glovebox::cli
