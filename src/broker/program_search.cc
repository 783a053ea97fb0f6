#include "broker/program_search.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace glovebox::broker {
namespace {

std::optional<policy::ProgramFile> program_at(const std::filesystem::path& path) {
  std::error_code error;
  const auto file = std::filesystem::canonical(path, error);
  if (error || !std::filesystem::is_regular_file(file, error)) return std::nullopt;
  if (::faccessat(AT_FDCWD, file.c_str(), X_OK, AT_EACCESS) != 0) return std::nullopt;
  return policy::ProgramFile{path.string(), file.string()};
}

// ../bin/./tool as its folder is called, with the last part as it is: programs look at their own name.
std::filesystem::path absolute(const std::filesystem::path& path) {
  std::error_code error;
  if (path.is_absolute()) return path;
  const auto parent = std::filesystem::canonical(path.parent_path(), error);
  return error ? path : parent / path.filename();
}

}  // namespace

std::optional<policy::ProgramFile> find_program(const std::string& grant, std::string_view search_path) {
  if (grant.find('/') != std::string::npos) return program_at(absolute(grant));
  while (!search_path.empty()) {
    const std::size_t end = std::min(search_path.find(':'), search_path.size());
    const std::filesystem::path folder(search_path.substr(0, end));
    search_path.remove_prefix(std::min(end + 1, search_path.size()));
    if (!folder.is_absolute()) continue;
    if (auto found = program_at(folder / grant)) return found;
  }
  return std::nullopt;
}

}  // namespace glovebox::broker
