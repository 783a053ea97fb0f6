// Saves artifacts as files in a folder that the person named.
#pragma once

#include <string>
#include <vector>

#include "glovebox/artifact.h"
#include "glovebox/result.h"

namespace glovebox::cli {

// The folder is made if it is missing. Nothing that is there is replaced: kConflict.
Result<void> save_artifacts(const std::vector<Artifact>& artifacts, const std::string& folder);

// After a run: saves them, or says what there was and how it is kept. False when it could not be saved, which is
// reported.
bool settle_artifacts(const std::vector<Artifact>& artifacts, const std::string& folder, const std::string& how_kept);

}  // namespace glovebox::cli
