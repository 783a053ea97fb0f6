// What becomes of a config that changes while a gateway runs: it needs the owner's agreement, is written down, and then
// applies.
#include "assembly/gateway_process.h"
#include "base/digest.h"
#include "base/try.h"
#include "workspace/workspace_trust.h"

namespace glovebox::assembly {

void GatewayProcess::watch_config() {
  watch_ = std::make_unique<catalog::ConfigWatch>(
      executor_, options_.workspace.config_path, options_.workspace.config.stamp,
      [this](config::ConfigResult<config::ConfigFile> config) { on_config_changed(std::move(config)); });
}

std::optional<config::ConfigFile> GatewayProcess::config_to_agree_to() const {
  if (is_trust_settled_ || workspace().untrusted.empty()) return std::nullopt;
  auto config = config::read_config_file(workspace().config_path);
  return config && !cli::is_trusted_now(*config) ? std::optional(std::move(config).value()) : std::nullopt;
}

void GatewayProcess::settle_trust_for_now(std::optional<config::ConfigFile> config) {
  if (std::exchange(is_trust_settled_, true) || !config) return;
  agreed_for_now_ = config->authority;
  on_config_changed(std::move(*config));
}

void GatewayProcess::on_config_changed(config::ConfigResult<config::ConfigFile> config) {
  const bool agreed = config && agreed_for_now_ && agreed_for_now_->covers(config->authority);
  if (config && !agreed && !cli::is_trusted_now(config.value())) {
    return notice(
        "the config was changed and grants more than the owner has trusted, so the previous one stays in use; "
        "`glovebox trust` shows the difference");
  }
  const Result<void> applied = config ? apply_config_on_record(config.value())
                                      : Result<void>(Failure{ErrorCode::kInvalidArgument, config.failure().text()});
  if (!applied)
    return notice("the config was changed, but the previous one stays in use: " + applied.failure().message);
  options_.workspace.config = std::move(config).value();
  options_.workspace.untrusted.clear();
  if (options_.on_config_changed) options_.on_config_changed();
  const std::string text = "the config was changed and reloaded";
  if (!options_.log) return notice(text);
  options_.log->say(observe::Level::kInfo, text);
}

// A config that cannot be written down is not used.
Result<void> GatewayProcess::apply_config_on_record(const config::ConfigFile& config) {
  const auto event = [&](const char* name) {
    return gateway::AuditEvent(name)
        .text("from", base::sha256_hex(this->config().text))
        .text("to", base::sha256_hex(config.text));
  };
  GLOVEBOX_TRY_VOID(gateway_->write_down(event("config.changed")));
  auto applied = apply_config(config);
  if (!applied) (void)gateway_->write_down(event("config.refused").text("reason", applied.failure().message)).ok();
  return applied;
}

}  // namespace glovebox::assembly
