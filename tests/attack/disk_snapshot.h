// A folder as it is at one moment, to be compared with a later one.
#pragma once

#include <sys/stat.h>

#include <map>
#include <string>
#include <vector>

namespace glovebox::attack {

struct DiskEntry {
  struct ::stat info {};
  std::string content;                  // of a regular file that is not large; of a link, where it leads
  std::vector<std::string> attributes;  // names of extended ones
};

class DiskSnapshot {
 public:
  DiskSnapshot() = default;
  // Everything beneath `folder`, up to the bounds in disk_snapshot.cc, but for what lies at or beneath one of the paths
  // of `except`. Follows nothing and opens regular files and folders only.
  static DiskSnapshot of(const std::string& folder, const std::vector<std::string>& except = {});

  const std::map<std::string, DiskEntry>& entries() const { return entries_; }

  // What is different in `later`, one line each. A folder's own time of change counts only where `folder_times` says
  // so: it shows entries that came and went.
  std::vector<std::string> changes_until(const DiskSnapshot& later, bool folder_times) const;

 private:
  void add(const std::string& path, const std::vector<std::string>& except, int depth);

  std::map<std::string, DiskEntry> entries_;
};

}  // namespace glovebox::attack
