// Which gateways of a workspace are alive: each holds the lock of its own file in `<state>/gateways`, which the kernel
// releases however it ends. Beside the file is the socket on which it is woken.
#pragma once

#include <string>
#include <vector>

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
// Gateways whose file exists and whose lock is free. One that has just created its file is among them until it takes
// the lock; it is not a node of the store before that.
std::vector<std::string> owners_without_lock(const std::string& state_folder);
// Removes the files of a dead gateway.
void forget_owner(const std::string& state_folder, const std::string& owner);

}  // namespace glovebox::gateway
