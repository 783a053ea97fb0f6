#include "cli/exec/artifact_files.h"

#include <cstdio>

#include "base/try.h"
#include "base/whole_file.h"

namespace glovebox::cli {

// Names have no slash and begin with no dot (glovebox/artifact.h), so each is a file directly in the folder.
Result<void> save_artifacts(const std::vector<Artifact>& artifacts, const std::string& folder) {
  GLOVEBOX_TRY_VOID(base::make_folder(folder, 0755));
  for (const Artifact& artifact : artifacts)
    GLOVEBOX_TRY_VOID(base::write_new_file(folder + "/" + artifact.name, artifact.bytes()));
  return {};
}

bool settle_artifacts(const std::vector<Artifact>& artifacts, const std::string& folder, const std::string& how_kept) {
  if (artifacts.empty()) return true;
  const auto saved = folder.empty() ? Result<void>() : save_artifacts(artifacts, folder);
  if (!saved) {
    std::fprintf(stderr, "glovebox: %s\n", saved.failure().message.c_str());
    return false;
  }
  for (const Artifact& artifact : artifacts) {
    std::fprintf(stderr, "emitted %s%s (%s, %zu bytes)\n", folder.empty() ? "" : (folder + "/").c_str(),
                 artifact.name.c_str(), artifact.type.c_str(), artifact.bytes().size());
  }
  if (folder.empty()) std::fprintf(stderr, "%s\n", how_kept.c_str());
  return true;
}

}  // namespace glovebox::cli
