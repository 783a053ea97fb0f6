#include "vfs/paths/state_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/private_folder.h"
#include "base/random.h"
#include "base/system_error.h"
#include "base/try.h"
#include "policy/path_grants.h"
#include "vfs/disk_tree.h"
#include "vfs/paths/open_beneath.h"

namespace glovebox::vfs {
namespace {

constexpr mode_t kPrivateFolder = 0700;
constexpr mode_t kPrivateFile = 0600;

Result<base::UniqueFd> open_sub_folder(int parent, const std::string& name, bool make) {
  if (make && ::mkdirat(parent, name.c_str(), kPrivateFolder) != 0 && errno != EEXIST) {
    return base::system_failure(errno, "state folder " + name);
  }
  auto fd = open_beneath(parent, name, O_RDONLY | O_DIRECTORY);
  if (!fd) return base::system_failure(fd.failure().number, "state folder " + name);
  return std::move(fd).value();
}

Result<base::UniqueFd> locked_file(int folder, const std::string& name, int how) {
  base::UniqueFd fd(::openat(folder, name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, kPrivateFile));
  if (!fd.valid()) return base::system_failure(errno, "lock " + name);
  int locked = 0;
  do {
    locked = ::flock(fd.get(), how);
  } while (locked != 0 && errno == EINTR);
  if (locked != 0) return base::system_failure(errno, "lock " + name);
  return fd;
}

}  // namespace

std::vector<std::string> state_folder_candidates() {
  std::vector<std::string> candidates;
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (state != nullptr && *state == '/') {
    candidates.push_back(policy::normal_path("/", std::string(state) + "/glovebox"));
  } else if (home != nullptr && *home == '/') {
    candidates.push_back(policy::normal_path("/", std::string(home) + "/.local/state/glovebox"));
  }
  candidates.push_back("/var/tmp/glovebox-" + std::to_string(::geteuid()));
  return candidates;
}

std::string layer_file_name(std::uint64_t number) {
  return std::to_string(number);
}

Result<Transaction> Transaction::create(const std::string& state) {
  GLOVEBOX_TRY_VOID(base::make_private_folders(state));
  Transaction made;
  made.state_ = GLOVEBOX_TRY(base::open_private_folder(state));
  made.parent_ = GLOVEBOX_TRY(open_sub_folder(made.state_.get(), "transactions", true));
  const base::UniqueFd making = GLOVEBOX_TRY(locked_file(made.state_.get(), "lock", LOCK_SH));
  made.id_ = base::random_hex(8);
  made.folder_ = GLOVEBOX_TRY(open_sub_folder(made.parent_.get(), made.id_, true));
  made.lock_ = GLOVEBOX_TRY(locked_file(made.folder_.get(), "lock", LOCK_EX | LOCK_NB));
  made.layer_ = GLOVEBOX_TRY(open_sub_folder(made.folder_.get(), "layer", true));
  return made;
}

Result<std::vector<Transaction>> Transaction::abandoned(const std::string& state) {
  std::vector<Transaction> found;
  struct ::stat exists {};
  if (::lstat((state + "/transactions").c_str(), &exists) != 0) return found;
  const base::UniqueFd state_fd = GLOVEBOX_TRY(base::open_private_folder(state));
  const base::UniqueFd parent = GLOVEBOX_TRY(open_sub_folder(state_fd.get(), "transactions", false));
  auto entries = list_folder(parent.get());
  if (!entries) return base::system_failure(entries.failure().number, "state folder " + state);
  if (entries->empty()) return found;
  const base::UniqueFd looking = GLOVEBOX_TRY(locked_file(state_fd.get(), "lock", LOCK_EX));
  for (const DirectoryEntry& entry : *entries) {
    Transaction transaction;
    auto folder = open_sub_folder(parent.get(), entry.name, false);
    if (!folder) continue;  // finished meanwhile
    auto lock = locked_file(folder->get(), "lock", LOCK_EX | LOCK_NB);
    if (!lock) continue;  // alive
    transaction.folder_ = std::move(folder).value();
    transaction.lock_ = std::move(lock).value();
    transaction.state_.reset(::fcntl(state_fd.get(), F_DUPFD_CLOEXEC, 0));
    transaction.parent_.reset(::fcntl(parent.get(), F_DUPFD_CLOEXEC, 0));
    if (auto layer = open_sub_folder(transaction.folder_.get(), "layer", false)) {
      transaction.layer_ = std::move(layer).value();
    }
    transaction.id_ = entry.name;
    found.push_back(std::move(transaction));
  }
  return found;
}

TreeResult<base::UniqueFd> Transaction::create_layer_file(std::uint64_t number) const {
  return open_beneath(layer_.get(), layer_file_name(number), O_RDWR | O_CREAT | O_EXCL, kPrivateFile);
}

TreeResult<base::UniqueFd> Transaction::open_layer_file(std::uint64_t number, int flags) const {
  return open_beneath(layer_.get(), layer_file_name(number), flags);
}

void Transaction::remove_layer_file(std::uint64_t number) const {
  ::unlinkat(layer_.get(), layer_file_name(number).c_str(), 0);
}

Result<base::UniqueFd> Transaction::lock_for_commit() const {
  return locked_file(state_.get(), "commit.lock", LOCK_EX);
}

void Transaction::remove() {
  if (!folder_.valid()) return;
  // If it fails, the next start finds it by its free lock.
  static_cast<void>(remove_entry_tree(parent_.get(), id_).ok());
  layer_.reset();
  folder_.reset();
  lock_.reset();
}

}  // namespace glovebox::vfs
