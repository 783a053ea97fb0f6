#include "cli/doctor/hardening.h"

#include <elf.h>

#include <cstring>
#include <optional>
#include <string_view>

#include "base/try.h"
#include "base/whole_file.h"

namespace glovebox::cli {
namespace {

constexpr std::size_t kMostProgramBytes = std::size_t{512} << 20;
// Libraries that are linked in have a few, whatever our own code was compiled with.
constexpr std::size_t kFewestMarks = 200;

class ElfFile {
 public:
  explicit ElfFile(std::string bytes) : bytes_(std::move(bytes)) {}

  template <typename T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  bool read() {
    const auto header = at<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
      return false;
    type_ = header->e_type;
    for (std::uint64_t i = 0; i < header->e_phnum; ++i) {
      const auto segment = at<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr));
      if (!segment) return false;
      segments_.push_back(*segment);
    }
    return true;
  }

  std::uint16_t type() const { return type_; }
  const Elf64_Phdr* segment(std::uint32_t type) const {
    for (const Elf64_Phdr& one : segments_)
      if (one.p_type == type) return &one;
    return nullptr;
  }

  // 0 where there is none.
  std::uint64_t dynamic(std::int64_t tag) const {
    const Elf64_Phdr* where = segment(PT_DYNAMIC);
    for (std::uint64_t at_byte = 0; where && at_byte < where->p_filesz; at_byte += sizeof(Elf64_Dyn)) {
      const auto entry = at<Elf64_Dyn>(where->p_offset + at_byte);
      if (!entry || entry->d_tag == DT_NULL) return 0;
      if (entry->d_tag == tag) return entry->d_un.d_val;
    }
    return 0;
  }

  // How many places indirect jumps and calls may lead to by Intel's CET: endbr64.
  std::size_t marked_targets() const {
    constexpr std::string_view kMark = "\xf3\x0f\x1e\xfa";
    std::size_t count = 0;
    for (const Elf64_Phdr& one : segments_) {
      if (one.p_type != PT_LOAD || (one.p_flags & PF_X) == 0 || one.p_offset > bytes_.size()) continue;
      const std::string_view code = std::string_view(bytes_).substr(one.p_offset, one.p_filesz);
      for (std::size_t at = 0; (at = code.find(kMark, at)) != code.npos; at += kMark.size()) ++count;
    }
    return count;
  }

  // Names of what it takes from libraries and gives to others, each ended by a zero byte.
  std::string_view names() const {
    const std::uint64_t address = dynamic(DT_STRTAB);
    const std::uint64_t size = dynamic(DT_STRSZ);
    for (const Elf64_Phdr& one : segments_) {
      if (one.p_type != PT_LOAD || address < one.p_vaddr || address - one.p_vaddr >= one.p_filesz) continue;
      const std::uint64_t offset = one.p_offset + (address - one.p_vaddr);
      if (offset > bytes_.size() || bytes_.size() - offset < size) return {};
      return std::string_view(bytes_).substr(offset, size);
    }
    return {};
  }

 private:
  std::string bytes_;
  std::uint16_t type_ = ET_NONE;
  std::vector<Elf64_Phdr> segments_;
};

// memcpy_chk and the like, which _FORTIFY_SOURCE puts in place of what it checks.
bool is_fortified(std::string_view names) {
  constexpr std::string_view kEnding = "_chk";
  for (std::size_t at = 0; (at = names.find(kEnding, at)) != names.npos; at += kEnding.size()) {
    if (at + kEnding.size() < names.size() && names[at + kEnding.size()] == '\0') return true;
  }
  return false;
}

}  // namespace

Result<std::vector<std::string>> missing_hardening(const std::string& path, bool is_library) {
  ElfFile file(GLOVEBOX_TRY(base::read_whole_file(path, kMostProgramBytes)));
  if (!file.read()) return Failure{ErrorCode::kInvalidArgument, path + " is not a program"};
  std::vector<std::string> missing;
  const auto want = [&](bool has, const char* what) {
    if (!has) missing.emplace_back(what);
  };
  const std::uint64_t flags = file.dynamic(DT_FLAGS_1);
  want(file.type() == ET_DYN && (is_library || (flags & DF_1_PIE) != 0), "PIE");
  want(file.segment(PT_GNU_RELRO) != nullptr, "RELRO");
  want((flags & DF_1_NOW) != 0 || (file.dynamic(DT_FLAGS) & DF_BIND_NOW) != 0, "BIND_NOW");
  const Elf64_Phdr* stack = file.segment(PT_GNU_STACK);
  want(stack && (stack->p_flags & PF_X) == 0, "a stack that is not executable");
  want(file.names().find("__stack_chk_fail") != std::string_view::npos, "stack protector");
  want(is_fortified(file.names()), "FORTIFY");
  want(file.names().find("__glibcxx_assert_fail") != std::string_view::npos, "library assertions");
  want(file.marked_targets() >= kFewestMarks, "CET");
  return missing;
}

}  // namespace glovebox::cli
