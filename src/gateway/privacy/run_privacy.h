// What a run knows of private data, shared with the runs that it calls and the tasks of its workflow: the values of the
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
  // Tokens are those of the conversation that the code came from; they stay known as long as this lives.
  RunPrivacy(std::shared_ptr<PrivacyGuard> guard, std::string conversation);
  // For a run that another gateway left behind: its tokens are that gateway's, only those in `kept` are known, and it
  // is unknown what was read.
  static std::shared_ptr<RunPrivacy> resumed(std::shared_ptr<PrivacyGuard> guard, TokenValues kept);

  // Arguments with values in place of tokens, if the tool may have them; else unchanged.
  std::string restored(const std::string& server, const std::string& tool, std::string arguments) const;
  // The known tokens in a text, with their values.
  TokenValues tokens_in(std::string_view text) const;
  bool is_resumed() const { return kept_.has_value(); }
  // Empty for a resumed run.
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
