// Tests that hold for files on the disk and for files in an overlay.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "vfs/direct_view.h"
#include "vfs/file_view.h"
#include "vfs/overlay/overlay.h"
#include "vfs/scratch_folder.h"

namespace glovebox::vfs {

using Kind = FileError::Kind;

inline std::string read_all(FileView& view, const std::string& path) {
  auto source = view.open_to_read(path);
  if (!source) return "! " + source.failure().message;
  std::string all, buffer(8192, '\0');
  for (;;) {
    auto count = (*source)->read(buffer);
    if (!count) return "! " + count.failure().message;
    if (*count == 0) return all;
    all.append(buffer, 0, *count);
  }
}

inline FileResult<void> write_all(FileView& view, const std::string& path, const std::string& bytes,
                                  const WriteOptions& options = {}) {
  auto sink = view.open_to_write(path, options);
  if (!sink) return sink.failure();
  return (*sink)->write(bytes);
}

template <typename T>
inline std::string message(const FileResult<T>& result) {
  return result ? "ok" : result.failure().message;
}
template <typename T>
Kind kind(const FileResult<T>& result) {
  return result ? Kind{-1} : result.failure().kind;
}

inline std::string names(FileView& view, const std::string& path) {
  auto entries = view.read_directory(path);
  if (!entries) return "! " + entries.failure().message;
  std::sort(entries->begin(), entries->end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  std::string all;
  for (const DirectoryEntry& entry : *entries) {
    all += entry.name;
    all += entry.kind == FileKind::kDirectory ? "/ " : entry.kind == FileKind::kSymlink ? "@ " : " ";
  }
  return all;
}

enum class ViewKind { kDirect, kOverlay };

class FileViewTest : public ::testing::TestWithParam<ViewKind> {
 protected:
  // `w` is the folder that the view takes for the current one.
  void SetUp() override {
    std::filesystem::create_directory(folder_ / "w");
    const std::string state = folder_ / "state-65534";
    std::filesystem::create_directory(state);
    if (::getuid() == 0) {
      ASSERT_EQ(::chown(state.c_str(), 65534, 65534), 0);
    }
  }

  FileView& view() {
    if (!view_) view_ = open({"."}, {"."});
    return *view_;
  }
  std::unique_ptr<FileView> open(std::vector<std::string> read, std::vector<std::string> write,
                                 const FileLimits& limits = {}) {
    return open_with(FileGrants{.read = std::move(read), .write = std::move(write), .folder = folder_ / "w"}, limits);
  }
  std::unique_ptr<FileView> open_with(const FileGrants& grants, const FileLimits& limits = {}) {
    if (GetParam() == ViewKind::kDirect) {
      auto opened = open_direct_view(grants, limits);
      EXPECT_TRUE(opened) << opened.failure().message;
      return std::move(opened).value();
    }
    auto opened = open_overlay(grants, limits, {.state_folder = folder_ / ("state-" + std::to_string(::geteuid()))});
    EXPECT_TRUE(opened) << opened.failure().message;
    return std::move(opened).value();
  }
  // From here on the disk matches the view.
  static void settle(FileView& view) {
    auto* overlay = dynamic_cast<Overlay*>(&view);
    if (overlay == nullptr) return;
    const auto committed = overlay->commit();
    EXPECT_TRUE(committed) << committed.failure().message;
  }
  std::string at(const std::string& name) const { return folder_ / "w" + ('/' + name); }
  void symlink(const std::string& target, const std::string& name) {
    ASSERT_EQ(::symlink(target.c_str(), at(name).c_str()), 0);
  }

  ScratchFolder folder_;
  std::unique_ptr<FileView> view_;
};

}  // namespace glovebox::vfs
