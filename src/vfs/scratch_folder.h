// For tests: a temporary folder, and helpers to inspect the disk.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>

namespace glovebox::vfs {

class ScratchFolder {
 public:
  ScratchFolder() : ScratchFolder(std::filesystem::temp_directory_path()) {}
  // In memory where such a folder exists: for tests that would wait for the disk thousands of times.
  static ScratchFolder in_memory() {
    return ScratchFolder(std::filesystem::is_directory("/dev/shm") ? "/dev/shm"
                                                                   : std::filesystem::temp_directory_path());
  }
  explicit ScratchFolder(const std::filesystem::path& parent) {
    std::string name = parent / "glovebox-vfs-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = std::filesystem::canonical(name);
    ::chmod(path_.c_str(), 0755);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string operator/(const std::string& name) const { return path_ / name; }
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Gives it a new time, also where the clock of the file system is coarser than a test is fast.
inline void put(const std::string& path, const std::string& content) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  struct ::stat before {
  }, after{};
  const bool was_there = ::lstat(path.c_str(), &before) == 0;
  const auto is_same = [](const timespec& a, const timespec& b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
  };
  for (;;) {
    std::ofstream(path, std::ios::binary) << content;
    if (!was_there || ::lstat(path.c_str(), &after) != 0 || !S_ISREG(after.st_mode)) return;
    if (!is_same(before.st_mtim, after.st_mtim) && !is_same(before.st_ctim, after.st_ctim)) return;
    ::usleep(1'000);
  }
}

inline std::string get(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::uint32_t mode_bits(const std::string& path) {
  struct ::stat found {};
  return ::lstat(path.c_str(), &found) == 0 ? found.st_mode & 07777 : 0;
}

// Every path beneath `folder` with its type, mode and bytes.
inline std::map<std::string, std::string> snapshot(const std::string& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string path = entry.path();
    std::string what = std::to_string(mode_bits(path)) + ' ';
    if (entry.is_symlink()) {
      what += "link " + std::filesystem::read_symlink(entry.path()).string();
    } else if (entry.is_directory()) {
      what += "folder";
    } else {
      what += "file " + (entry.is_regular_file() ? get(path) : std::string("special"));
    }
    all[path.substr(folder.size())] = what;
  }
  return all;
}

// Runs `body` as an unprivileged user, in a process of its own, and fails the test where it fails.
inline void as_nobody(const std::function<void()>& body) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (::getuid() == 0 && (::setresgid(65534, 65534, 65534) != 0 || ::setresuid(65534, 65534, 65534) != 0))
      ::_exit(99);
    body();
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "as nobody: status " << status;
}

}  // namespace glovebox::vfs
