#include "cli/connect/own_command.h"

#include <stdlib.h>
#include <unistd.h>

#include <memory>

namespace glovebox::cli {
namespace {

// Empty where there is no such file.
std::string resolved(const std::string& path) {
  const std::unique_ptr<char, decltype(&::free)> real(::realpath(path.c_str(), nullptr), ::free);
  return real ? real.get() : "";
}

bool is_program(const std::string& path) {
  return ::access(path.c_str(), X_OK) == 0;
}

// What people start: bin/glovebox of an installation, which checks it first; in a build the program itself.
std::string starter_of(const std::string& program) {
  constexpr std::string_view kInside = "/libexec/glovebox/glovebox";
  if (!program.ends_with(kInside)) return program;
  std::string starter = program.substr(0, program.size() - kInside.size()) + "/bin/glovebox";
  return is_program(starter) ? starter : program;
}

// Searches as npm's launcher does (packaging/npm/glovebox.sh).
bool launches(const std::string& launcher, const std::string& starter) {
  constexpr std::string_view kLauncher = "/node_modules/glovebox/bin/glovebox";
  constexpr std::string_view kBin = "/bin/glovebox";
  if (!launcher.ends_with(kLauncher)) return false;
  std::string above = launcher.substr(0, launcher.size() - kBin.size());
  for (;;) {
    const std::string candidate = above + "/node_modules/@glovebox/linux-x64/bin/glovebox";
    if (is_program(candidate)) return resolved(candidate) == starter;
    if ((above + "/").find("/node_modules/") == above.npos) return false;
    above.resize(above.rfind('/'));
  }
}

}  // namespace

std::vector<std::string> own_command(const std::string& program, std::string_view path) {
  const std::string starter = starter_of(program);
  const std::string here = resolved(starter);
  if (here.find("/_npx/") != here.npos) return {"npx", "-y", "glovebox"};
  while (!path.empty()) {
    const std::size_t colon = path.find(':');
    const std::string_view folder = path.substr(0, colon);
    path.remove_prefix(colon == path.npos ? path.size() : colon + 1);
    // npm adds such a folder to PATH only for what it starts itself.
    if (!folder.starts_with('/') || folder.ends_with("/node_modules/.bin")) continue;
    const std::string named = std::string(folder) + "/glovebox";
    if (!is_program(named)) continue;
    const std::string found = resolved(named);
    if (!found.empty() && (found == here || launches(found, here))) return {"glovebox"};
    break;  // another copy
  }
  return {starter};
}

}  // namespace glovebox::cli
