// What a run knows of private data, and with it the runs that it calls and the tasks of its workflow: the values of the
// tokens in its code, and what has been read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gateway/privacy/data_flow.h"
#include "gateway/privacy/privacy_guard.h"

namespace glovebox::gateway {

class RunPrivacy {
 public:
  // Tokens are those of the conversation that the code came from; they are known for as long as this lives.
  RunPrivacy(std::shared_ptr<PrivacyGuard> guard, std::string conversation);
  // For what another gateway left behind: its tokens are that gateway's, `kept` is all that is known of them, and
  // nobody knows what was read.
  static std::shared_ptr<RunPrivacy> taken_up(std::shared_ptr<PrivacyGuard> guard, TokenValues kept);

  // Arguments with values in place of tokens, if the tool may have them; else as they are.
  std::string restored(const std::string& server, const std::string& tool, std::string arguments) const;
  // The tokens of a text that are known, with their values.
  TokenValues tokens_in(std::string_view text) const;
  bool is_taken_up() const { return kept_.has_value(); }
  // Empty for what was taken up.
  const std::string& conversation() const { return conversation_; }

  void read(const std::string& server, const std::string& tool, std::string_view json) {
    flow_.read(server, tool, json);
  }
  std::optional<DataFlow::Reached> reaches(const std::string& server, const std::string& tool,
                                           std::string_view arguments) const;

 private:
  std::optional<std::string> value_of(std::string_view token) const;

  std::shared_ptr<PrivacyGuard> guard_;
  std::string conversation_;
  std::shared_ptr<privacy::TokenVault> vault_;
  std::optional<TokenValues> kept_;
  DataFlow flow_;
};

}  // namespace glovebox::gateway
