#include "capability/registry/npm_package.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/characters/ascii.h"
#include "base/text/json_slice.h"
#include "base/try.h"
#include "base/whole_file.h"
#include "mcp/limits.h"
#include "policy/path_grants.h"

namespace glovebox::capability {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModules = "/node_modules/";

// What npx and its like fetch: name, name@version.
struct Fetched {
  std::string name;
  std::string version;  // empty: whichever there is
};

std::optional<Fetched> fetched_by(const Dependency& dependency) {
  const std::string program(policy::last_name(dependency.command));
  if (program != "npx" && program != "bunx" && program != "pnpx") return std::nullopt;
  for (std::size_t i = 0; i < dependency.args.size(); ++i) {
    std::string word = dependency.args[i];
    if ((word == "-p" || word == "--package") && i + 1 < dependency.args.size()) {
      word = dependency.args[i + 1];
    } else if (word.starts_with("--package=")) {
      word = word.substr(10);
    } else if (word.starts_with('-')) {
      continue;
    }
    const std::size_t at = word.find('@', 1);
    return Fetched{word.substr(0, at), at == word.npos ? "" : word.substr(at + 1)};
  }
  return std::nullopt;
}

bool is_exact(const std::string& version) {
  return !version.empty() && base::is_digit(version.front()) && version.find_first_of("^~<>=|* x") == version.npos;
}

// The file of the disk that the command begins with: a program, or the script that an engine is given.
std::optional<std::string> file_run_by(const Dependency& dependency, const std::string& folder) {
  const std::string program(policy::last_name(dependency.command));
  std::string file = dependency.command;
  if (program == "node" || program == "nodejs" || program == "bun" || program == "deno") {
    const auto script = std::find_if(dependency.args.begin(), dependency.args.end(),
                                     [](const std::string& word) { return !word.starts_with('-') && word != "run"; });
    if (script == dependency.args.end()) return std::nullopt;
    file = *script;
  }
  if (file.find('/') == file.npos) return std::nullopt;
  std::error_code error;
  const fs::path real = fs::canonical(fs::path(folder) / file, error);
  if (error) return std::nullopt;
  return real.string();
}

struct Installed {
  std::string folder;
  std::string root;  // the folder with the outermost node_modules
};

std::optional<Installed> package_around(const std::string& file) {
  const std::size_t last = file.rfind(kModules);
  if (last == file.npos) return std::nullopt;
  std::size_t end = file.find('/', last + kModules.size());
  if (file[last + kModules.size()] == '@' && end != file.npos) end = file.find('/', end + 1);
  if (end == file.npos) return std::nullopt;
  return Installed{file.substr(0, end), file.substr(0, file.find(kModules))};
}

// A file that npm writes, or none. It is never a tree: one of a repository could be made to have many times its size.
std::string document(const std::string& path, PackageBudget& budget) {
  auto text = base::read_whole_file(path, std::min(kMostPackageFileBytes, budget.bytes));
  if (!text) return "";
  budget.bytes -= text->size();
  return std::move(text).value();
}

std::string_view npm_member(std::string_view json, std::string_view key) {
  const auto members = base::JsonSlices::of(json, {.max_depth = mcp::kMaxMessageDepth});
  return members ? members->raw(key) : std::string_view();
}

std::string npm_text(std::string_view json, std::string_view key) {
  const auto members = base::JsonSlices::of(json, {.max_depth = mcp::kMaxMessageDepth});
  return members ? members->text(key) : std::string();
}

// What npm noted of the archive that it unpacked there; empty: nothing.
std::string noted_integrity(const Installed& installed, PackageBudget& budget) {
  const std::string lock = document(installed.root + "/node_modules/.package-lock.json", budget);
  const std::string_view packages = npm_member(lock, "packages");
  return npm_text(npm_member(packages, installed.folder.substr(installed.root.size() + 1)), "integrity");
}

Result<std::string> digest_of(const fs::path& path, PackageBudget& budget) {
  std::error_code error;
  if (fs::is_symlink(path, error)) return "link " + fs::read_symlink(path, error).string();
  const std::string text = GLOVEBOX_TRY(base::read_whole_file(path.string(), budget.bytes));
  budget.bytes -= text.size();
  return Integrity::of(text).text();
}

// Of names and contents of all files, in the order of their names, without the packages within.
Result<std::string> integrity_of_files(const std::string& folder, PackageBudget& budget) {
  const Failure too_much{ErrorCode::kInvalidArgument, folder + " is too large to check"};
  std::vector<std::string> names;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (budget.files == 0) return too_much;
    --budget.files;
    // A link that leads to itself has no type, and asking for it would throw.
    std::error_code none;
    const fs::file_type type = entry->symlink_status(none).type();
    if (entry->path().filename() == "node_modules" && fs::is_directory(entry->path(), none)) {
      entry.disable_recursion_pending();
      continue;
    }
    if (type == fs::file_type::directory) continue;
    if (type != fs::file_type::symlink && type != fs::file_type::regular)
      return Failure{ErrorCode::kInvalidArgument, folder + " contains something that is not a file"};
    names.push_back(entry->path().string());
  }
  if (error) return Failure{ErrorCode::kSystem, folder + " cannot be read: " + error.message()};
  std::sort(names.begin(), names.end());
  std::string all;
  for (const std::string& name : names) {
    all += name.substr(folder.size());
    all += '\0';
    all += GLOVEBOX_TRY(digest_of(name, budget));
    all += '\n';
  }
  return Integrity::of(all).text();
}

