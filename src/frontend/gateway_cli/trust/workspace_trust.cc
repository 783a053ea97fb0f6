#include "frontend/gateway_cli/trust/workspace_trust.h"

#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>

#include "broker/log_text.h"
#include "config/trust/trust_record.h"

namespace glovebox::frontend {
namespace {

bool can_ask() {
  return ::isatty(STDIN_FILENO) && ::isatty(STDERR_FILENO);
}

std::vector<std::string> what_is_new(const config::ConfigFile& config) {
  const auto agreed = config::trusted_authority(config.path);
  return (agreed ? agreed.value() : config::Authority()).widened_by(config.authority);
}

}  // namespace

bool owner_agrees(const std::string& config_path, const std::vector<std::string>& lines) {
  std::fprintf(stderr, "%s would be used from now on for this:\n", broker::neutralise(config_path).c_str());
  for (const std::string& line : lines) std::fprintf(stderr, "  %s\n", broker::neutralise(line).c_str());
  // A key that was meant for something else is no answer.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ::tcflush(STDIN_FILENO, TCIFLUSH);
  std::fprintf(stderr, "Programs in it run with your rights. Do you trust it? [y/N] ");
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "yes";
}

void settle_trust(Workspace& workspace, bool was_named, TrustQuestion question) {
  config::ConfigFile& config = workspace.config;
  const auto trusted = config::is_trusted(config.path, config.authority);
  if (trusted && trusted.value()) return;
  bool agreed = was_named;
  if (!agreed && trusted && question == TrustQuestion::kAtTerminal && can_ask()) {
    agreed = owner_agrees(config.path, what_is_new(config));
  }
  // One that was named counts even where that cannot be kept.
  const bool kept = agreed && config::trust(config.path, config.authority).ok();
  if (was_named || kept) return;
  workspace.untrusted =
      "this workspace's config is not trusted yet, so its servers and grants are off. " +
      (trusted ? "`glovebox trust` shows what it asks for" : broker::neutralise(trusted.failure().message));
  config = config.without_authority();
}

bool is_trusted_now(const config::ConfigFile& config) {
  const auto trusted = config::is_trusted(config.path, config.authority);
  return trusted && trusted.value();
}

}  // namespace glovebox::frontend
