#include "calls/command/program_search.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace glovebox::calls {
namespace {

std::optional<policy::ProgramFile> program_at(const std::filesystem::path& path) {
  std::error_code error;
  const auto file = std::filesystem::canonical(path, error);
  if (error || !std::filesystem::is_regular_file(file, error)) return std::nullopt;
  if (::faccessat(AT_FDCWD, file.c_str(), X_OK, AT_EACCESS) != 0) return std::nullopt;
  return policy::ProgramFile{path.string(), file.string()};
}

// Makes the folder of a path like ../bin/./tool canonical and keeps the last part: programs look at their own name.
std::filesystem::path absolute(const std::filesystem::path& path) {
  std::error_code error;
  if (path.is_absolute()) return path;
  const auto parent = std::filesystem::canonical(path.parent_path(), error);
  return error ? path : parent / path.filename();
}

std::vector<std::filesystem::path> folders_of(std::string_view search_path) {
  std::vector<std::filesystem::path> folders;
  while (!search_path.empty()) {
    const std::size_t end = std::min(search_path.find(':'), search_path.size());
    std::filesystem::path folder(search_path.substr(0, end));
    search_path.remove_prefix(std::min(end + 1, search_path.size()));
    if (folder.is_absolute()) folders.push_back(std::move(folder));
  }
  return folders;
}

// The same name in folders that are the program's folder by another spelling. A link to the program itself does not
// count: by another name it may be another command.
std::vector<std::string> other_spellings(const std::filesystem::path& program,
                                         const std::vector<std::filesystem::path>& folders) {
  std::vector<std::string> places;
  for (const auto& folder : folders) {
    std::error_code error;
    const bool is_same = std::filesystem::equivalent(folder, program.parent_path(), error) && !error;
    if (is_same && folder / program.filename() != program) places.push_back((folder / program.filename()).string());
  }
  return places;
}

}  // namespace

std::optional<policy::ProgramFile> find_program(const std::string& grant, std::string_view search_path) {
  if (grant.find('/') != std::string::npos) return program_at(absolute(grant));
  const auto folders = folders_of(search_path);
  for (const auto& folder : folders) {
    auto found = program_at(folder / grant);
    if (!found) continue;
    found->also = other_spellings(found->path, folders);
    return found;
  }
  return std::nullopt;
}

}  // namespace glovebox::calls
