#include "agent_tools/trust/trust_form.h"

#include <algorithm>

#include "base/text/framed_text.h"
#include "base/text/log_text.h"
#include "gateway/approvals/reply.h"
#include "workspace/workspace_trust.h"

namespace glovebox::agent_tools {
namespace {

using Call = std::shared_ptr<mcp::ServerCall>;

// More than this is not read in a form.
constexpr std::size_t kMostLines = 30;
constexpr std::size_t kMostLineBytes = 300;

constexpr const char* kSchema =
    R"({"type":"object","properties":{"decision":{"type":"string","title":"Do you trust it?","enum":["trust","no"],)"
    R"("enumNames":["Trust it until this gateway ends","No"]}},"required":["decision"]})";

// Empty where it is too much for a form.
std::string question_text(const config::ConfigFile& config) {
  const std::vector<std::string> lines = cli::what_is_new(config);
  const auto is_long = [](const std::string& line) { return line.size() > kMostLineBytes; };
  if (lines.empty() || lines.size() > kMostLines || std::any_of(lines.begin(), lines.end(), is_long)) return "";
  std::string all;
  for (const std::string& line : lines) all += base::neutralise(line) + "\n";
  return "The config of this workspace may have come with someone else's repository. It asks for:\n" +
         base::framed(all, {}) + "Programs in it run with your rights.\n" + base::one_line(config.path, 200);
}

}  // namespace

mcp::CallHandler after_trust(assembly::GatewayProcess& process, mcp::CallHandler handler) {
  return [&process, handler = std::move(handler)](const Call& call) {
    if (!call->facts().asks_owner || !call->note().empty()) return handler(call);
    const auto config = process.config_to_agree_to();
    const std::string text = config ? question_text(*config) : "";
    const mcp::InputRequest question = mcp::elicit_form("workspace-trust", text, kSchema);
    if (text.empty() || !call->can_ask(question)) return handler(call);
    call->ask({question}, [&process, call, handler, config](Result<mcp::Answers, mcp::RpcError> answers) {
      const auto reply = answers ? gateway::form_reply(answers.value().begin()->second) : std::nullopt;
      process.settle_trust_for_now(reply && reply->accepted && reply->decision == "trust" ? config : std::nullopt);
      if (!call->done()) handler(call);
    });
  };
}

}  // namespace glovebox::agent_tools
