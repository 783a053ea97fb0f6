#include "cli/audit/audit_command.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <deque>
#include <memory>
#include <thread>

#include "base/unique_fd.h"
#include "gateway/audit/audit_anchor.h"
#include "gateway/audit_check/audit_check.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/with_store.h"

namespace glovebox::cli {
namespace {

namespace json = boost::json;

struct AuditOptions {
  WorkspaceFlags where;
  bool follow = false;
  std::size_t last = 0;  // 0: all
  std::string head;      // that the owner has kept
};

// Whole lines of a file that grows.
class Tail {
 public:
  explicit Tail(std::string path) : path_(std::move(path)) {}

  template <typename With>
  void read(With with) {
    const base::UniqueFd file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
    if (!file.valid()) return;
    struct stat status {};
    // Another file has begun, or this one was truncated: read it from the start.
    if (::fstat(file.get(), &status) == 0 && (status.st_size < at_ || status.st_ino != inode_)) {
      at_ = 0;
      rest_.clear();
    }
    inode_ = status.st_ino;
    std::string buffer(64 * 1024, '\0');
    for (ssize_t got; (got = ::pread(file.get(), buffer.data(), buffer.size(), at_)) > 0;) {
      at_ += got;
      rest_.append(buffer, 0, static_cast<std::size_t>(got));
      std::size_t begin = 0;
      for (std::size_t newline; (newline = rest_.find('\n', begin)) != std::string::npos; begin = newline + 1) {
        with(rest_.substr(begin, newline - begin));
      }
      rest_.erase(0, begin);
    }
  }

 private:
  std::string path_;
  off_t at_ = 0;
  ino_t inode_ = 0;
  std::string rest_;
};

void print_record(const std::string& line, bool as_json) {
  if (as_json) return print_json(line);
  json::error_code error;
  const json::value tree = json::parse(line, error);
  if (error || !tree.is_object()) return print_line("(no record) " + line);
  const auto text = [&](const char* key) {
    const json::value* value = tree.get_object().if_contains(key);
    if (value && value->is_array()) return json::serialize(*value);
    return value && value->is_string() ? std::string(value->get_string()) : "";
  };
  std::string out = text("time") + "  " + text("event");
  for (const char* key : {"run", "tool", "title", "verdict", "rule", "rules", "decision", "scope", "approver",
                          "channel", "outcome", "status", "code", "reason", "from", "to", "digest"}) {
    // A run's own record has its program under this name.
    if (std::string_view(key) == "code" && text("event") == "run.started") continue;
    if (const auto value = text(key); !value.empty()) out.append("  ").append(key).append("=").append(value);
  }
  print_line(out);
}

int show_audit_log(const AuditOptions& options) {
  const bool as_json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, as_json);
  const std::string path = gateway::audit_log_path(workspace->state_folder);
  std::deque<std::string> lines;
  bool any = false;
  const auto show = [&](std::string line) {
    any = true;
    if (options.last == 0) return print_record(line, as_json);
    lines.push_back(std::move(line));
    if (lines.size() > options.last) lines.pop_front();
  };
  for (const gateway::OldAuditFile& file : gateway::old_audit_files(path)) Tail(file.path).read(show);
  Tail tail(path);
  tail.read(show);
  for (const std::string& line : lines) print_record(line, as_json);
  if (!any && !as_json) print_note("No records.");
  // Until standard output is closed or the command is interrupted.
  while (options.follow && std::fflush(stdout) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    tail.read([&](const std::string& line) { print_record(line, as_json); });
  }
  return kOk;
}

void print_report(const gateway::AuditReport& report) {
  const std::string records = std::to_string(report.records) + " records";
  if (const auto& problem = report.problem) {
    const std::string where = problem->line == 0 ? "" : problem->file + " line " + std::to_string(problem->line) + ": ";
    return print_note(std::string(gateway::name_of(problem->kind)) + ": " + where + problem->reason + ". " + records +
                      " before that are intact.");
  }
  print_line(records + ", one chain; head " + report.head.hash);
  if (report.unkeyed > 0) {
    print_line("Records before number " + std::to_string(report.unkeyed + 1) +
               " were written by an earlier version without a key: a change in them shows only if you kept one of "
               "their heads.");
  }
  if (report.since_kept) print_line(std::to_string(*report.since_kept) + " records since the head that you kept.");
  if (report.torn) print_line("The last line is incomplete: a gateway ended while writing it, or is writing it now.");
}

std::string json_of(const gateway::AuditReport& report) {
  ObjectText out;
  out.flag("ok", report.intact()).number("records", report.records).number("unkeyed", report.unkeyed);
  out.text("head", report.head.hash).flag("torn", report.torn);
  if (report.since_kept) out.number("sinceHead", *report.since_kept);
  if (const auto& problem = report.problem) {
    out.text("problem", gateway::name_of(problem->kind)).text("reason", problem->reason);
    if (problem->line > 0) out.text("brokenFile", problem->file).number("brokenLine", problem->line);
  }
  return out.done();
}

Result<gateway::AuditReport> check_log(const Workspace& workspace, store::Store* store, const std::string& head) {
  const std::string path = gateway::audit_log_path(workspace.state_folder);
  auto known = gateway::known_records(store, path);
  if (!known) return known.failure();
  known->kept = head;
  const auto key = gateway::AuditKey::read(gateway::audit_key_path());
  if (!key && key.failure().code != ErrorCode::kNotFound) return key.failure();
  return gateway::check_audit(path, key ? &key.value() : nullptr, *known);
}

int verify(const AuditOptions& options) {
  return with_store(options.where, fail_to_read, [&](const Workspace& workspace, store::Store* store) -> int {
    const bool as_json = options.where.json;
    const auto report = check_log(workspace, store, options.head);
    if (!report) {
      const bool missing = report.failure().code == ErrorCode::kNotFound;
      return fail_with(missing ? kUsage : kUnreachable, missing ? ErrorWord("NOT_FOUND") : ErrorWord("UNREADABLE"),
                       report.failure().message, as_json);
    }
    if (as_json) {
      print_json(json_of(*report));
    } else {
      print_report(*report);
    }
    return report->intact() ? kOk : kCodeFailed;
  });
}

}  // namespace

void add_audit_command(Command& app) {
  const auto options = std::make_shared<AuditOptions>();
  Command* command =
      app.add_subcommand("audit", "Read and verify the audit log: what was done, by whom and with whose approval");
  add_workspace_flags(*command, options->where);
  command->add_flag("--follow", options->follow, "Keep printing new records as they arrive");
  command->add_option("--last", options->last, "At most this many records")->type_name("N");
  command->runs([options] { return show_audit_log(*options); });
  Command* verifying = command->add_subcommand("verify", "Check that no record was changed, removed or added");
  add_workspace_flags(*verifying, options->where);
  verifying->add_option("--head", options->head, "A hash that was the head earlier: it must be in the log")
      ->type_name("HASH");
  verifying->runs([options] { return verify(*options); });
}

}  // namespace glovebox::cli
