#include "cli/store/import_command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "base/private_folder.h"
#include "base/system_error.h"
#include "base/text/framed_text.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "base/whole_file.h"
#include "cli/session/confirmation.h"
#include "cli/session/progress_line.h"
#include "gateway/adoption/liveness.h"
#include "policy/path_grants.h"
#include "workspace/open_store.h"
#include "workspace/with_store.h"

namespace glovebox::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostTokenBytes = 256 * 1024;
constexpr std::size_t kMostCounted = 100'000;

// What the owner says yes to.
struct Found {
  std::string from;
  std::size_t unended = 0;         // runs and workflows
  std::vector<std::string> rules;  // that would be written to the config
};

// Where the state lies, and what of it is there.
struct StateSource {
  std::string folder;  // empty: a file of its own, which was exported
  std::string file;
};

Result<void> check_unused(store::Store& store, const std::string& folder) {
  for (const store::NodeRecord& node : GLOVEBOX_TRY(store.nodes())) {
    if (gateway::owner_lives(store, folder, node.id))
      return Failure{ErrorCode::kConflict, "a gateway uses it (" + node.id + "); stop it first"};
  }
  return {};
}

Result<void> copy_database(const std::string& from, const std::string& to) {
  for (const char* ending : {"", "-wal"}) {
    std::error_code error;
    fs::copy_file(from + ending, to + ending, error);
    if (error && error.value() != ENOENT) return base::system_failure(error.value(), from + ending);
  }
  return {};
}

Result<std::unique_ptr<store::Store>> open_copy(const std::string& copy) {
  return store::Store::open(std::string(policy::parent_path(copy)), GLOVEBOX_TRY(row_key()),
                            std::string(policy::last_name(copy)),
                            [](const std::string& line) { print_note("glovebox: " + line); });
}

// Seals what is in the copy, which makes it ours; it counts only once it is in its place.
Result<Found> inspect_copy(const std::string& copy, const StateSource& source) {
  auto opened = open_copy(copy);
  if (!opened && opened.failure().code == ErrorCode::kProtocol)
    return Failure{ErrorCode::kInvalidArgument, source.file + " is not a store, or is damaged"};
  const auto store = GLOVEBOX_TRY(std::move(opened));
  const auto problems = GLOVEBOX_TRY(store->check());
  if (!problems.empty()) return Failure{ErrorCode::kInvalidArgument, source.file + " is damaged: " + problems.front()};
  // Gateways that ran where a file was exported do not run here.
  GLOVEBOX_TRY_VOID(source.folder.empty() ? store->forget_nodes() : check_unused(*store, source.folder));
  GLOVEBOX_TRY_VOID(store->seal_all());
  Found found{source.folder.empty() ? source.file : source.folder, GLOVEBOX_TRY(store->unended_runs()).size(), {}};
  for (const store::WorkflowRecord& workflow : GLOVEBOX_TRY(store->list_workflows(std::nullopt, kMostCounted)))
    found.unended += store::has_ended(workflow.status) ? 0 : 1;
  for (const store::RememberedRule& rule : GLOVEBOX_TRY(store->rules_to_write())) found.rules.push_back(rule.pattern);
  return found;
}

// What is taken over may hold answers and grants, so a person says that it shall be. No where there is no terminal.
bool person_agrees(const Found& found) {
  std::string note = "Runs and workflows that would resume: " + std::to_string(found.unended) + "\n";
  for (const std::string& rule : found.rules) note += "Rules that would apply:\n" + base::framed(rule, {});
  const gateway::ApprovalRequest request{"import", "", "The state in " + found.from + " becomes that of this workspace",
                                         "{}"};
  return confirmed_by_code(request,
                           note +
                               "Do this only if it is your own, and if no gateway elsewhere continues with it:\n"
                               "what waits in it would be done in both places.\n")
      .value_or(false);
}

void remove_database(const std::string& path) {
  for (const char* ending : {"", "-wal", "-shm", "-turn"}) ::unlink((path + ending).c_str());
}

// Files that are no links and belong to this user.
Result<void> copy_tokens(const std::string& from, const std::string& to) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(from, error)) {
    struct stat status {};
    if (::lstat(entry.path().c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != ::geteuid())
      continue;
    GLOVEBOX_TRY_VOID(base::make_folder(to));
    const std::string text = GLOVEBOX_TRY(base::read_whole_file(entry.path(), kMostTokenBytes));
    GLOVEBOX_TRY_VOID(base::replace_file(to + "/" + entry.path().filename().string(), text, 0600));
  }
  return {};
}

