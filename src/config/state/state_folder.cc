#include "config/state/state_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/characters/ascii.h"
#include "base/characters/percent.h"
#include "base/digest.h"
#include "base/private_folder.h"
#include "base/system_error.h"
#include "base/text/json_builder.h"
#include "base/try.h"
#include "base/whole_file.h"
#include "config/jsonc.h"
#include "policy/path_grants.h"

namespace glovebox::config {
namespace {

constexpr std::size_t kMostWorkspaceBytes = 64 * 1024;
constexpr std::size_t kMostShownBytes = 40;
// Folders that had the same path over time.
constexpr int kMostOfOnePath = 1000;
constexpr const char* kRecordName = "/workspace.json";

// Which folder a path leads to.
struct Place {
  std::string path;  // printable: a path may be any bytes, JSON may not
  std::int64_t device = 0;
  std::int64_t inode = 0;
  std::int64_t born = 0;  // nanoseconds since 1970; 0 where the file system does not know

  // An inode may be reused after its folder was removed; a device number may change with each boot. The time of birth
  // resolves both.
  bool is_folder_of(const Place& other) const {
    if (inode != other.inode) return false;
    return born != 0 && other.born != 0 ? born == other.born : device == other.device;
  }
};

Result<Place> place_of(const std::string& path) {
  struct statx status {};
  if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME, &status) != 0) {
    return base::system_failure(errno, path);
  }
  Place place{base::printable_escaped(path, " "), (std::int64_t{status.stx_dev_major} << 32) | status.stx_dev_minor,
              static_cast<std::int64_t>(status.stx_ino), 0};
  if (status.stx_mask & STATX_BTIME) place.born = status.stx_btime.tv_sec * 1'000'000'000 + status.stx_btime.tv_nsec;
  return place;
}

std::string record_of(const Place& place) {
  base::ObjectText record;
  record.number("version", 1).text("path", place.path).number("device", place.device);
  return record.number("inode", place.inode).number("born", place.born).done() + "\n";
}

Result<Place> read_record(const std::string& folder) {
  const auto text = base::read_whole_file(folder + kRecordName, kMostWorkspaceBytes);
  const auto tree = parse_jsonc(text ? text.value() : "");
  const JsonObject* members = tree ? tree->as<JsonObject>() : nullptr;
  Place place;
  int read = 0;
  static const JsonObject kNone;
  for (const JsonMember& member : members ? *members : kNone) {
    const auto* number = member.value.as<std::int64_t>();
    const auto* path = member.value.as<std::string>();
    if (member.key == "path" && path) ++read, place.path = *path;
    if (member.key == "device" && number) ++read, place.device = *number;
    if (member.key == "inode" && number) ++read, place.inode = *number;
    if (member.key == "born" && number) ++read, place.born = *number;
  }
  if (read != 4) {
    return Failure{ErrorCode::kSystem,
                   folder +
                       " is not used: it does not say which workspace it belongs to (workspace.json); move it away " +
                       "to start afresh"};
  }
  return place;
}

// For people to find it by; the record is what distinguishes folders.
std::string folder_name(const std::string& workspace) {
  std::string name;
  for (const char c : policy::last_name(workspace).substr(0, kMostShownBytes)) {
    name += base::is_alnum(c) || c == '_' ? c : '-';
  }
  return name + "-" + base::short_digest(workspace);
}

// The search for a folder, and what was found on the way.
struct Search {
  StateFolder found;
  std::string former;  // the state of another folder that had this path
};

