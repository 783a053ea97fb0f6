// The tokens of a workspace's HTTP clients, and their roles. Each is a file in the owner's state folder, named by the
// SHA-256 of the token, which itself is not stored:
//
//   STATE/access/HASH.json    {"id", "name", "role", "created", "expires", "hash", "profile"}
//
// Every lookup reads the disk: a token that is revoked or has expired is unknown from then on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"
#include "policy/profile/client_profile.h"

namespace glovebox::assembly {

enum class Role {
  kAgent,     // speaks MCP; runs, workflows and approvals are its own alone
  kViewer,    // sees how the gateway is
  kApprover,  // that, and answers what people are asked
  kOperator,  // all of it, for all clients
};
std::string_view name_of(Role role);
std::optional<Role> role_named(std::string_view name);

struct AccessToken {
  std::string id;  // the name, and what distinguishes it from earlier tokens of that name
  std::string name;
  Role role = Role::kAgent;
  std::int64_t created = 0;         // milliseconds since 1970
  std::int64_t expires = 0;         // 0: never
  policy::ClientProfile profile{};  // of an agent: what it is given less than the workspace's config says

  bool is_expired(std::int64_t now) const { return expires != 0 && expires <= now; }
};

class AccessTokens {
 public:
  explicit AccessTokens(const std::string& state_folder) : folder_(state_folder + "/access") {}

  // Gives the token itself, which cannot be read again. Its id is made here. A name is one word of letters, digits,
  // '.',
  // '_' and '-', and only one token has it; an empty one becomes the role's. kConflict, kInvalidArgument.
  Result<std::string> add(AccessToken& token);
  Result<std::vector<AccessToken>> list() const;  // the oldest first, expired or not
  // By id or name. False when there is none.
  Result<bool> revoke(const std::string& which);

  // Nothing for one that is not known, not valid any more, or cannot be read.
  std::optional<AccessToken> find(std::string_view token, std::int64_t now) const;

 private:
  std::string folder_;
};

}  // namespace glovebox::assembly