// In the folder of a former store, or in a file of its own.
Result<StateSource> find_source(const ImportOptions& options, const Workspace& workspace) {
  const std::string from = options.from.empty() ? workspace.dot_folder : options.from;
  struct stat status {};
  if (::lstat(from.c_str(), &status) == 0 && S_ISREG(status.st_mode)) return StateSource{"", from};
  const StateSource source{from, from + "/glovebox.db"};
  const auto folder = base::open_private_folder(from);
  if (!folder) return folder.failure();
  GLOVEBOX_TRY_VOID(base::check_private_entries(folder->get(), from));
  if (::lstat(source.file.c_str(), &status) != 0) return Failure{ErrorCode::kNotFound, "there is no " + source.file};
  return source;
}

// What is there already stays, under another name.
Result<void> put_in_place(const Workspace& workspace, const std::string& copy) {
  const std::string path = store_path(workspace);
  if (const auto present = GLOVEBOX_TRY(open_store(workspace))) {
    GLOVEBOX_TRY_VOID(check_unused(*present, workspace.state_folder));
    GLOVEBOX_TRY_VOID(present->back_up_to(path + "." + std::to_string(base::now_ms()) + ".bak"));
  }
  remove_database(path);
  if (::rename(copy.c_str(), path.c_str()) != 0) return base::system_failure(errno, path);
  return {};
}

// A database that others may use: nothing of theirs is overwritten.
Result<void> fill_database(const Workspace& workspace, const std::string& copy) {
  const auto target = GLOVEBOX_TRY(make_store(workspace));
  GLOVEBOX_TRY_VOID(check_unused(*target, workspace.state_folder));
  const auto incoming = GLOVEBOX_TRY(open_copy(copy));
  ProgressLine line("importing rows");
  return target->fill_from(*incoming, [&](std::size_t done, std::size_t of) { line.show(done, of); });
}

// The rest of a folder: tokens, and the log, whose chain ends there; the present one continues.
Result<void> take_files(const StateSource& source, const std::string& state_folder) {
  if (source.folder.empty()) return {};
  GLOVEBOX_TRY_VOID(copy_tokens(source.folder + "/tokens", state_folder + "/tokens"));
  const std::string log = state_folder + "/audit-imported-" + std::to_string(base::now_ms()) + ".log";
  if (::rename((source.folder + "/audit.log").c_str(), log.c_str()) != 0 && errno != ENOENT)
    print_note("glovebox: " + base::system_failure(errno, source.folder + "/audit.log").message);
  remove_database(source.file);
  return {};
}

Result<Found> take_over(const ImportOptions& options, bool& agreed) {
  Workspace workspace = GLOVEBOX_TRY(open_workspace(options.where));
  GLOVEBOX_TRY_VOID(make_state(workspace, {}));
  const StateSource source = GLOVEBOX_TRY(find_source(options, workspace));
  const bool is_file = workspace.config.gateway.store.address.empty();
  // A copy is examined, so that nothing changes before the owner has said yes.
  const std::string copy =
      (is_file ? std::string(policy::parent_path(store_path(workspace))) : workspace.state_folder) + "/incoming.db";
  remove_database(copy);
  GLOVEBOX_TRY_VOID(copy_database(source.file, copy));
  auto found = inspect_copy(copy, source);
  agreed = found && person_agrees(found.value());
  Result<void> taken;
  if (agreed) taken = is_file ? put_in_place(workspace, copy) : fill_database(workspace, copy);
  remove_database(copy);
  if (!taken) return taken.failure();
  if (agreed) GLOVEBOX_TRY_VOID(take_files(source, workspace.state_folder));
  return found;
}

}  // namespace

int import_state(const ImportOptions& options) {
  const bool json = options.where.json;
  bool agreed = false;
  const auto found = take_over(options, agreed);
  if (!found) return fail_to_change(found.failure(), json);
  if (json) {
    print_json(ObjectText().flag("ok", agreed).text("from", found->from).number("runs", found->unended).done());
  } else {
    print_line(agreed ? "Imported from " + found->from + "."
                      : "Nothing was imported from " + found->from + "; a person has to agree at a terminal.");
  }
  return agreed ? kOk : kWaiting;
}

}  // namespace glovebox::cli
