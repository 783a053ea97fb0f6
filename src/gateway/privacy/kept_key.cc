#include "gateway/privacy/kept_key.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>

#include "base/random.h"
#include "base/system_error.h"
#include "base/try.h"
#include "base/whole_file.h"

namespace glovebox::gateway {

Result<mcp::StateKey> kept_key(const std::string& path) {
  mcp::StateKey key{};
  const std::string bytes = GLOVEBOX_TRY(base::read_whole_file(path, key.size()));
  if (bytes.size() != key.size()) {
    return Failure{ErrorCode::kInvalidArgument, path + " is not a key; remove it to get a new one"};
  }
  std::copy(bytes.begin(), bytes.end(), key.begin());
  return key;
}

Result<mcp::StateKey> keep_key(const std::string& path) {
  auto kept = kept_key(path);
  if (kept || kept.failure().code != ErrorCode::kNotFound) return kept;
  const mcp::StateKey key = mcp::random_state_key();
  // A link never takes the place of a file: of two who make one at a time, the first one's stays.
  const std::string own = path + "." + base::random_id("");
  GLOVEBOX_TRY_VOID(
      base::replace_file(own, std::string_view(reinterpret_cast<const char*>(key.data()), key.size()), 0600));
  const int linked = ::link(own.c_str(), path.c_str());
  const int error_number = errno;
  ::unlink(own.c_str());
  if (linked != 0 && error_number != EEXIST) return base::system_failure(error_number, path);
  return kept_key(path);
}

}  // namespace glovebox::gateway
