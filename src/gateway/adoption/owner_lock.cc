#include "gateway/adoption/owner_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string_view>

#include "base/system_error.h"

namespace glovebox::gateway {
namespace {

std::string owner_path(const std::string& state_folder, const std::string& owner, const char* ending) {
  return state_folder + "/gateways/" + owner + ending;
}

}  // namespace

Result<OwnerLock> OwnerLock::take(const std::string& state_folder, const std::string& owner) {
  const std::string folder = state_folder + "/gateways";
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return base::system_failure(errno, folder);
  std::string path = owner_path(state_folder, owner, ".lock");
  base::UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.valid()) return base::system_failure(errno, path);
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return base::system_failure(errno, path);
  return OwnerLock(std::move(file), std::move(path));
}

OwnerLock::~OwnerLock() {
  if (file_.valid()) ::unlink(path_.c_str());
}

bool owner_is_alive(const std::string& state_folder, const std::string& owner) {
  // A name from the store must not lead to another folder.
  if (owner.empty() || owner.find('/') != std::string::npos) return false;
  const base::UniqueFd file(
      ::open(owner_path(state_folder, owner, ".lock").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file.valid()) return errno != ENOENT;
  return ::flock(file.get(), LOCK_SH | LOCK_NB) != 0;
}

std::vector<std::string> owners_without_lock(const std::string& state_folder) {
  constexpr std::string_view kEnding = ".lock";
  std::vector<std::string> owners;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(state_folder + "/gateways", error), end; !error && entry != end;
       entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (!name.ends_with(kEnding)) continue;
    const base::UniqueFd file(::open(entry->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file.valid() || ::flock(file.get(), LOCK_SH | LOCK_NB) != 0) continue;
    name.resize(name.size() - kEnding.size());
    owners.push_back(std::move(name));
  }
  return owners;
}

void forget_owner(const std::string& state_folder, const std::string& owner) {
  if (owner.empty() || owner.find('/') != std::string::npos) return;
  ::unlink(owner_path(state_folder, owner, ".lock").c_str());
  ::unlink(owner_path(state_folder, owner, ".sock").c_str());
}

}  // namespace glovebox::gateway
