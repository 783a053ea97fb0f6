#include "cli/store/restore_command.h"

#include <errno.h>
#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "base/system_error.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "gateway/adoption/owner_lock.h"
#include "policy/path_grants.h"
#include "workspace/open_store.h"
#include "workspace/with_store.h"

namespace glovebox::cli {
namespace {

namespace fs = std::filesystem;

// By their locks: the store may be damaged.
Result<void> no_gateway_runs(const std::string& state_folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(state_folder + "/gateways", error)) {
    if (entry.path().extension() != ".lock") continue;
    if (gateway::owner_is_alive(state_folder, entry.path().stem().string()))
      return Failure{ErrorCode::kConflict, "a gateway is running in this workspace; stop it first"};
  }
  return {};
}

bool agrees_to_restore(const std::string& file) {
  print_note("What " + file +
             " contains becomes the store of this workspace. Runs and workflows return to that state: what was");
  print_note("done since is forgotten, and resumed work may do it again. The current store is kept beside it.");
  std::fprintf(stderr, "Restore it? [y/N] ");
  ::tcflush(STDIN_FILENO, TCIFLUSH);  // what was typed before was no answer to this
  char answer[16] = {};
  return std::fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

Result<void> move_file(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0 && errno != ENOENT) return base::system_failure(errno, from);
  return {};
}

void remove_side_files(const std::string& path) {
  for (const char* ending : {"-wal", "-shm", "-turn"}) ::unlink((path + ending).c_str());
}

// A copy in the right folder, which is whole and can be read by this version.
Result<void> check_copy(const std::string& path) {
  const auto store = GLOVEBOX_TRY(store::Store::open(std::string(policy::parent_path(path)), GLOVEBOX_TRY(row_key()),
                                                     std::string(policy::last_name(path))));
  const auto problems = GLOVEBOX_TRY(store->check());
  if (problems.empty()) return {};
  return Failure{ErrorCode::kInvalidArgument, "the backup is damaged: " + problems.front()};
}

// Where the former store is now; nothing where the owner has not agreed.
Result<std::optional<std::string>> restore(const RestoreOptions& options) {
  Workspace workspace = GLOVEBOX_TRY(open_workspace(options.where));
  GLOVEBOX_TRY_VOID(make_state(workspace, {}));
  if (!workspace.config.gateway.store.address.empty()) {
    return Failure{ErrorCode::kInvalidArgument,
                   "a PostgreSQL store is restored with its own tools, such as pg_restore, or refilled: `store import "
                   "FILE` into an empty database"};
  }
  GLOVEBOX_TRY_VOID(no_gateway_runs(workspace.state_folder));
  const std::string path = shown_store(workspace);
  const std::string copy = path + ".restoring";
  remove_side_files(copy);
  std::error_code error;
  const fs::file_type type = fs::status(options.file, error).type();
  if (type == fs::file_type::not_found) return Failure{ErrorCode::kNotFound, "there is no " + options.file};
  if (!error && type != fs::file_type::regular)
    return Failure{ErrorCode::kInvalidArgument, options.file + " is not a regular file"};
  if (!error) fs::copy_file(options.file, copy, fs::copy_options::overwrite_existing, error);
  if (error) return base::system_failure(error.value(), options.file);
  auto good = check_copy(copy);
  remove_side_files(copy);
  const bool agreed =
      good && (options.yes || (!options.where.json && ::isatty(STDIN_FILENO) && agrees_to_restore(options.file)));
  if (!agreed) ::unlink(copy.c_str());
  if (!good) return Failure{ErrorCode::kInvalidArgument, options.file + " is not a usable backup"};
  if (!agreed) return std::optional<std::string>();
  // What is left of a crash belongs to the former file, and would be read into the new one.
  const std::string former = path + "." + std::to_string(base::now_ms()) + ".bak";
  GLOVEBOX_TRY_VOID(move_file(path + "-wal", former + "-wal"));
  ::unlink((path + "-shm").c_str());
  GLOVEBOX_TRY_VOID(move_file(path, former));
  GLOVEBOX_TRY_VOID(move_file(copy, path));
  return std::optional(former);
}

}  // namespace

int restore_store(const RestoreOptions& options) {
  const bool json = options.where.json;
  const auto former = restore(options);
  if (!former) return fail_to_change(former.failure(), json);
  const bool done = former->has_value();
  if (json) {
    print_json(ObjectText().flag("ok", done).text_or_null("former", done ? **former : "").done());
  } else {
    print_line(done ? "Restored. The previous store is " + **former + "."
                    : "Nothing was restored; --yes restores without asking.");
  }
  return done ? kOk : kWaiting;
}

}  // namespace glovebox::cli
