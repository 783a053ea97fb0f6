#include "gateway/privacy/privacy_guard.h"

#include <algorithm>

#include "base/try.h"
#include "gateway/principal/asker.h"
#include "gateway/privacy/token_blocks.h"

namespace glovebox::gateway {
namespace {

// Beyond this one is forgotten: of the client that has the most, the one that was not used for the longest time.
constexpr std::size_t kMostConversations = 1000;

Result<privacy::Detector> detector_of(const config::PrivacySettings& settings) {
  privacy::DetectorSettings wanted;
  if (!settings.entities.empty()) wanted.entities.reset();
  for (const std::string& name : settings.entities) {
    const auto entity = privacy::entity_of(name);
    if (!entity) return Failure{ErrorCode::kInvalidArgument, "privacy.entities: there is no entity " + name};
    wanted.entities.set(static_cast<std::size_t>(*entity));
  }
  wanted.allow = settings.allow;
  for (const auto& custom : settings.custom) wanted.custom.push_back({custom.name, custom.pattern, custom.validate});
  auto detector = privacy::Detector::make(std::move(wanted));
  if (!detector) return Failure{ErrorCode::kInvalidArgument, "privacy.custom: " + detector.failure().message};
  return detector;
}

}  // namespace

Result<std::shared_ptr<PrivacyGuard>> PrivacyGuard::make(const config::PrivacySettings& settings,
                                                         const std::vector<config::FlowRule>& flows,
                                                         privacy::Mode otherwise, std::size_t most_token_bytes) {
  std::shared_ptr<PrivacyGuard> guard(new PrivacyGuard(otherwise));
  guard->most_token_bytes_ = most_token_bytes;
  GLOVEBOX_TRY_VOID(guard->set(settings, flows));
  return guard;
}

Result<void> PrivacyGuard::set(const config::PrivacySettings& settings, const std::vector<config::FlowRule>& flows) {
  auto detector = std::make_shared<const privacy::Detector>(GLOVEBOX_TRY(detector_of(settings)));
  std::vector<policy::ToolPattern> restore;
  for (const std::string& text : settings.restore)
    restore.push_back(GLOVEBOX_TRY(policy::ToolPattern::parse(text, "/")));
  std::vector<Flow> parsed;
  for (const config::FlowRule& rule : flows)
    parsed.push_back({GLOVEBOX_TRY(policy::ToolPattern::parse(rule.from, "/")),
                      GLOVEBOX_TRY(policy::ToolPattern::parse(rule.to, "/")), rule.action == "deny"});
  detector_ = std::move(detector);
  mode_ = switched_off_ ? privacy::Mode::kOff : privacy::mode_named(settings.mode).value_or(otherwise_);
  restore_ = std::move(restore);
  keeps_boundary_ = settings.enforce == "boundary";
  flows_ = std::move(parsed);
  for (auto& [name, conversation] : conversations_) conversation.filter = make_filter(conversation.vault);
  return {};
}

void PrivacyGuard::number_tokens_in(const std::string& state_folder) {
  numbers_ = std::make_shared<privacy::TokenNumbers>(
      [state_folder](std::size_t count) { return take_token_block(state_folder, count); });
}

void PrivacyGuard::switch_off() {
  switched_off_ = true;
  mode_ = privacy::Mode::kOff;
  for (auto& [name, conversation] : conversations_) conversation.filter = make_filter(conversation.vault);
}

std::shared_ptr<const privacy::Filter> PrivacyGuard::make_filter(
    const std::shared_ptr<privacy::TokenVault>& vault) const {
  return std::make_shared<const privacy::Filter>(detector_, vault, mode_);
}

// Of the client whose tokens need the most room, those of the conversation that was not used for the longest time. What
// runs of ended conversations still keep is no reason to forget others.
void PrivacyGuard::forget_tokens() {
  std::size_t together = 0;
  std::map<std::string_view, std::size_t> had;
  for (const auto& [name, kept] : conversations_) {
    had[authenticated_part(name)] += kept.vault->bytes();
    together += kept.vault->bytes();
  }
  while (together > most_token_bytes_) {
    const auto gives_way = [&](const auto& one, const auto& other) {
      const bool ones_any = one.second.vault->bytes() > 0, others_any = other.second.vault->bytes() > 0;
      if (ones_any != others_any) return ones_any;
      const std::size_t ones = had[authenticated_part(one.first)], others = had[authenticated_part(other.first)];
      return ones != others ? ones > others : one.second.used < other.second.used;
    };
    const auto first = std::min_element(conversations_.begin(), conversations_.end(), gives_way);
    const std::size_t bytes = first->second.vault->bytes();
    if (bytes == 0) return;
    first->second.vault->forget();
    // A filter on another thread may have added some meanwhile.
    std::size_t& left = had[authenticated_part(first->first)];
    left -= std::min(left, bytes);
    together -= std::min(together, bytes);
  }
}

PrivacyGuard::Conversation& PrivacyGuard::conversation(const std::string& name) {
  if (numbers_->bytes() > most_token_bytes_) forget_tokens();
  // Clients without sessions choose their names, and never announce that they end.
  if (conversations_.size() >= kMostConversations && !conversations_.contains(name)) {
    std::map<std::string_view, std::size_t> had;
    for (const auto& [known, kept] : conversations_) ++had[authenticated_part(known)];
    const auto gives_way = [&](const auto& one, const auto& other) {
      const std::size_t ones = had[authenticated_part(one.first)], others = had[authenticated_part(other.first)];
      return ones != others ? ones > others : one.second.used < other.second.used;
    };
    conversations_.erase(std::min_element(conversations_.begin(), conversations_.end(), gives_way));
  }
  Conversation& found = conversations_[name];
  found.used = ++uses_;
  if (!found.vault) {
    privacy::TokenVault::Options options;
    options.numbers = numbers_;
    found.vault = std::make_shared<privacy::TokenVault>(std::move(options));
    found.filter = make_filter(found.vault);
  }
  return found;
}

std::shared_ptr<const privacy::Filter> PrivacyGuard::filter(const std::string& conversation) {
  return this->conversation(conversation).filter;
}

std::shared_ptr<privacy::TokenVault> PrivacyGuard::vault(const std::string& conversation) {
  return this->conversation(conversation).vault;
}

bool PrivacyGuard::may_restore(const std::string& server, const std::string& tool) const {
  return std::any_of(restore_.begin(), restore_.end(),
                     [&](const policy::ToolPattern& pattern) { return pattern.matches_name(server, tool); });
}

}  // namespace glovebox::gateway
