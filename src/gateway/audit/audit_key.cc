#include "gateway/audit/audit_key.h"

#include <algorithm>

#include "base/hmac.h"
#include "base/keys/key_file.h"
#include "base/private_folder.h"
#include "base/random.h"
#include "base/text/hex.h"
#include "base/try.h"
#include "config/state/state_folder.h"
#include "policy/path_grants.h"

namespace glovebox::gateway {

Result<AuditKey> AuditKey::read(const std::string& path) {
  if (path.rfind('/') == std::string::npos || path.rfind('/') == 0)
    return Failure{ErrorCode::kInvalidArgument, "there is no place for the audit log's key: set XDG_STATE_HOME"};
  AuditKey key;
  const std::string bytes = GLOVEBOX_TRY(base::read_key_file(path, key.bytes_.size()));
  std::copy(bytes.begin(), bytes.end(), key.bytes_.begin());
  return key;
}

Result<AuditKey> AuditKey::keep(const std::string& path) {
  auto kept = read(path);
  if (kept || kept.failure().code != ErrorCode::kNotFound) return kept;
  const std::string folder(policy::parent_path(path));
  GLOVEBOX_TRY_VOID(base::make_private_folders(folder));
  decltype(AuditKey::bytes_) bytes;
  base::fill_randomly(bytes);
  GLOVEBOX_TRY_VOID(
      base::make_key_file(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
  return read(path);
}

std::string AuditKey::mac(std::string_view bytes) const {
  base::HmacSha256 mac(bytes_);
  mac.add(bytes);
  return base::hex(mac.digest());
}

std::string audit_key_path() {
  const auto home = config::state_home();
  return home ? home.value() + "/audit.key" : "";
}

}  // namespace glovebox::gateway
