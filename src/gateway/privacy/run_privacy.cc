#include "gateway/privacy/run_privacy.h"

namespace glovebox::gateway {

RunPrivacy::RunPrivacy(std::shared_ptr<PrivacyGuard> guard, std::string conversation)
    : guard_(std::move(guard)),
      conversation_(std::move(conversation)),
      vault_(guard_->vault(conversation_)),
      flow_(guard_) {}

std::shared_ptr<RunPrivacy> RunPrivacy::resumed(std::shared_ptr<PrivacyGuard> guard, TokenValues kept) {
  auto made = std::make_shared<RunPrivacy>(std::move(guard), "");
  made->kept_ = std::move(kept);
  made->flow_.forget_sources();
  return made;
}

std::optional<std::string> RunPrivacy::value_of(std::string_view token) const {
  if (!kept_) return vault_->value_of(token);
  const auto known = kept_->find(token);
  if (known == kept_->end()) return std::nullopt;
  return known->second;
}

std::string RunPrivacy::restored(const std::string& server, const std::string& tool, std::string arguments) const {
  if (!guard_->may_restore(server, tool)) return arguments;
  return privacy::with_values(arguments, [this](std::string_view token) { return value_of(token); });
}

TokenValues RunPrivacy::tokens_in(std::string_view text) const {
  TokenValues values;
  privacy::each_token(text, [&](std::string_view token) {
    if (auto value = value_of(token)) values.emplace(token, std::move(*value));
  });
  return values;
}

std::optional<DataFlow::Reached> RunPrivacy::reaches(const std::string& server, const std::string& tool,
                                                     std::string_view arguments) const {
  // A token counts as the value that it stands for.
  return flow_.reaches(server, tool, arguments, [&] {
    return privacy::with_values(arguments, [this](std::string_view token) { return value_of(token); });
  });
}

}  // namespace glovebox::gateway
