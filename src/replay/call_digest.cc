#include "replay/call_digest.h"

#include "base/digest.h"

namespace glovebox::replay {

std::string CallDigests::of(const calls::Call& call) const {
  base::Sha256 hash;
  const base::Sha256::Digest before = bytes_.digest();
  hash.add({reinterpret_cast<const char*>(before.data()), before.size()});
  // JSON holds no zero byte, and lengths keep the parts apart.
  hash.add(std::to_string(call.op.size()) + ' ' + call.op + ' ' + std::to_string(call.body_bytes) + ' ');
  hash.add(call.arguments_json);
  return hash.hex();
}

}  // namespace glovebox::replay
