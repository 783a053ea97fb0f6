#include "privacy/secrets/command_lines.h"

#include "privacy/characters.h"
#include "privacy/secrets/plain_words.h"
#include "privacy/secrets/secret_names.h"
#include "privacy/secrets/secret_values.h"

namespace glovebox::privacy {
namespace {

struct Command {
  std::string_view name;
  char option;
  bool joined;       // -pword
  bool spaced;       // -p word
  char sign = '\0';  // between a name and the word: -u bob:word
};

constexpr Command kCommands[] = {
    {"mysql", 'p', true, false},
    {"mariadb", 'p', true, false},
    {"sshpass", 'p', true, true},
    {"docker login", 'p', true, true},
    {"podman login", 'p', true, true},
    {"mongo", 'p', true, true},
    {"7z", 'p', true, false},
    {"rar ", 'p', true, false},
    {"redis-cli", 'a', false, true},
    {"ldap", 'w', true, true},
    {"zip ", 'P', true, true},
    {"mosquitto_", 'P', false, true},
    {"sqlcmd", 'P', true, true},
    {"bcp ", 'P', true, true},
    {"ssh-keygen", 'N', false, true},
    {"az login", 'p', false, true},
    {"psexec", 'p', false, true},
    {"rdesktop", 'p', true, true},
    {"oc login", 'p', true, true},
    {"cf login", 'p', false, true},
    {"cloud login", 'p', false, true},
    {"helm registry", 'p', false, true},
    {"cqlsh", 'p', false, true},
    {"cypher-shell", 'p', false, true},
    {"beeline", 'p', false, true},
    {"evil-winrm", 'p', false, true},
    {"snmp", 'A', false, true},
    {"snmp", 'X', false, true},
    {"ipmitool", 'P', false, true},
    {"tsql", 'P', false, true},
    {"ssh-keygen", 'P', false, true},
    {"skopeo login", 'p', false, true},
    {"buildah login", 'p', true, true},
    {"curl", 'u', true, true, ':'},
    {"smbclient", 'U', true, true, '%'},
    {"rpcclient", 'U', true, true, '%'},
    {"lftp", 'u', true, true, ','},
};

std::optional<Finding> value_behind(std::string_view text, std::size_t begin, Named named) {
  char quote = '\0';
  if (is_quote(at(text, begin))) quote = text[begin++];
  if (at(text, begin) == '-') return std::nullopt;
  auto found = secret_at(text, begin, quote, named);
  return found || named == Named::kSecret ? found : plain_word_at(text, begin, quote, kEndsArgument);
}

// The line up to `at`, where its command is.
std::string_view line_before(std::string_view text, std::size_t at) {
  constexpr std::size_t kReach = 96;
  const std::size_t lowest = at > kReach ? at - kReach : 0;
  std::string_view line = text.substr(lowest, at - lowest);
  line.remove_prefix(line.rfind('\n') + 1);
  return line;
}

// bob:… behind -u or --user.
std::optional<Finding> find_in_pair(std::string_view text, std::size_t begin, char sign) {
  if (is_quote(at(text, begin))) ++begin;
  const std::string_view pair = text.substr(begin, value_end(text, begin, '\0', Named::kInSentence) - begin);
  const std::size_t place = pair.find(sign);
  if (place == std::string_view::npos || place == 0) return std::nullopt;
  return value_behind(text, begin + place + 1, Named::kInSentence);
}

}  // namespace

std::optional<Finding> find_option_secret(std::string_view text, std::size_t at) {
  const char previous = before(text, at);
  if (previous != ' ' && previous != '\0' && previous != '"' && previous != '\n') return std::nullopt;
  if (privacy::at(text, at + 1) == '-') {
    std::size_t end = at + 2;
    while (end < text.size() && end - at < 32 && is_of_key(text[end])) ++end;
    if (privacy::at(text, end) != ' ') return std::nullopt;
    const PlainKey key(text.substr(at + 2, end - at - 2));
    if (key.view() == "user" && line_before(text, at).find("curl") != std::string_view::npos)
      return find_in_pair(text, end + 1, ':');
    if (!is_secret_key(key) || is_cursor(key) || is_about_secret(key)) return std::nullopt;
    return value_behind(text, end + 1, is_password_key(key) ? Named::kInSentence : Named::kSecret);
  }
  // keytool -storepass …, plink -pw …
  std::size_t name_end = at + 1;
  while (name_end - at < 32 && is_of_key(privacy::at(text, name_end))) ++name_end;
  if (name_end - at > 2 && privacy::at(text, name_end) == ' ') {
    const PlainKey key(text.substr(at + 1, name_end - at - 1));
    const bool of_keytool = key.view().ends_with("storepass") || key.view() == "keypass";
    if ((is_password_key(key) || of_keytool) && !is_about_secret(key))
      return value_behind(text, name_end + 1, Named::kInSentence);
  }
  const std::string_view line = line_before(text, at);
  const bool spaced = privacy::at(text, at + 2) == ' ';
  for (const Command& command : kCommands) {
    if (command.option != privacy::at(text, at + 1) || !(spaced ? command.spaced : command.joined)) continue;
    if (line.find(command.name) == std::string_view::npos) continue;
    const std::size_t begin = at + (spaced ? 3 : 2);
    if (command.sign == '\0') return value_behind(text, begin, Named::kInSentence);
    if (auto found = find_in_pair(text, begin, command.sign)) return found;
  }
  return std::nullopt;
}

}  // namespace glovebox::privacy
