// Secrets that a command takes as a word of its line, with no option that names them: htpasswd -b FILE NAME …,
// net use X: SHARE …, echo … | sudo -S.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "privacy/finding.h"
#include "privacy/secrets/trigrams.h"

namespace glovebox::privacy {

inline constexpr std::string_view kCommandNames[] = {
    "openssl",        "xfreerdp", "wfreerdp",  "freerdp",     "schtasks", "net ",   "htpasswd",
    "wpa_passphrase", "vault",    "ConvertTo", "rabbitmqctl", "neo4j",    "npm ",   "sqlplus",
    "impacket",       "echo",     "printf",    "chpasswd",    "sudo",     "passwd", "cryptsetup",
    "gpg ",           "kinit",    "smbpasswd", "mc ",         "docker"};
inline constexpr Trigrams kCommandBegins = [] {
  Trigrams bits{};
  for (const std::string_view name : kCommandNames) add_trigram(bits, name);
  return bits;
}();

// `begin` to `end` is a word that begins like a command. Case does not count.
void find_command_argument(std::string_view text, std::size_t begin, std::size_t end, std::vector<Finding>& found);

}  // namespace glovebox::privacy
