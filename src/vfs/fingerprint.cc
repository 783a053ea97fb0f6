#include "vfs/fingerprint.h"

#include <fcntl.h>

#include <algorithm>

#include "base/try.h"
#include "vfs/disk_tree.h"
#include "vfs/paths/open_beneath.h"

namespace glovebox::vfs {
namespace {

// FNV-1a: an attacker cannot choose what is hashed, which is inodes and times.
class Digest {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) add_byte(static_cast<unsigned char>(c));
    add_byte(0);
  }
  void add(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) add_byte(static_cast<unsigned char>(value >> shift));
  }
  std::uint64_t value() const { return value_; }

 private:
  void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001B3; }

  std::uint64_t value_ = 0xCBF29CE484222325;
};

TreeResult<void> add_contents(Digest& digest, int folder, const std::string& path, std::size_t depth,
                              const std::function<bool(const std::string&)>& skip) {
  if (depth > kMaxWalkDepth) return refusal(EFBIG, "The folder is too deep");
  auto entries = GLOVEBOX_TRY(list_folder(folder));
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const DirectoryEntry& entry : entries) {
    const std::string inner = path.empty() ? entry.name : path + '/' + entry.name;
    if (skip(inner)) continue;
    const FileInfo info = GLOVEBOX_TRY(info_of(folder, entry.name));
    digest.add(inner);
    digest.add(info.inode);
    digest.add(info.mode);
    if (info.kind == FileKind::kDirectory) {
      // Its own times change with its contents, which are examined themselves.
      const base::UniqueFd fd = GLOVEBOX_TRY(open_beneath(folder, entry.name, O_PATH | O_DIRECTORY));
      GLOVEBOX_TRY_VOID(add_contents(digest, fd.get(), inner, depth + 1, skip));
    } else {
      digest.add(info.size);
      digest.add(static_cast<std::uint64_t>(info.modified_ns));
      digest.add(static_cast<std::uint64_t>(info.changed_ns));
    }
  }
  return {};
}

}  // namespace

bool is_unchanged(const FileInfo& before, const FileInfo& now) {
  if (before.kind != now.kind || before.device != now.device || identity_of(before) != identity_of(now)) return false;
  if (before.kind == FileKind::kDirectory) return true;
  return before.size == now.size && before.mode == now.mode && before.modified_ns == now.modified_ns &&
         before.changed_ns == now.changed_ns;
}

TreeResult<std::uint64_t> contents_print(int folder, const std::function<bool(const std::string&)>& skip) {
  Digest digest;
  GLOVEBOX_TRY_VOID(add_contents(digest, folder, {}, 0, skip));
  return digest.value();
}

}  // namespace glovebox::vfs
