#include "cli/capability/capability_run.h"

#include <boost/asio/post.hpp>
#include <cstdio>

#include "agent_tools/run_reply.h"
#include "capability/calls/capability_tools.h"
#include "cli/session/ended_run.h"
#include "cli/session/terminal_run.h"
#include "gateway/approvals/approval_text.h"
#include "mcp/json/json_tree.h"
#include "terminal/exit_codes.h"
#include "terminal/outcome_view.h"
#include "workspace/report.h"

namespace glovebox::cli {

// Makes a catalog::OwnersCall.
class CapabilityRun {
 public:
  explicit CapabilityRun(CapabilityRunOptions options) : options_(std::move(options)), run_(options_.json) {}

  int run() {
    assembly::GatewayProcessOptions process;
    process.workspace = options_.workspace;
    process.sandbox.degraded = split_names(options_.degraded);
    if (const auto opened = run_.open(std::move(process)); !opened)
      return fail_usage(opened.failure().message, options_.json);
    boost::asio::post(run_.io(), [this] {
      code().prepare(options_.fqdn, [this](auto prepared) {
        if (!prepared) return run_.fail(kUnreachable, prepared.failure());
        published_ = std::move(prepared).value();
        judge();
      });
    });
    return run_.loop([this] { return id_; });
  }

 private:
  capability::CapabilityTools& code() { return *run_.process().published_code(); }

  void judge() {
    const capability::Metadata& metadata = published_->metadata;
    if (metadata.routing == capability::Metadata::Routing::kServer)
      return run_.fail(
          kPolicyDenied, "REMOTE_GATEWAY_REQUIRED",
          options_.fqdn.text() + " does not run here; code can call it where a remote gateway is configured");
    // Typing the command is consent to the call; a rule that denies it holds nevertheless.
    if (run_.process().gateway().is_denied(metadata.fqdn.space, metadata.fqdn.action))
      return run_.fail(kPolicyDenied, "PERMISSION_DENIED",
                       "a rule denies " + metadata.fqdn.space + ":" + metadata.fqdn.action);
    if (const auto wrong = capability::why_not(metadata, options_.arguments))
      return run_.fail(kUsage, "INVALID_ARGUMENTS", *wrong);
    const auto need = code().need_of(metadata);
    if (!need) return start();
    const char* what = need->kind == "api_key_required" ? " needs variables that are not set"
                       : need->can_be_met               ? " needs something that was not approved here before"
                                                        : " needs a server that cannot be used";
    const auto request = request_about(need->kind, options_.fqdn.text() + what, need->text);
    if (!need->can_be_met) return end_unapproved(request, "");
    if (options_.approve == digest_of(request)) return install();
    if (!run_.terminal()) return end_unapproved(request, " --approve " + digest_of(request));
    run_.terminal()->ask(request, [this](const gateway::ApprovalAnswer& answer) {
      if (answer.approved) return install();
      run_.fail(kPolicyDenied, "APPROVAL_DENIED", "a person denied it");
    });
  }

  void install() {
    const auto installed = code().install_dependencies(published_->metadata);
    if (!installed) return run_.fail(kCodeFailed, "NOT_INSTALLED", installed.failure().message);
    start();
  }

  void start() {
    gateway::RunEvents events;
    run_.on_log(events);
    events.on_waiting = [this](const gateway::ApprovalRequest& request) { run_.on_waiting(request); };
    events.on_end = [this](const gateway::RunEnd& ended) { on_end(ended); };
    catalog::Tool tool;
    tool.server = options_.fqdn.space;
    tool.name = options_.fqdn.action;
    const catalog::OwnersCall call(std::move(tool), options_.arguments);
    auto run = code().start(call, *published_, {}, std::move(events), {});
    if (!run) return run_.fail(kCodeFailed, "CAPABILITY_UNAVAILABLE", run.failure().message);
    id_ = std::move(run).value();
  }

  void end_unapproved(const gateway::ApprovalRequest& request, const std::string& how) {
    if (options_.json) std::puts(agent_tools::approval_required(request, gateway::approval_text(request)).c_str());
    std::fprintf(stderr, "%s\n", gateway::approval_text(request).c_str());
    if (!how.empty())
      std::fprintf(stderr,
                   "glovebox: there is no terminal to ask on. To allow exactly this, run the same command with\n %s\n",
                   how.c_str());
    run_.set_exit_code(kWaiting);
    run_.end();
  }

  void on_end(const gateway::RunEnd& ended) {
    const ShownRun shown{published_->code, options_.fqdn.text() + ".ts", options_.json};
    run_.set_exit_code(show_ended_run(ended, shown, *run_.process().privacy()->filter()));
    run_.end();
  }

  CapabilityRunOptions options_;
  TerminalRun run_;
  std::shared_ptr<const capability::Published> published_;
  std::string id_;
};

gateway::ApprovalRequest request_about(const std::string& kind, const std::string& title, const std::string& text) {
  gateway::ApprovalRequest request;
  request.title = title;
  ObjectText out;
  out.text("kind", kind).text("title", title).text("need", text);
  out.text("digest", capability::Integrity::of(kind + "\n" + text).text()).json("options", R"(["once","deny"])");
  request.json = out.done();
  return request;
}

std::string digest_of(const gateway::ApprovalRequest& request) {
  const auto tree = mcp::parse_object(request.json);
  return tree ? mcp::string_member(*tree, "digest").value_or("") : "";
}

int run_capability(CapabilityRunOptions options) {
  return CapabilityRun(std::move(options)).run();
}

}  // namespace glovebox::cli
