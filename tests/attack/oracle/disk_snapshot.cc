#include "disk_snapshot.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <fstream>
#include <iterator>
#include <memory>

namespace glovebox::attack {
namespace {

// Larger ones are compared by size and time.
constexpr off_t kMaxComparedBytes = 1 << 20;
// Of folders that are huge on purpose, this much is enough to compare.
constexpr int kMaxDepth = 50;
constexpr int kMaxEntriesOfAFolder = 1000;

std::string content_of(const std::string& path, const struct ::stat& info) {
  if (S_ISLNK(info.st_mode)) {
    std::string target(PATH_MAX, '\0');
    const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
    return target.substr(0, static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  }
  if (!S_ISREG(info.st_mode) || info.st_size > kMaxComparedBytes) return {};
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> attributes_of(const std::string& path) {
  std::string names(4096, '\0');
  const ssize_t length = ::llistxattr(path.c_str(), names.data(), names.size());
  std::vector<std::string> attributes;
  for (ssize_t at = 0; at < length; at += static_cast<ssize_t>(attributes.back().size()) + 1) {
    attributes.emplace_back(names.c_str() + at);
  }
  return attributes;
}

std::string difference(const DiskEntry& before, const DiskEntry& after, bool folder_times) {
  const struct ::stat &a = before.info, &b = after.info;
  if (a.st_ino != b.st_ino || a.st_dev != b.st_dev) return "is another file";
  if (a.st_mode != b.st_mode) return "has another mode";
  if (a.st_uid != b.st_uid || a.st_gid != b.st_gid) return "has another owner";
  if (before.content != after.content) return "has another content";
  if (before.attributes != after.attributes) return "has other attributes";
  if (S_ISDIR(a.st_mode) && !folder_times) return {};
  if (!S_ISDIR(a.st_mode) && a.st_size != b.st_size) return "has another size";
  if (a.st_mtim.tv_sec != b.st_mtim.tv_sec || a.st_mtim.tv_nsec != b.st_mtim.tv_nsec) return "was written to";
  return {};
}

}  // namespace

DiskSnapshot DiskSnapshot::of(const std::string& folder, const std::vector<std::string>& except) {
  DiskSnapshot snapshot;
  snapshot.add(folder, except, 0);
  return snapshot;
}

void DiskSnapshot::add(const std::string& path, const std::vector<std::string>& except, int depth) {
  if (std::find(except.begin(), except.end(), path) != except.end()) return;
  DiskEntry entry;
  if (::lstat(path.c_str(), &entry.info) != 0) return;
  entry.content = content_of(path, entry.info);
  entry.attributes = attributes_of(path);
  const bool is_folder = S_ISDIR(entry.info.st_mode);
  entries_.emplace(path, std::move(entry));
  if (!is_folder || depth == kMaxDepth) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(path.c_str()), ::closedir);
  for (int count = 0; count < kMaxEntriesOfAFolder; ++count) {
    const dirent* found = listing ? ::readdir(listing.get()) : nullptr;
    if (!found) return;
    const std::string name = found->d_name;
    if (name != "." && name != "..") add(path + "/" + name, except, depth + 1);
  }
}

std::vector<std::string> DiskSnapshot::changes_until(const DiskSnapshot& later, bool folder_times) const {
  std::vector<std::string> changes;
  for (const auto& [path, before] : entries_) {
    const auto after = later.entries_.find(path);
    if (after == later.entries_.end()) {
      changes.push_back(path + " is gone");
    } else if (const std::string what = difference(before, after->second, folder_times); !what.empty()) {
      changes.push_back(path + " " + what);
    }
  }
  for (const auto& [path, after] : later.entries_) {
    if (!entries_.contains(path)) changes.push_back(path + " is new");
  }
  return changes;
}

}  // namespace glovebox::attack
