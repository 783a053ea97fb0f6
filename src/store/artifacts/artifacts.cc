// Store's table of artifacts.
#include "base/digest.h"
#include "base/try.h"
#include "store/damage.h"
#include "store/large_values.h"
#include "store/store.h"

namespace glovebox::store {

Result<void> Store::write_artifacts(const std::string& run, const std::vector<Artifact>& artifacts) {
  std::int64_t place = 0;
  for (const Artifact& artifact : artifacts) {
    auto insert =
        GLOVEBOX_TRY(database_->prepare("INSERT INTO artifacts (run, name, place, type, size, digest, bytes) VALUES "
                                        "(?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"));
    insert.bind(run).bind(artifact.name).bind(++place).bind(artifact.type);
    insert.bind(static_cast<std::int64_t>(artifact.bytes().size())).bind(artifact.digest);
    GLOVEBOX_TRY_VOID(insert.bind_blob(artifact.bytes()).run());
  }
  return {};
}

Result<std::vector<ArtifactRecord>> Store::artifacts(const std::string& run) {
  return read([&]() -> Result<std::vector<ArtifactRecord>> {
    auto rows =
        GLOVEBOX_TRY(database_->prepare("SELECT name, type, size, digest FROM artifacts WHERE run = ? ORDER BY place"));
    rows.bind(run);
    std::vector<ArtifactRecord> found;
    while (GLOVEBOX_TRY(rows.step())) found.push_back({rows.text(0), rows.text(1), rows.number(2), rows.text(3)});
    return found;
  });
}

Result<std::optional<Artifact>> Store::find_artifact(const std::string& run, const std::string& name) {
  return read([&]() -> Result<std::optional<Artifact>> {
    auto row =
        GLOVEBOX_TRY(database_->prepare("SELECT name, type, digest, bytes FROM artifacts WHERE run = ? AND name = ?"));
    if (!GLOVEBOX_TRY(row.bind(run).bind(name).step())) return std::optional<Artifact>();
    Artifact artifact{row.text(0), row.text(1), row.text(2), std::make_shared<const std::string>(row.text(3))};
    if (base::sha256_hex(artifact.bytes()) != artifact.digest) return damaged("artifact: it does not match its digest");
    return std::optional(std::move(artifact));
  });
}

}  // namespace glovebox::store
