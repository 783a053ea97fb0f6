// What a run asks for, as a number that is the same when the same is asked for again.
#pragma once

#include <nettle/sha2.h>

#include <string>
#include <string_view>

#include "broker/call.h"

namespace glovebox::broker {

// SHA-256 in hex of the bytes of one call.
class BodyDigest {
 public:
  BodyDigest();
  void add(std::string_view bytes);
  std::string hex() const;

 private:
  sha256_ctx hash_;
};

class CallDigests {
 public:
  CallDigests();

  // SHA-256 in hex over the call and over the bytes of all calls before it. Its own bytes are not there yet when it has
  // to be recorded, before anything is done.
  std::string of(const Call& call) const;
  void add_bytes(std::string_view bytes);

 private:
  sha256_ctx bytes_;
};

}  // namespace glovebox::broker
