#include "gateway/privacy/kept_key.h"

#include <algorithm>

#include "base/keys/key_file.h"
#include "base/try.h"

namespace glovebox::gateway {

Result<mcp::StateKey> kept_key(const std::string& path) {
  mcp::StateKey key{};
  const std::string bytes = GLOVEBOX_TRY(base::read_key_file(path, key.size()));
  std::copy(bytes.begin(), bytes.end(), key.begin());
  return key;
}

Result<mcp::StateKey> keep_key(const std::string& path) {
  auto kept = kept_key(path);
  if (kept || kept.failure().code != ErrorCode::kNotFound) return kept;
  const mcp::StateKey key = mcp::random_state_key();
  GLOVEBOX_TRY_VOID(base::make_key_file(path, std::string_view(reinterpret_cast<const char*>(key.data()), key.size())));
  return kept_key(path);
}

}  // namespace glovebox::gateway