PackageFacts with_problem(std::string problem) {
  PackageFacts facts;
  facts.problem = std::move(problem);
  return facts;
}

}  // namespace

PackageFacts inspect_package(const Dependency& dependency, const std::string& folder, PackageBudget& budget) {
  PackageFacts facts;
  if (dependency.type != Dependency::Type::kStdio) return facts;
  const std::string& declared = dependency.version;
  const std::string& wanted = dependency.package_integrity;
  if (const auto fetched = fetched_by(dependency)) {
    if (!declared.empty() && !fetched->version.empty() && fetched->version != declared)
      return with_problem("it declares version " + declared + " and runs " + fetched->name + "@" + fetched->version);
    if (!wanted.empty())
      return with_problem(
          "it declares the integrity of a package that is only fetched when it runs, so it cannot be verified "
          "beforehand; install the package and name its file");
    facts.remark = is_exact(fetched->version)
                       ? "npm fetches " + fetched->name + " " + fetched->version
                       : "npm fetches whatever version of " + fetched->name + " is current when it runs";
    return facts;
  }
  const auto file = file_run_by(dependency, folder);
  const auto installed = file ? package_around(*file) : std::nullopt;
  if (!installed) {
    if (!wanted.empty())
      return with_problem("it declares the integrity of a package, but its command runs none that is installed here");
    facts.remark = "which files it runs is unknown";
    return facts;
  }
  const std::string version = npm_text(document(installed->folder + "/package.json", budget), "version");
  if (!declared.empty() && version != declared)
    return with_problem("it declares version " + declared + ", and " + installed->folder + " is " +
                        (version.empty() ? "of no version" : version));
  if (!wanted.empty()) {
    const std::string noted = noted_integrity(*installed, budget);
    if (noted != wanted)
      return with_problem(noted.empty()
                              ? "it declares the integrity of a package for which npm recorded none"
                              : "it declares the integrity of a different package from the one that npm installed in " +
                                    installed->folder);
  }
  auto files = integrity_of_files(installed->folder, budget);
  if (!files) return with_problem(files.failure().message);
  facts.files = std::move(files).value();
  facts.remark = "its files are " + installed->folder + (version.empty() ? "" : ", version " + version);
  return facts;
}

}  // namespace glovebox::capability
