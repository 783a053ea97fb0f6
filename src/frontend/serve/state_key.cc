#include "frontend/serve/state_key.h"

#include <algorithm>

#include "base/try.h"
#include "base/whole_file.h"

namespace glovebox::frontend {

Result<mcp::StateKey> keep_state_key(const std::string& state_folder) {
  const std::string path = state_folder + "/state.key";
  mcp::StateKey key{};
  const auto kept = base::read_whole_file(path, key.size());
  if (kept && kept.value().size() == key.size()) {
    std::copy(kept.value().begin(), kept.value().end(), key.begin());
    return key;
  }
  if (!kept && kept.failure().code != ErrorCode::kNotFound) return kept.failure();
  key = mcp::random_state_key();
  GLOVEBOX_TRY_VOID(
      base::replace_file(path, std::string_view(reinterpret_cast<const char*>(key.data()), key.size()), 0600));
  return key;
}

}  // namespace glovebox::frontend
