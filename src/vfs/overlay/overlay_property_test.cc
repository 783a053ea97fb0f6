// Random operations through an overlay and its commit give the same as through a direct view: every result on the way,
// and the folder in the end. Before the commit the disk is byte for byte unchanged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "base/proving.h"
#include "vfs/commit/recovery.h"
#include "vfs/direct_view.h"
#include "vfs/overlay/overlay.h"
#include "vfs/scratch_folder.h"

namespace glovebox::vfs {
namespace {

using Random = std::mt19937_64;

std::size_t pick(Random& random, std::size_t below) {
  return static_cast<std::size_t>(random() % below);
}

// Few names, so that operations collide.
std::string random_path(Random& random) {
  std::string path;
  const std::size_t depth = 1 + pick(random, 3);
  for (std::size_t i = 0; i < depth; ++i) {
    if (i > 0) path += '/';
    path += std::string(1, static_cast<char>('a' + pick(random, 4)));
  }
  return path;
}

void make_random_tree(Random& random, const std::string& folder) {
  for (std::size_t i = 0; i < 12; ++i) {
    const std::string path = folder + '/' + random_path(random);
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    if (ignored || std::filesystem::exists(std::filesystem::symlink_status(path))) continue;
    switch (pick(random, 6)) {
      case 0: std::filesystem::create_directory(path, ignored); break;
      case 1: std::filesystem::create_symlink(random_path(random), path, ignored); break;
      default: put(path, std::to_string(random())); ::chmod(path.c_str(), pick(random, 2) == 0 ? 0644 : 0750);
    }
  }
}

template <typename T>
std::string answer(const FileResult<T>& result) {
  return result ? "ok" : result.failure().message;
}

std::string answer_of_reading(FileView& view, const std::string& path) {
  auto source = view.open_to_read(path);
  if (!source) return answer(source);
  std::string all, buffer(1000, '\0');
  for (;;) {
    auto count = (*source)->read(buffer);
    if (!count) return answer(count);
    if (*count == 0) return "read " + all;
    all.append(buffer, 0, *count);
  }
}

std::string answer_of_writing(FileView& view, const std::string& path, const std::string& bytes,
                              const WriteOptions& options) {
  auto sink = view.open_to_write(path, options);
  if (!sink) return answer(sink);
  return answer((*sink)->write(bytes));
}

std::string list(FileView& view, const std::string& path) {
  auto entries = view.read_directory(path);
  if (!entries) return answer(entries);
  std::vector<std::string> names;
  for (const DirectoryEntry& entry : *entries)
    names.push_back(entry.name + std::to_string(static_cast<int>(entry.kind)));
  std::sort(names.begin(), names.end());
  std::string all;
  for (const std::string& name : names) all += name + ' ';
  return all;
}

std::string describe(FileView& view, const std::string& path, bool follow) {
  auto info = follow ? view.stat(path) : view.lstat(path);
  if (!info) return answer(info);
  const std::string size = info->kind == FileKind::kFile ? std::to_string(info->size) : "";
  const std::string mode = info->kind == FileKind::kSymlink ? "" : std::to_string(info->mode);
  return std::to_string(static_cast<int>(info->kind)) + ' ' + mode + ' ' + size;
}

// Everything that a view shows beneath `path`.
void show_all(FileView& view, const std::string& path, std::string& out) {
  auto entries = view.read_directory(path);
  if (!entries) {
    out += path + ": " + answer(entries) + '\n';
    return;
  }
  std::sort(entries->begin(), entries->end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const DirectoryEntry& entry : *entries) {
    const std::string inner = path + '/' + entry.name;
    out += inner + ' ' + describe(view, inner, false);
    if (entry.kind == FileKind::kFile) out += ' ' + answer_of_reading(view, inner);
    if (entry.kind == FileKind::kSymlink) out += ' ' + describe(view, inner, true);
    out += '\n';
    if (entry.kind == FileKind::kDirectory) show_all(view, inner, out);
  }
}

// One operation on either view; the same numbers give the same operation.
std::string operate(FileView& view, Random random) {
  const std::string path = random_path(random), other = random_path(random), bytes = std::to_string(random());
  switch (pick(random, 14)) {
    case 0: return "write " + path + ": " + answer_of_writing(view, path, bytes, {.mode = {}});
    case 1: return "append " + path + ": " + answer_of_writing(view, path, bytes, {.append = true, .mode = {}});
    case 2: return "new " + path + ": " + answer_of_writing(view, path, bytes, {.create_new = true, .mode = 0755});
    case 3: return "existing " + path + ": " + answer_of_writing(view, path, bytes, {.create = false, .mode = 0604});
    case 4: return "mkdir " + path + ": " + answer(view.make_directory(path, false, {}));
    case 5: return "mkdir -p " + path + ": " + answer(view.make_directory(path, true, 0777));
    case 6: return "remove " + path + ": " + answer(view.remove(path, false));
    case 7: return "remove -r " + path + ": " + answer(view.remove(path, true));
    case 8:
    case 9:
    case 10: return "rename " + path + ' ' + other + ": " + answer(view.rename(path, other));
    case 11: return "copy " + path + ' ' + other + ": " + answer(view.copy(path, other));
    case 12: return "list " + path + ": " + list(view, path);
    default: return "look " + path + ": " + describe(view, path, true) + answer_of_reading(view, path);
  }
}

std::uint64_t count_from_environment(const char* name, std::uint64_t usual) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : usual;
}

// The same sequences each time, so that results are reproducible. Others: GLOVEBOX_TEST_SEED=$RANDOM; to repeat one,
// which is then the first of part 0: GLOVEBOX_TEST_SEED=<what was printed> GLOVEBOX_TEST_SEQUENCES=1.
std::uint64_t first_seed() {
  return count_from_environment("GLOVEBOX_TEST_SEED", 1);
}

std::uint64_t sequences() {
  return count_from_environment("GLOVEBOX_TEST_SEQUENCES", base::is_proving() ? 2000 : base::random_rounds(120));
}

void same_as_direct(std::uint64_t seed, const std::vector<std::string>& grants,
                    const ScratchFolder& folder = ScratchFolder::in_memory()) {
  SCOPED_TRACE("GLOVEBOX_TEST_SEED=" + std::to_string(seed));
  Random random(seed);
  std::filesystem::create_directory(folder / "w");
  make_random_tree(random, folder / "w");
  std::filesystem::copy(folder / "w", folder / "copy",
                        std::filesystem::copy_options::recursive | std::filesystem::copy_options::copy_symlinks);
  const auto before = snapshot(folder / "w");
  ASSERT_EQ(before, snapshot(folder / "copy"));

  auto direct = open_direct_view({grants, grants, folder / "copy"}, {});
  auto overlay = open_overlay({grants, grants, folder / "w"}, {}, {.state_folder = folder / "state"});
  ASSERT_TRUE(direct && overlay);
  std::string history;
  const std::size_t operations = 5 + pick(random, 40);
  for (std::size_t i = 0; i < operations; ++i) {
    const Random same(random());
    const std::string expected = operate(**direct, same);
    history += expected + '\n';
    ASSERT_EQ(operate(**overlay, same), expected) << history;
    std::string shown, shown_directly;
    for (const std::string& grant : grants) {
      show_all(**overlay, grant, shown);
      show_all(**direct, grant, shown_directly);
    }
    ASSERT_EQ(shown, shown_directly) << history;
  }
  ASSERT_EQ(snapshot(folder / "w"), before) << "before the commit\n" << history;
  const auto changes = (*overlay)->changes();
  const auto committed = (*overlay)->commit();
  ASSERT_TRUE(committed) << committed.failure().message << '\n' << history;
  const auto after = snapshot(folder / "w");
  ASSERT_EQ(after, snapshot(folder / "copy")) << history;
  ASSERT_TRUE(after == before || !changes.empty()) << history;
  ASSERT_TRUE(std::filesystem::is_empty(folder / "state/transactions")) << history;
}

// In parts, so that they can run in parallel.
class OverlayPropertyPart : public ::testing::TestWithParam<int> {};

TEST_P(OverlayPropertyPart, RandomOperationsAreTheSameAsOnThePlainFolder) {
  const std::uint64_t seed = first_seed() + static_cast<std::uint64_t>(GetParam()) * 1'000'000;
  for (std::uint64_t i = 0; i < sequences() && !HasFatalFailure(); ++i) same_as_direct(seed + i, {"."});
}

INSTANTIATE_TEST_SUITE_P(, OverlayPropertyPart, ::testing::Range(0, 4));

TEST(OverlayProperty, AlsoOnARealDisk) {
  const std::uint64_t seed = first_seed();
  for (std::uint64_t i = 0; i < base::random_rounds(30) && !HasFatalFailure(); ++i)
    same_as_direct(seed + i, {"."}, ScratchFolder());
}

TEST(OverlayProperty, AlsoWhereGrantsLieInEachOtherAndAreRemoved) {
  const std::uint64_t seed = first_seed();
  for (std::uint64_t i = 0; i < sequences() && !HasFatalFailure(); ++i)
    same_as_direct(seed + i, {"a", "b", "c/a", "a/b"});
}

TEST(OverlayProperty, ADroppedOverlayLeavesTheDiskAsItWas) {
  const std::uint64_t seed = first_seed();
  for (std::uint64_t i = 0; i < base::random_rounds(100); ++i) {
    SCOPED_TRACE("GLOVEBOX_TEST_SEED=" + std::to_string(seed + i));
    const ScratchFolder folder = ScratchFolder::in_memory();
    Random random(seed + i);
    std::filesystem::create_directory(folder / "w");
    make_random_tree(random, folder / "w");
    const auto before = snapshot(folder / "w");
    {
      auto overlay = open_overlay({{"."}, {"."}, folder / "w"}, {}, {.state_folder = folder / "state"});
      ASSERT_TRUE(overlay);
      for (int n = 0; n < 30; ++n) operate(**overlay, Random(random()));
    }
    ASSERT_EQ(snapshot(folder / "w"), before);
    ASSERT_TRUE(std::filesystem::is_empty(folder / "state/transactions"));
  }
}

}  // namespace
}  // namespace glovebox::vfs
