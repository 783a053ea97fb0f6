#include "cli/connect/backup.h"

#include <errno.h>
#include <unistd.h>

#include <filesystem>

#include "base/digest.h"
#include "base/private_folder.h"
#include "base/system_error.h"
#include "base/try.h"
#include "base/whole_file.h"
#include "config/state/state_folder.h"

namespace glovebox::cli {
namespace {

constexpr std::size_t kMostClientFileBytes = 64 << 20;
constexpr mode_t kOwnerOnly = 0600;

// Nothing where there is no such file.
Result<std::optional<std::string>> read_if_there(const std::string& path) {
  auto text = base::read_whole_file(path, kMostClientFileBytes);
  if (text) return std::optional<std::string>(std::move(text).value());
  if (text.failure().code == ErrorCode::kNotFound) return std::optional<std::string>();
  return text.failure();
}

}  // namespace

Result<Backup> Backup::of(const std::string& path, bool in_workspace) {
  const std::string home = GLOVEBOX_TRY(config::state_home());
  const std::string folder = home + "/connect/" + base::short_digest(path);
  GLOVEBOX_TRY_VOID(base::make_private_folders(folder));
  GLOVEBOX_TRY(base::open_private_folder(home));
  GLOVEBOX_TRY(base::open_private_folder(folder));
  return Backup(path, folder, in_workspace);
}

Result<void> Backup::write(const std::string& text) const {
  return in_workspace_ ? base::replace_entry(path_, text, kOwnerOnly) : base::replace_file(path_, text, kOwnerOnly);
}

Result<void> Backup::replace(const std::optional<std::string>& before, const std::string& text) const {
  const auto ours = GLOVEBOX_TRY(read_if_there(folder_ + "/after"));
  if (!ours || ours != before) {
    std::error_code ignored;
    std::filesystem::remove(folder_ + "/before", ignored);
    if (before) GLOVEBOX_TRY_VOID(base::replace_file(folder_ + "/before", *before, kOwnerOnly));
  }
  GLOVEBOX_TRY_VOID(base::replace_file(folder_ + "/after", text, kOwnerOnly));
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), error);
  return write(text);
}

Result<void> Backup::undo() const {
  const auto ours = GLOVEBOX_TRY(read_if_there(folder_ + "/after"));
  if (!ours) return Failure{ErrorCode::kNotFound, path_ + " was not changed by `glovebox connect`"};
  if (GLOVEBOX_TRY(read_if_there(path_)) != ours) {
    return Failure{ErrorCode::kConflict,
                   path_ + " has been changed since and is left unchanged; the original is in " + folder_ + "/before"};
  }
  const auto before = GLOVEBOX_TRY(read_if_there(folder_ + "/before"));
  if (before) {
    GLOVEBOX_TRY_VOID(write(*before));
  } else if (::unlink(path_.c_str()) != 0) {
    return base::system_failure(errno, path_);
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
  return {};
}

}  // namespace glovebox::cli
