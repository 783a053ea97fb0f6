// A snapshot of a folder, to be compared with a later one.
#pragma once

#include <sys/stat.h>

#include <map>
#include <string>
#include <vector>

namespace glovebox::attack {

struct DiskEntry {
  struct ::stat info {};
  std::string content;                  // of a regular file that is not large; of a link, its target
  std::vector<std::string> attributes;  // names of extended ones
};

class DiskSnapshot {
 public:
  DiskSnapshot() = default;
  // Everything beneath `folder`, up to the bounds in disk_snapshot.cc, except what is at or beneath one of the paths of
  // `except`. Follows no links and opens only regular files and folders.
  static DiskSnapshot of(const std::string& folder, const std::vector<std::string>& except = {});

  const std::map<std::string, DiskEntry>& entries() const { return entries_; }

  // The differences in `later`, one line each. A folder's own modification time counts only with `folder_times`: it
  // shows entries that came and went.
  std::vector<std::string> changes_until(const DiskSnapshot& later, bool folder_times) const;

 private:
  void add(const std::string& path, const std::vector<std::string>& except, int depth);

  std::map<std::string, DiskEntry> entries_;
};

}  // namespace glovebox::attack
