#include "config/config_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/json_text.h"
#include "base/system_error.h"
#include "base/unique_fd.h"
#include "config/nearest_word.h"

namespace glovebox::config {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;

// Nobody mends more at once, and each costs a look through the file for its line.
constexpr std::size_t kMostProblems = 20;

Result<std::string> read_text(const std::string& path) {
  // Not blocking: a FIFO of that name would wait for ever.
  const base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return base::system_failure(errno, "cannot be read");
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return base::system_failure(errno, "cannot be read");
  if (!S_ISREG(status.st_mode)) return Failure{ErrorCode::kInvalidArgument, "is not a regular file"};
  std::string text;
  char buffer[16 * 1024];
  for (;;) {
    const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
    if (got == 0) return text;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::system_failure(errno, "cannot be read");
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > kMostBytes) return Failure{ErrorCode::kInvalidArgument, "is larger than a megabyte"};
  }
}

void make_relative_to(const std::string& folder, std::optional<std::vector<std::string>>& paths, bool programs) {
  if (!paths || folder.empty()) return;
  for (std::string& path : *paths) {
    const bool is_name = programs && path.find('/') == std::string::npos;
    if (!is_name && !path.starts_with('/')) path.insert(0, folder);
  }
}

}  // namespace

std::string ConfigProblems::text() const {
  std::string all;
  for (const ConfigProblem& problem : problems) {
    if (!all.empty()) all += '\n';
    all += path + ":";
    if (problem.position) {
      all += std::to_string(problem.position->line) + ":" + std::to_string(problem.position->column) + ":";
    }
    all += " " + problem.message;
  }
  return all;
}

ConfigResult<ConfigFile> parse_config(std::string_view text, const std::string& path) {
  ConfigFile config;
  config.path = path;
  std::vector<JsonProblem> found;
  const auto root = parse_jsonc(text);
  if (!root) {
    found.push_back(root.failure());
  } else if (const auto* members = root.value().as<JsonObject>()) {
    // Other keys belong to other parts of the program. One that was meant to be this one does not: its limits would
    // silently not hold.
    constexpr std::string_view kKey[] = {"sandbox"};
    for (const JsonMember& member : *members) {
      if (member.key == kKey[0]) {
        config.sandbox = read_sandbox_settings(member.value, found);
      } else if (!nearest_word(member.key, kKey).empty()) {
        found.push_back(
            {member.key_offset, "there is no key " + base::json_string(member.key) + "; did you mean \"sandbox\"?"});
      }
    }
  } else {
    found.push_back({root.value().offset, "a config file is an object, such as {\"sandbox\": {\"timeoutMs\": 30000}}"});
  }
  if (!found.empty()) {
    ConfigProblems problems{path, {}};
    found.resize(std::min(found.size(), kMostProblems));
    for (JsonProblem& problem : found) {
      problems.problems.push_back({position_of(text, problem.offset), std::move(problem.message)});
    }
    return problems;
  }
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  make_relative_to(folder, config.sandbox.allow_read, false);
  make_relative_to(folder, config.sandbox.allow_write, false);
  make_relative_to(folder, config.sandbox.allow_run, true);
  return config;
}

ConfigResult<ConfigFile> read_config_file(const std::string& path) {
  const auto text = read_text(path);
  if (!text) return ConfigProblems{path, {{std::nullopt, text.failure().message}}};
  return parse_config(text.value(), path);
}

bool config_file_is_here() {
  struct stat status {};
  return ::lstat(kConfigName, &status) == 0;
}

}  // namespace glovebox::config
