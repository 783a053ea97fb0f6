#include "catalog/pins/lock_document.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "base/system_error.h"
#include "base/text/json_text.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "base/whole_file.h"
#include "mcp/json/json_tree.h"

namespace glovebox::catalog {
namespace {

namespace json = boost::json;

// Two thousand tools with long descriptions. The file may have come with a repository, and becomes a tree each time
// that it has changed: a short value takes far more room there than in the text.
constexpr std::size_t kMostLockBytes = std::size_t{16} << 20;
constexpr std::ptrdiff_t kMostLockValues = 1'000'000;

// No fewer than there are: those within texts are counted, too.
std::ptrdiff_t values_in(std::string_view json) {
  return std::count_if(json.begin(), json.end(), [](char c) { return c == ',' || c == '[' || c == '{'; });
}

// Pins are worth committing; the rest belongs to this machine.
constexpr std::string_view kGitIgnore = "*\n!.gitignore\n!mcp.lock\n!glovebox.schema.json\n";

std::string too_large() {
  return "has more than " + std::to_string(kMostLockBytes >> 20) + " MB or " + std::to_string(kMostLockValues) +
         " values, which no lock needs";
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_ino == b.st_ino && a.st_dev == b.st_dev && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

Result<void> make_dot_folder(const std::string& folder) {
  GLOVEBOX_TRY_VOID(base::make_folder(folder));
  const base::UniqueFd file(
      ::open((folder + "/.gitignore").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  // Failure is ignored: people can still decide by themselves what to commit.
  if (file.valid()) (void)!::write(file.get(), kGitIgnore.data(), kGitIgnore.size());
  return {};
}

Result<base::UniqueFd> lock_folder(const std::string& folder) {
  base::UniqueFd held(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!held.valid()) return base::system_failure(errno, folder);
  while (::flock(held.get(), LOCK_EX) != 0)
    if (errno != EINTR) return base::system_failure(errno, folder);
  return held;
}

Result<base::UniqueFd> lock_dot_folder(const std::string& folder) {
  GLOVEBOX_TRY_VOID(make_dot_folder(folder));
  return lock_folder(folder);
}

LockDocument::LockDocument(std::string state_folder) : folder_(std::move(state_folder)) {
  if (!folder_.empty()) path_ = folder_ + "/mcp.lock";
}

Failure LockDocument::wrong(const std::string& what) const {
  return {ErrorCode::kInvalidArgument, path_ + " " + what + "; fix it, or remove it to pin everything again"};
}

bool LockDocument::exists() const {
  struct stat status {};
  return !path_.empty() && ::stat(path_.c_str(), &status) == 0;
}

Result<json::object> LockDocument::read() const {
  auto text = path_.empty() ? Result<std::string>(Failure{ErrorCode::kNotFound, ""})
                            : base::read_whole_file(path_, kMostLockBytes);
  struct stat status {};
  if (!text && ::stat(path_.c_str(), &status) == 0 && status.st_size > static_cast<off_t>(kMostLockBytes))
    return wrong(too_large());
  if (!text && text.failure().code != ErrorCode::kNotFound) return std::move(text).failure();
  if (!text) return json::object{{"version", 1}, {"entries", json::object()}};
  if (values_in(text.value()) > kMostLockValues) return wrong(too_large());
  auto root = mcp::parse_object(text.value());
  if (!root) return wrong("cannot be read: " + root.failure().message);
  const json::value* version = mcp::member(*root, "version");
  if (!version || *version != 1) return wrong("has an unsupported version");
  return root;
}

Result<std::optional<json::object>> LockDocument::read_if_changed() {
  struct stat status {};
  if (path_.empty() || ::stat(path_.c_str(), &status) != 0) {
    if (!path_.empty() && errno != ENOENT) return base::system_failure(errno, path_);
    forget();
    return std::optional(GLOVEBOX_TRY(LockDocument("").read()));
  }
  if (seen_ && same_file(status, *seen_)) return std::optional<json::object>();
  forget();
  auto root = GLOVEBOX_TRY(read());
  seen_ = status;
  return std::optional(std::move(root));
}

Result<void> LockDocument::update(const std::function<Result<bool>(json::object&)>& change) {
  const base::UniqueFd lock = GLOVEBOX_TRY(lock_dot_folder(folder_));
  json::object root = GLOVEBOX_TRY(read());
  if (!GLOVEBOX_TRY(change(root))) return {};
  root["updatedAt"] = base::iso_seconds(base::now_ms());
  const std::string text = base::pretty_json(json::serialize(root)) + "\n";
  if (text.size() > kMostLockBytes || values_in(text) > kMostLockValues)
    return Failure{ErrorCode::kInvalidArgument, path_ + " is not written: with this change it " + too_large() +
                                                    "; disable servers that are not used"};
  GLOVEBOX_TRY_VOID(base::replace_entry(path_, text));
  forget();
  return {};
}

}  // namespace glovebox::catalog
