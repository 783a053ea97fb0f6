#include "frontend/gateway_cli/state/import_command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/private_folder.h"
#include "base/system_error.h"
#include "base/try.h"
#include "base/whole_file.h"
#include "frontend/gateway_cli/open_store.h"
#include "frontend/gateway_cli/terminal_prompt.h"
#include "frontend/gateway_cli/with_store.h"
#include "gateway/card/framed_text.h"
#include "gateway/liveness.h"

namespace glovebox::frontend {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostTokenBytes = 256 * 1024;

// What the owner says yes to.
struct Found {
  std::string folder;
  std::size_t unended = 0;
  std::vector<std::string> rules;  // that would be written to the config
};

Result<void> nobody_uses(store::Store& store, const std::string& folder) {
  for (const store::NodeRecord& node : GLOVEBOX_TRY(store.nodes())) {
    if (gateway::owner_lives(store, folder, node.id))
      return Failure{ErrorCode::kConflict, "a gateway uses it (" + node.id + "); end it first"};
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

// Seals what is in the copy, which makes it ours; it counts only once it is in its place.
Result<Found> look_at_copy(const std::string& state_folder, const std::string& from) {
  const auto store = GLOVEBOX_TRY(store::Store::open(state_folder, GLOVEBOX_TRY(row_key()), "incoming.db"));
  GLOVEBOX_TRY_VOID(nobody_uses(*store, from));
  GLOVEBOX_TRY_VOID(store->seal_all());
  Found found{from, GLOVEBOX_TRY(store->unended_runs()).size(), {}};
  for (const store::RememberedRule& rule : GLOVEBOX_TRY(store->rules_to_write())) found.rules.push_back(rule.pattern);
  return found;
}

// What is taken over may hold answers and grants, so a person says that it shall be. No where there is no terminal.
bool person_agrees(const Found& found) {
  std::string note = "Runs that go on: " + std::to_string(found.unended) + "\n";
  for (const std::string& rule : found.rules) note += "Allowed from then on:\n" + gateway::framed(rule, {});
  const gateway::ApprovalCard card{"import", "", "The state in " + found.folder + " becomes that of this workspace",
                                   "{}"};
  return confirmed_by_code(card, note + "Only do this if it is your own.\n").value_or(false);
}

// What is there already stays, under another name.
Result<void> set_aside(const Workspace& workspace, const std::string& path) {
  const auto present = GLOVEBOX_TRY(open_store(workspace));
  if (!present) return {};
  GLOVEBOX_TRY_VOID(nobody_uses(*present, workspace.state_folder));
  GLOVEBOX_TRY_VOID(present->back_up_to(path + "." + std::to_string(now_ms()) + ".bak"));
  return {};
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

Result<Found> take_over(const ImportOptions& options, bool& agreed) {
  Workspace workspace = GLOVEBOX_TRY(open_workspace(options.where));
  GLOVEBOX_TRY_VOID(make_state(workspace, {}));
  const config::StoreSettings& settings = workspace.config.gateway.store;
  if (!settings.path.empty() || !settings.address.empty()) {
    return Failure{ErrorCode::kInvalidArgument,
                   "the config names a store of its own; state is taken over into the default one"};
  }
  const std::string from = options.from.empty() ? workspace.dot_folder : options.from;
  const std::string old = from + "/glovebox.db";
  const auto folder = base::open_private_folder(from);
  if (!folder) return folder.failure();
  GLOVEBOX_TRY_VOID(base::check_private_entries(folder->get(), from));
  struct stat status {};
  if (::lstat(old.c_str(), &status) != 0) return Failure{ErrorCode::kNotFound, "there is no " + old};
  // A copy is looked at, so that nothing changes before the owner has said yes.
  const std::string path = workspace.state_folder + "/glovebox.db";
  const std::string copy = workspace.state_folder + "/incoming.db";
  remove_database(copy);
  GLOVEBOX_TRY_VOID(copy_database(old, copy));
  auto found = look_at_copy(workspace.state_folder, from);
  agreed = found && person_agrees(found.value());
  const auto aside = agreed ? set_aside(workspace, path) : Result<void>();
  if (!agreed || !aside) remove_database(copy);
  if (!aside) return aside.failure();
  if (!agreed) return found;
  remove_database(path);
  if (::rename(copy.c_str(), path.c_str()) != 0) return base::system_failure(errno, path);
  GLOVEBOX_TRY_VOID(copy_tokens(from + "/tokens", workspace.state_folder + "/tokens"));
  // The chain of the present log goes on; the former one can still be read.
  const std::string log = workspace.state_folder + "/audit-imported-" + std::to_string(now_ms()) + ".log";
  if (::rename((from + "/audit.log").c_str(), log.c_str()) != 0 && errno != ENOENT)
    print_note("glovebox: " + base::system_failure(errno, from + "/audit.log").message);
  remove_database(old);
  return found;
}

}  // namespace

int import_state(const ImportOptions& options) {
  const bool json = options.where.json;
  bool agreed = false;
  const auto found = take_over(options, agreed);
  if (!found) return fail_to_change(found.failure(), json);
  if (json) {
    print_json(std::string(R"({"ok":)") + (agreed ? "true" : "false") + R"(,"from":)" + json_text(found->folder) +
               R"(,"runs":)" + std::to_string(found->unended) + "}");
  } else {
    print_line(agreed ? "Taken over from " + found->folder + "."
                      : "Nothing was taken over from " + found->folder + "; a person at a terminal agrees to it.");
  }
  return agreed ? kOk : kWaiting;
}

}  // namespace glovebox::frontend
