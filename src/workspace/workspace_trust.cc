#include "workspace/workspace_trust.h"

#include <cstdio>

#include "base/text/log_text.h"
#include "config/trust/trust_record.h"
#include "workspace/owner_question.h"

namespace glovebox::cli {

std::vector<std::string> what_is_new(const config::ConfigFile& config) {
  std::vector<std::string> lines;
  if (!is_trusted_now(config)) {
    const auto agreed = config::trusted_authority(config.path);
    lines = (agreed ? agreed.value() : config::Authority()).widened_by(config.authority);
  }
  const Result<bool> link = config.link.empty() ? true : config::is_trusted_link(config.path, config.link);
  if (!link || !link.value()) lines.push_back("it is a link, and changes are written to " + config.link);
  return lines;
}

bool owner_agrees(const std::string& config_path, const std::vector<std::string>& lines) {
  std::fprintf(stderr, "%s asks for:\n", base::neutralise(config_path).c_str());
  std::vector<std::string> shown;
  for (const std::string& line : lines) shown.push_back("  " + line);
  return owner_says_yes(shown, "The programs that it names run with your rights. Do you trust it?");
}

void settle_trust(Workspace& workspace, bool was_named, TrustQuestion question) {
  config::ConfigFile& config = workspace.config;
  const auto trusted = config::is_trusted(config.path, config.authority);
  if (trusted && trusted.value()) return;
  bool agreed = was_named;
  if (!agreed && trusted && question == TrustQuestion::kAtTerminal && has_terminal()) {
    agreed = owner_agrees(config.path, what_is_new(config));
  }
  // One that was named on the command line counts even where the consent cannot be stored. A person who
  // names a link need not know where it leads.
  const bool kept = agreed && config::trust(config.path, config.authority, was_named ? "" : config.link).ok();
  if (was_named || kept) return;
  workspace.untrusted =
      "this workspace's config is not trusted yet, so its servers and grants are off. " +
      (trusted ? "`glovebox trust` shows what it asks for" : base::neutralise(trusted.failure().message));
  config = config.without_authority();
}

bool is_trusted_now(const config::ConfigFile& config) {
  const auto trusted = config::is_trusted(config.path, config.authority);
  return trusted && trusted.value();
}

}  // namespace glovebox::cli
