// A stable digest of one call of a guest, to match it during replay.
#pragma once

#include <string>
#include <string_view>

#include "base/digest.h"
#include "calls/call.h"

namespace glovebox::replay {

class CallDigests {
 public:
  // SHA-256 in hex over the call and over the bytes of all calls before it. Its own bytes have not arrived yet when it
  // is recorded, before anything is done.
  std::string of(const calls::Call& call) const;
  void add_bytes(std::string_view bytes) { bytes_.add(bytes); }

 private:
  base::Sha256 bytes_;
};

}  // namespace glovebox::replay
