// A name and its password: "login: bob / …", "log in with bob / …", "user bob, pass …".
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"
#include "privacy/secrets/secret_names.h"

namespace glovebox::privacy {

// By its first letter: what may name a login, rather than a password.
bool may_name_login(char first);
bool is_login_name(const PlainKey& name);

// `begin` to `end` is the name of what the pair is: "login", "user".
std::optional<Finding> find_login_pair(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace glovebox::privacy
