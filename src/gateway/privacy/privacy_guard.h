// What the owner of a workspace wants kept private: the filter of what goes to agents, the tools that may get values
// back, and rules about data that goes from one server to another.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/privacy_settings.h"
#include "gateway/privacy/run_tokens.h"
#include "glovebox/result.h"
#include "policy/tool_rules.h"
#include "privacy/filter.h"

namespace glovebox::gateway {

class PrivacyGuard {
 public:
  // `otherwise` is the mode if the settings name none. The tokens of all conversations together have
  // `most_token_bytes`.
  static Result<std::shared_ptr<PrivacyGuard>> make(const config::PrivacySettings& settings,
                                                    const std::vector<config::FlowRule>& flows, privacy::Mode otherwise,
                                                    std::size_t most_token_bytes = std::size_t{256} << 20);
  // Before the first token: its numbers are those that no gateway with this folder has used.
  void number_tokens_in(const std::string& state_folder);
  // The config has changed. Known tokens stay known.
  Result<void> set(const config::PrivacySettings& settings, const std::vector<config::FlowRule>& flows);
  // Overrides the config.
  void switch_off();
  bool is_switched_off() const { return switched_off_; }

  // The filter for what goes to an agent. Each conversation has its own tokens; clients without one share the unnamed
  // one.
  std::shared_ptr<const privacy::Filter> filter(const std::string& conversation = "");
  std::shared_ptr<privacy::TokenVault> vault(const std::string& conversation);
  // Its tokens are forgotten once none of its runs is left.
  void end(const std::string& conversation) { conversations_.erase(conversation); }
  std::size_t conversations() const { return conversations_.size(); }

  // Whether a tool may get values in place of tokens.
  bool may_restore(const std::string& server, const std::string& tool) const;

  // Whether private data may reach only tools in `restore`, also inside a run.
  bool keeps_boundary() const { return keeps_boundary_ && mode_ != privacy::Mode::kOff; }
  const privacy::Detector& detector() const { return *detector_; }

  struct Flow {
    policy::ToolPattern from;
    policy::ToolPattern to;
    bool denies = false;
  };
  const std::vector<Flow>& flows() const { return flows_; }

 private:
  explicit PrivacyGuard(privacy::Mode otherwise) : otherwise_(otherwise) {}

  privacy::Mode otherwise_;
  bool switched_off_ = false;
  struct Conversation {
    std::shared_ptr<privacy::TokenVault> vault;
    std::shared_ptr<const privacy::Filter> filter;
    std::uint64_t used = 0;
  };
  Conversation& conversation(const std::string& name);
  void forget_tokens();
  std::shared_ptr<const privacy::Filter> make_filter(const std::shared_ptr<privacy::TokenVault>& vault) const;

  std::shared_ptr<const privacy::Detector> detector_;
  privacy::Mode mode_ = privacy::Mode::kTokenize;
  // One counter for all: a token of one conversation never stands for another value in the next.
  std::shared_ptr<privacy::TokenNumbers> numbers_ = std::make_shared<privacy::TokenNumbers>();
  std::size_t most_token_bytes_ = 0;
  std::map<std::string, Conversation> conversations_;
  std::uint64_t uses_ = 0;
  std::vector<policy::ToolPattern> restore_;
  bool keeps_boundary_ = false;
  std::vector<Flow> flows_;
};

}  // namespace glovebox::gateway
