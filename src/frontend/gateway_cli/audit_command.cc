#include "frontend/gateway_cli/audit_command.h"

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
#include "frontend/cli/command.h"
#include "frontend/cli/exit_codes.h"
#include "frontend/gateway_cli/report.h"
#include "frontend/gateway_cli/workspace.h"
#include "gateway/audit_log.h"

namespace glovebox::frontend {
namespace {

namespace json = boost::json;

struct AuditOptions {
  WorkspaceFlags where;
  bool follow = false;
  std::size_t last = 0;  // 0: all
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
    // Somebody has cut it: what is there now is new.
    if (::fstat(file.get(), &status) == 0 && status.st_size < at_) {
      at_ = 0;
      rest_.clear();
    }
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
  std::string rest_;
};

void print_record(const std::string& line, bool as_json) {
  if (as_json) return print_json(line);
  json::error_code error;
  const json::value tree = json::parse(line, error);
  if (error || !tree.is_object()) return print_line("(no record) " + line);
  const auto text = [&](const char* key) {
    const json::value* value = tree.get_object().if_contains(key);
    return value && value->is_string() ? std::string(value->get_string()) : "";
  };
  std::string out = text("time") + "  " + text("event");
  for (const char* key : {"run", "tool", "title", "verdict", "rule", "decision", "scope", "approver", "channel",
                          "outcome", "status", "code", "reason"}) {
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
  Tail tail(workspace->state_folder + "/audit.log");
  std::deque<std::string> lines;
  tail.read([&](std::string line) {
    if (options.last == 0) return print_record(line, as_json);
    lines.push_back(std::move(line));
    if (lines.size() > options.last) lines.pop_front();
  });
  for (const std::string& line : lines) print_record(line, as_json);
  // Until the terminal, or whoever reads, has had enough.
  while (options.follow && std::fflush(stdout) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    tail.read([&](const std::string& line) { print_record(line, as_json); });
  }
  return kOk;
}

int verify(const AuditOptions& options) {
  const bool as_json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, as_json);
  const auto report = gateway::verify_audit(workspace->state_folder + "/audit.log");
  if (!report) {
    const bool missing = report.failure().code == ErrorCode::kNotFound;
    return fail_with(missing ? kUsage : kUnreachable, missing ? "NOT_FOUND" : "UNREADABLE", report.failure().message,
                     as_json);
  }
  if (as_json) {
    std::string out = std::string(R"({"ok":)") + (report->intact ? "true" : "false") + R"(,"records":)" +
                      std::to_string(report->records) + R"(,"head":)" + json_text(report->head) + R"(,"torn":)" +
                      (report->torn ? "true" : "false");
    if (!report->intact) {
      out += R"(,"brokenLine":)" + std::to_string(report->broken_line) + R"(,"reason":)" + json_text(report->reason);
    }
    print_json(out + "}");
  } else if (report->intact) {
    print_line(std::to_string(report->records) + " records, one chain; head " + report->head);
    if (report->torn) print_line("The last line is not finished: a gateway ended while it wrote, or writes now.");
  } else {
    print_note("line " + std::to_string(report->broken_line) + " is broken: " + report->reason + ". " +
               std::to_string(report->records) + " records before it are whole.");
  }
  return report->intact ? kOk : kCodeFailed;
}

}  // namespace

void add_audit_command(Command& app) {
  const auto options = std::make_shared<AuditOptions>();
  Command* command = app.add_subcommand("audit", "Show what was done, by whom and with whose consent");
  add_workspace_flags(*command, options->where);
  command->add_flag("--follow", options->follow, "Go on with what comes");
  command->add_option("--last", options->last, "Only so many records")->type_name("N");
  command->runs([options] { return show_audit_log(*options); });
  Command* verifying = command->add_subcommand("verify", "Check that no record was changed, removed or added");
  add_workspace_flags(*verifying, options->where);
  verifying->runs([options] { return verify(*options); });
}

}  // namespace glovebox::frontend
