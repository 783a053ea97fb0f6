// http.oauth of a config file: an authorization server whose access tokens agents may use, and what those permit.
#pragma once

#include <string>
#include <vector>

#include "config/value_reader.h"
#include "policy/profile/client_profile.h"

namespace glovebox::config {

// Without an issuer OAuth is off.
struct OauthSettings {
  std::string issuer;
  std::string audience;  // the audience of its tokens for us: the address that clients know us by
  std::string jwks;      // where its keys are; empty: at the standard location
  std::string scope;     // the scope that a token must have; empty: none
  // By scope. Where there are any, a token must have the scope of one; the first that it has counts.
  std::vector<policy::ClientProfile> profiles;

  // A profile without tools if there is none for the scope.
  policy::ClientProfile profile_of(const std::string& scope) const;
};

OauthSettings read_oauth(const JsonNode& node, ValueReader& reader);

}  // namespace glovebox::config
