// E-mail addresses, hosts of URLs, and user names and passwords within URLs.
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// `at` is the sign @.
std::optional<Finding> find_email(std::string_view text, std::size_t at);
// `at` is the colon of "://".
std::optional<Finding> find_url_credentials(std::string_view text, std::size_t at);
std::optional<Finding> find_url_host(std::string_view text, std::size_t at);

}  // namespace glovebox::privacy
