// Places that a workspace's config names and that no run may change: skills, which run with the owner's rights, and the
// database of decisions. A folder is a workspace by having a config file, whether or not this gateway serves it; the
// file itself is protected by its name.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace glovebox::vfs {

inline constexpr const char* kWorkspaceConfig = "glovebox.json";

// As a case-insensitive file system compares it.
std::string folded_path(std::string_view path);
bool is_in_any(std::string_view path, const std::vector<std::string>& places);
// `places`, and their current targets.
std::vector<std::string> with_real_paths(std::vector<std::string> places);

class NamedPlaces {
 public:
  // Absolute: as the config spells them, and their current targets. For a config that cannot be read, its whole folder.
  // Nothing where there is no such file. It is read again when it has changed.
  std::vector<std::string> of(const std::string& config_path);

  // What the configs of `folder`, which is real, and of the folders above it name. Case-folded, to compare with a
  // folded path.
  std::vector<std::string> at_and_above(std::string_view folder);

  // Whether `path`, which is real, is or is inside what the config of a folder above it names.
  bool include(std::string_view path);
  // Whether such a place is or is inside `path`.
  bool lie_in(std::string_view path);

 private:
  struct Stamp {
    std::uint64_t device = 0, inode = 0;
    std::int64_t size = 0, written_ns = 0, changed_ns = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Known {
    Stamp stamp;
    std::vector<std::string> places;  // as they are spelled, absolute
  };
  std::mutex mutex_;
  std::unordered_map<std::string, Known> known_;
};

}  // namespace glovebox::vfs