Result<Search> search(const std::string& home, const Place& workspace) {
  const std::string all = home + "/workspaces";
  const std::string first = all + "/" + folder_name(workspace.path);
  const auto missing = [](const Failure& failure) { return failure.code == ErrorCode::kNotFound; };
  const auto root = base::open_private_folder(home);
  if (!root && missing(root.failure())) return Search{{first}, {}};
  if (!root) return root.failure();
  const auto folders = base::open_private_folder(root->get(), "workspaces", all);
  if (!folders && missing(folders.failure())) return Search{{first}, {}};
  if (!folders) return folders.failure();
  Search so_far;
  for (int number = 1; number < kMostOfOnePath; ++number) {
    const std::string name = folder_name(workspace.path) + (number > 1 ? "-" + std::to_string(number) : "");
    so_far.found.path = all + "/" + name;
    const auto folder = base::open_private_folder(folders->get(), name, so_far.found.path);
    if (!folder && missing(folder.failure())) return so_far;
    if (!folder) return folder.failure();
    GLOVEBOX_TRY_VOID(base::check_private_entries(folder->get(), so_far.found.path));
    const Place record = GLOVEBOX_TRY(read_record(so_far.found.path));
    if (record.path != workspace.path) continue;
    so_far.found.exists = record.is_folder_of(workspace);
    if (so_far.found.exists) return so_far;
    so_far.former = so_far.found.path;
  }
  return Failure{ErrorCode::kSystem, "too many folders had the path " + workspace.path + "; clean up " + all};
}

// The state that the workspace had under another path; empty where there is none.
std::string state_before_renaming(const std::string& home, const Place& workspace, std::string& former_path) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(home + "/workspaces", error)) {
    const auto record = read_record(entry.path());
    if (!record || record->path == workspace.path || !record->is_folder_of(workspace)) continue;
    former_path = record->path;
    return entry.path();
  }
  return {};
}

std::string notice_about(const std::string& home, const Place& workspace, const Search& made) {
  const auto what_to_do = [](const std::string& folder) {
    return "; it starts afresh. If you want that state here, run: glovebox store import '" + folder + "'";
  };
  if (!made.former.empty()) {
    return "another folder was at " + workspace.path + " before, and has its state in " + made.former +
           what_to_do(made.former);
  }
  std::string former_path;
  const std::string before = state_before_renaming(home, workspace, former_path);
  if (before.empty()) return {};
  return "this workspace was at " + former_path + " before, and has its state in " + before + what_to_do(before);
}

// Created together with its record. False: another process was faster.
Result<bool> put_in_place(const std::string& path, const Place& workspace) {
  std::string made = path + ".XXXXXX";
  if (!::mkdtemp(made.data()))
    return base::system_failure(errno, "cannot create " + path + " (XDG_STATE_HOME may name another place)");
  const auto written = base::replace_file(made + kRecordName, record_of(workspace), 0600);
  if (written && ::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0) return true;
  const int error_number = errno;
  std::error_code ignored;
  std::filesystem::remove_all(made, ignored);
  if (!written) return written.failure();
  if (error_number == EEXIST) return false;
  return base::system_failure(error_number, "cannot create " + path);
}

}  // namespace

Result<std::string> folder_identity(const std::string& folder) {
  const Place place = GLOVEBOX_TRY(place_of(folder));
  return std::to_string(place.inode) + (place.born != 0 ? " born " : " on ") +
         std::to_string(place.born != 0 ? place.born : place.device);
}

Result<std::string> state_home() {
  const char* state = ::getenv("XDG_STATE_HOME");
  const char* home = ::getenv("HOME");
  if (state && *state == '/') return policy::normal_path("/", std::string(state) + "/glovebox");
  if (home && *home == '/') return policy::normal_path("/", std::string(home) + "/.local/state/glovebox");
  return Failure{ErrorCode::kInvalidArgument,
                 "there is no place for the state of workspaces: neither HOME nor XDG_STATE_HOME is an absolute path"};
}

Result<StateFolder> find_state_folder(const std::string& workspace) {
  const std::string home = GLOVEBOX_TRY(state_home());
  return GLOVEBOX_TRY(search(home, GLOVEBOX_TRY(place_of(workspace)))).found;
}

Result<StateFolder> make_state_folder(const std::string& workspace) {
  const std::string home = GLOVEBOX_TRY(state_home());
  const Place place = GLOVEBOX_TRY(place_of(workspace));
  GLOVEBOX_TRY_VOID(base::make_private_folders(home + "/workspaces"));
  for (;;) {
    Search now = GLOVEBOX_TRY(search(home, place));
    if (now.found.exists) return now.found;
    if (!GLOVEBOX_TRY(put_in_place(now.found.path, place))) continue;
    now.found.exists = true;
    now.found.notice = notice_about(home, place, now);
    return now.found;
  }
}

}  // namespace glovebox::config
