// Which gateways of a workspace are alive: each holds the lock of a file of its own in `<state>/gateways`, which the
// kernel lets go when it ends in whatever way. Beside it lies the socket on which it is poked.
#pragma once

#include <string>

#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::gateway {

class OwnerLock {
 public:
  static Result<OwnerLock> take(const std::string& state_folder, const std::string& owner);
  OwnerLock(OwnerLock&&) noexcept = default;
  OwnerLock& operator=(OwnerLock&&) noexcept = default;
  ~OwnerLock();

 private:
  OwnerLock(base::UniqueFd file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}
  base::UniqueFd file_;
  std::string path_;
};

bool owner_is_alive(const std::string& state_folder, const std::string& owner);
// Removes what a dead one has left.
void forget_owner(const std::string& state_folder, const std::string& owner);

}  // namespace glovebox::gateway
