#include "cli/store/store_command.h"

#include <memory>

#include "base/wall_clock.h"
#include "cli/session/progress_line.h"
#include "cli/store/import_command.h"
#include "cli/store/restore_command.h"
#include "gateway/adoption/liveness.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/report.h"
#include "workspace/with_store.h"
#include "workspace/workspace.h"

namespace glovebox::cli {
namespace {

struct StoreOptions {
  WorkspaceFlags where;
  std::string file;
  bool needs_one_alive = false;
};

int fail_store(const Failure& failure, bool json) {
  const bool usage = failure.code == ErrorCode::kInvalidArgument || failure.code == ErrorCode::kConflict;
  return usage ? fail_usage(failure.message, json) : fail_to_read(failure, json);
}

std::string megabytes(std::int64_t bytes) {
  const std::int64_t tenths = bytes * 10 / (1 << 20);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MB";
}

int collect(const StoreOptions& options) {
  return with_store(options.where, fail_store, [&](const Workspace& workspace, store::Store* store) -> int {
    std::size_t removed = 0;
    if (store) {
      const Retention retention = retention_of(workspace);
      const std::int64_t before = base::now_ms() - std::chrono::milliseconds(retention.keep_for).count();
      ProgressLine line("removing old runs and workflows");
      const auto pruned = store->prune(retention.keep_runs, before, store::kMostKeptBytes,
                                       [&](std::size_t so_far) { line.show(so_far); });
      if (!pruned) return fail_store(pruned.failure(), options.where.json);
      removed = pruned->removed;
    }
    if (options.where.json) {
      print_json(ObjectText().flag("ok", true).number("removed", removed).done());
    } else {
      print_line(std::to_string(removed) + " old runs and workflows were removed.");
    }
    return kOk;
  });
}

int back_up(const StoreOptions& options) {
  return with_store(options.where, fail_store, [&](const Workspace&, store::Store* store) -> int {
    if (!store) return fail_usage("this workspace has no store yet", options.where.json);
    ProgressLine line("copying rows");
    const auto copied = store->back_up_to(options.file, [&](std::size_t done, std::size_t of) { line.show(done, of); });
    if (!copied) return fail_store(copied.failure(), options.where.json);
    if (options.where.json) {
      print_json(ObjectText().flag("ok", true).text("file", options.file).done());
    } else {
      print_line("Copied to " + options.file + ".");
    }
    return kOk;
  });
}

int vacuum(const StoreOptions& options) {
  return with_store(options.where, fail_store, [&](const Workspace&, store::Store* store) -> int {
    std::int64_t before = 0, after = 0;
    if (store) {
      const auto measured = store->bytes();
      const auto done = measured ? store->vacuum() : Result<void>(measured.failure());
      const auto left = done ? store->bytes() : Result<std::int64_t>(done.failure());
      if (!left) return fail_store(left.failure(), options.where.json);
      before = measured.value();
      after = left.value();
    }
    if (options.where.json) {
      print_json(ObjectText().flag("ok", true).number("bytesBefore", before).number("bytes", after).done());
    } else {
      print_line("The store takes " + megabytes(after) + "; it took " + megabytes(before) + ".");
    }
    return kOk;
  });
}

int check_store(const StoreOptions& options) {
  return with_store(options.where, fail_store, [&](const Workspace& workspace, store::Store* store) -> int {
    std::vector<std::string> problems;
    if (store) {
      auto found = store->check();
      if (!found) return fail_store(found.failure(), options.where.json);
      problems = std::move(found).value();
    }
    const std::string where = shown_store(workspace);
    if (options.where.json) {
      ObjectText out;
      out.flag("ok", problems.empty()).text("store", where).json("problems", text_list(problems));
      print_json(out.done());
    } else {
      for (const std::string& problem : problems) print_line(problem);
      print_line(where + (problems.empty() ? ": no problems." : ": damaged; restore it from a backup."));
    }
    return problems.empty() ? kOk : kToolFailed;
  });
}

int nodes(const StoreOptions& options) {
  return with_store(options.where, fail_store, [&](const Workspace& workspace, store::Store* store) -> int {
    std::vector<store::NodeRecord> nodes;
    if (store) {
      auto found = store->nodes();
      if (!found) return fail_store(found.failure(), options.where.json);
      nodes = std::move(found).value();
    }
    ListText listed;
    bool one_is_alive = false;
    for (const store::NodeRecord& node : nodes) {
      const bool alive = gateway::owner_lives(*store, workspace.state_folder, node.id);
      one_is_alive = one_is_alive || alive;
      ObjectText out;
      out.text("id", node.id).text("host", node.host).number("pid", node.pid).text("version", node.version);
      out.number("joined", node.joined).number("seen", node.seen).number("leaseMs", node.lease.count());
      listed.json(out.flag("alive", alive).done());
      if (options.where.json) continue;
      print_line(node.id + "\t" + node.host + "\tpid " + std::to_string(node.pid) + "\t" + node.version + "\t" +
                 (alive ? "alive" : "dead") + "\tsince " + age_of(node.joined));
    }
    if (options.where.json) print_json(ObjectText().flag("ok", true).json("nodes", listed.done()).done());
    if (!options.where.json && nodes.empty()) print_line("No gateway is running.");
    return options.needs_one_alive && !one_is_alive ? kUnreachable : kOk;
  });
}

}  // namespace

void add_store_command(Command& app) {
  const auto options = std::make_shared<StoreOptions>();
  Command* command = app.add_subcommand("store", "Check, prune and move the store of runs and workflows");
  command->require_subcommand();
  const auto add = [&](const char* name, const char* what, int (*run)(const StoreOptions&)) {
    Command* inner = command->add_subcommand(name, what);
    add_workspace_flags(*inner, options->where);
    inner->runs([options, run] { return run(*options); });
    return inner;
  };
  add("gc", "Remove old runs and workflows, as gateways do on their own", collect);
  add("check", "Check the store for damage", check_store);
  add("vacuum", "Return free space to the file system", vacuum);
  for (const auto& [name, what] :
       {std::pair{"backup", "Copy it to a file, even while gateways run"},
        std::pair{"export",
                  "The same copy, for `store import` elsewhere: on another machine, on SQLite or PostgreSQL"}}) {
    add(name, what, back_up)->add_option("file", options->file, "Where to")->type_name("FILE")->required();
  }
  const auto restored = std::make_shared<RestoreOptions>();
  Command* restore = command->add_subcommand("restore", "Return to a copy that `store backup` made");
  add_workspace_flags(*restore, restored->where);
  restore->add_option("file", restored->file, "The copy")->type_name("FILE")->required();
  restore->add_flag("--yes", restored->yes, "Do not ask");
  restore->runs([restored] { return restore_store(*restored); });
  const auto import = std::make_shared<ImportOptions>();
  Command* inner = command->add_subcommand("import", "Import a file from `store export`, or the state in a folder");
  add_workspace_flags(*inner, import->where);
  inner->add_option("from", import->from, "A file from `store export`, or a folder (.glovebox in the workspace)")
      ->type_name("FILE|FOLDER");
  inner->runs([import] { return import_state(*import); });
}

void add_nodes_command(Command& app) {
  const auto options = std::make_shared<StoreOptions>();
  Command* command = app.add_subcommand("nodes", "Show the gateways that share this store");
  add_workspace_flags(*command, options->where);
  command->add_flag("--alive", options->needs_one_alive, "Exit with 4 unless one of them is alive; for health checks");
  command->runs([options] { return nodes(*options); });
}

}  // namespace glovebox::cli
