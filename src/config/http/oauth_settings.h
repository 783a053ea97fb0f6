// http.oauth of a config file: an authorization server whose access tokens are an agent's, and what it may do with
// them.
#pragma once

#include <string>
#include <vector>

#include "config/value_reader.h"
#include "policy/profile/client_profile.h"

namespace glovebox::config {

// Without an issuer there is none.
struct OauthSettings {
  std::string issuer;
  std::string audience;  // what its tokens for us are for: the address that clients know us by
  std::string jwks;      // where its keys are; empty: at the usual place
  std::string scope;     // that a token must have; empty: none
  // By their scopes. Of those a token must have one, where there are any; the first that it has counts.
  std::vector<policy::ClientProfile> profiles;

  // Of no tools, where there is none.
  policy::ClientProfile profile_of(const std::string& scope) const;
};

OauthSettings read_oauth(const JsonNode& node, ValueReader& reader);

}  // namespace glovebox::config
