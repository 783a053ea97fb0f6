#include "jail/python_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <vector>

#include "base/program_part.h"
#include "base/system_error.h"

namespace glovebox::jail {
namespace {

// In a pack, after the magic word and the number of its files; see scripts/pack_python.mjs.
constexpr off_t kKeyOffset = 16;
constexpr std::size_t kKeyBytes = 64;

constexpr const char* kPrefix = "python-";
constexpr const char* kSuffix = ".image";

// An image that was not used for this long is removed.
constexpr time_t kForgottenSeconds = 30 * 24 * 3600;

bool make_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    ::mkdir(path.substr(0, slash).c_str(), 0700);
  }
  return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST;
}

void remove_forgotten(const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  const time_t now = ::time(nullptr);
  while (const dirent* entry = entries ? ::readdir(entries.get()) : nullptr) {
    const std::string name = entry->d_name;
    struct stat status;
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    if (::fstatat(::dirfd(entries.get()), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (now - status.st_atime > kForgottenSeconds && now - status.st_mtime > kForgottenSeconds) {
      ::unlinkat(::dirfd(entries.get()), name.c_str(), 0);
    }
  }
}

}  // namespace

Result<PythonCache> PythonCache::open(std::string folder, const std::string& pack_path) {
  const base::UniqueFd pack(::open(pack_path.c_str(), O_RDONLY | O_CLOEXEC));
  char key[kKeyBytes];
  if (!pack.valid() || ::pread(pack.get(), key, sizeof key, kKeyOffset) != static_cast<ssize_t>(sizeof key)) {
    return Failure{ErrorCode::kNotFound,
                   base::system_failure(errno, "the Python pack " + pack_path).message + "; " + base::kIncompleteCopy};
  }
  for (const char digit : key) {
    if (!::strchr("0123456789abcdef", digit)) {
      return Failure{ErrorCode::kNotFound, "the Python pack " + pack_path + " is damaged; " + base::kIncompleteCopy};
    }
  }
  PythonCache cache;
  cache.folder_ = std::move(folder);
  if (!cache.folder_.empty()) cache.path_ = cache.folder_ + "/" + kPrefix + std::string(key, 32) + kSuffix;
  return cache;
}

base::UniqueFd PythonCache::find() const {
  if (path_.empty()) return {};
  base::UniqueFd file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status;
  if (!file.valid() || ::fstat(file.get(), &status) != 0) return {};
  // The zygote executes its content, so only we may write it.
  const bool is_ours = S_ISREG(status.st_mode) && status.st_uid == ::geteuid() && (status.st_mode & 022) == 0;
  return is_ours ? std::move(file) : base::UniqueFd();
}

Result<base::UniqueFd> PythonCache::create() {
  if (!path_.empty() && make_folders(folder_)) {
    std::vector<char> name(folder_.begin(), folder_.end());
    for (const char c : std::string("/.python-XXXXXX")) name.push_back(c);
    name.push_back('\0');
    base::UniqueFd file(::mkostemp(name.data(), O_CLOEXEC));
    if (file.valid()) {
      temporary_ = name.data();
      return file;
    }
  }
  base::UniqueFd memory(::memfd_create("python-image", MFD_CLOEXEC));
  if (!memory.valid()) return base::system_failure(errno, "memfd_create");
  return memory;
}

void PythonCache::keep() {
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) ::unlink(temporary_.c_str());
  temporary_.clear();
  remove_forgotten(folder_);
}

void PythonCache::drop() const {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  if (!path_.empty()) ::unlink(path_.c_str());
}

std::string user_cache_folder() {
  const char* cache = ::getenv("XDG_CACHE_HOME");
  if (cache && cache[0] == '/') return std::string(cache) + "/glovebox";
  const char* home = ::getenv("HOME");
  return home && home[0] == '/' ? std::string(home) + "/.cache/glovebox" : "";
}

}  // namespace glovebox::jail
