#include "cli/ui/ui_sessions.h"

#include "base/digest.h"
#include "base/hmac.h"
#include "mcp/http/http_rules.h"
#include "mcp/http/http_server.h"

namespace glovebox::cli {

const std::string& UiSessions::new_code() {
  return code_ = mcp::random_token();
}

std::optional<std::string> UiSessions::open(std::string_view code) {
  if (code_.empty() || !base::equal_secrets(code, code_)) return std::nullopt;
  code_.clear();
  std::string token = mcp::random_token();
  token_digests_.insert(base::sha256_hex(token));
  return token;
}

// By digest: how long a comparison takes says nothing about the token.
bool UiSessions::knows(std::string_view token) const {
  return token_digests_.contains(base::sha256_hex(token));
}

}  // namespace glovebox::cli
