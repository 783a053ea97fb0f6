#include "privacy/secrets/command_arguments.h"

#include <algorithm>
#include <array>

#include "privacy/characters.h"
#include "privacy/rules/folded_word.h"
#include "privacy/secrets/plain_words.h"
#include "privacy/secrets/secret_values.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kLongestLine = 256;

struct Argument {
  std::size_t begin = 0;
  std::size_t end = 0;  // the same: there is none
  char quote = '\0';
  std::string_view of(std::string_view line) const { return line.substr(begin, end - begin); }
};

Argument next_argument(std::string_view line, std::size_t at) {
  at = std::min(at, line.size());  // a quote may not be closed
  while (at < line.size() && static_cast<unsigned char>(line[at]) <= ' ') ++at;
  Argument argument{at, at, '\0'};
  if (is_quote(privacy::at(line, at)) && line[at] != '\\') {
    argument.quote = line[at];
    argument.begin = argument.end = at + 1;
    while (argument.end < line.size() && line[argument.end] != argument.quote) ++argument.end;
    return argument;
  }
  while (argument.end < line.size() && static_cast<unsigned char>(line[argument.end]) > ' ') ++argument.end;
  return argument;
}

// The marker that a value stands directly behind, in commands that have such.
struct Marked {
  std::string_view command;
  std::string_view marker;
};
constexpr Marked kMarked[] = {{"openssl", " pass:"},     {"xfreerdp", " /p:"},      {"wfreerdp", " /p:"},
                              {"freerdp", " /p:"},       {"schtasks", " /rp "},     {"schtasks", " /p "},
                              {"openssl", "passwd -1 "}, {"openssl", "passwd -5 "}, {"openssl", "passwd -6 "}};

// The words of a command up to its secret, which is the next that is no option. `_` is any word, `_*` one with that
// end.
struct Positional {
  std::string_view command;
  std::string_view words;
  Named named = Named::kInSentence;
};
constexpr Positional kPositional[] = {{"net", "user _"},
                                      {"net", "use"},
                                      {"htpasswd", "-b _ _"},
                                      {"wpa_passphrase", "_"},
                                      {"vault", "login", Named::kSecret},
                                      {"ConvertTo-SecureString", ""},
                                      {"rabbitmqctl", "add_user _"},
                                      {"rabbitmqctl", "change_password _"},
                                      {"neo4j-admin", "set-initial-password"},
                                      {"npm", "config set _*_authToken", Named::kSecret},
                                      {"npm", "config set _*_password"},
                                      {"mc", "alias set _ _ _", Named::kSecret}};

// What reads a password from its input.
constexpr std::string_view kReaders[] = {"chpasswd",   "passwd --stdin", "sudo -S", "--password-stdin", "passphrase-fd",
                                         "cryptsetup", "smbpasswd",      "kinit",   "--with-token",     "passwd -s"};

bool is_option(std::string_view word, char sign = '-') {
  return word.size() > 1 && word[0] == sign;
}

std::optional<Finding> value_of(std::string_view text, const Argument& argument, Named named) {
  if (argument.end == argument.begin || is_option(argument.of(text))) return std::nullopt;
  const std::string_view until = text.substr(0, argument.end);
  if (auto found = secret_at(until, argument.begin, '\0', named)) return found;
  return named == Named::kSecret ? std::nullopt : plain_word_at(until, argument.begin, '\0', kEndsArgument);
}

bool is_as_expected(std::string_view wanted, std::string_view word) {
  if (wanted == "_") return true;
  if (wanted.starts_with("_*")) return word.ends_with(wanted.substr(2));
  // -cb, for -b
  if (wanted[0] == '-') return word[0] == '-' && word.find(wanted[1]) != std::string_view::npos;
  return wanted == word;
}

std::optional<Finding> find_positional(std::string_view text, std::string_view line, std::size_t at,
                                       const Positional& command) {
  std::string_view wanted = command.words;
  constexpr int kMostWords = 12;
  int shares = 0;
  for (int words = 0; words < kMostWords; ++words) {
    const Argument argument = next_argument(line, at);
    const std::string_view word = argument.of(line);
    if (word.empty()) return std::nullopt;
    at = argument.end + (argument.quote != '\0');
    // X:, *, /user:bob and \\host\share of net use; of the latter an escape may have been read
    const bool place = command.command == "net" &&
                       (word.find('\\') != word.npos || word == "*" || word.ends_with(':') || is_option(word, '/'));
    if (wanted.empty()) {
      shares += place && word.find('\\') != word.npos;
      if (place || is_option(word)) continue;
      if (command.words == "use" && shares == 0) return std::nullopt;
      return value_of(text, argument, command.named);
    }
    const std::size_t size = std::min(wanted.find(' '), wanted.size());
    const bool flag = wanted[0] == '-';
    if (!flag && is_option(word)) {
      if (!wanted.starts_with("_*") || !is_as_expected(wanted.substr(0, size), word)) continue;
    } else if (!is_as_expected(wanted.substr(0, size), word)) {
      if (flag && is_option(word)) continue;
      return std::nullopt;
    }
    wanted.remove_prefix(std::min(size + 1, wanted.size()));
  }
  return std::nullopt;
}

bool reads_password(std::string_view command) {
  return std::any_of(std::begin(kReaders), std::end(kReaders),
                     [&](std::string_view reader) { return command.find(reader) != std::string_view::npos; });
}

// bob:…, for chpasswd
std::optional<Finding> value_for(std::string_view text, std::string_view reader, Argument value) {
  const std::size_t colon = value.of(text).find(':');
  if (reader.find("chpasswd") != std::string_view::npos && colon != std::string_view::npos) value.begin += colon + 1;
  return value_of(text, value, Named::kInSentence);
}

// echo … | sudo -S, --password-file=<(echo …)
std::optional<Finding> find_echoed(std::string_view text, std::size_t begin, std::string_view line, std::size_t at) {
  Argument value = next_argument(line, at);
  while (value.of(line) == "-n" || value.of(line) == "-e" || value.of(line) == "%s" || value.of(line) == "%s\\n")
    value = next_argument(line, value.end + (value.quote != '\0'));
  const std::size_t pipe = line.find('|', value.end);
  const std::string_view before =
      text.substr(begin - std::min<std::size_t>(begin, 32), std::min<std::size_t>(begin, 32));
  if (before.ends_with("<(") && before.find("pass") != std::string_view::npos) {
    value.end = std::min(value.end, line.find(')', value.begin));
    return value_of(text, value, Named::kInSentence);
  }
  if (pipe == std::string_view::npos || !reads_password(line.substr(pipe))) return std::nullopt;
  return value_for(text, line.substr(pipe), value);
}

// scott/…@orcl, corp/bob:…@10.1.1.4
std::optional<Finding> find_in_target(std::string_view text, std::string_view line, std::size_t at, char sign) {
  for (int words = 0; words < 4; ++words) {
    Argument target = next_argument(line, at);
    const std::size_t place = target.of(line).find(sign);
    const std::size_t host = target.of(line).rfind('@');
    if (target.begin == target.end) return std::nullopt;
    at = target.end + (target.quote != '\0');
    if (is_option(target.of(line)) || place == std::string_view::npos || place == 0) continue;
    if (host != std::string_view::npos && host > place) target.end = target.begin + host;
    target.begin += place + 1;
    return value_of(text, target, Named::kInSentence);
  }
  return std::nullopt;
}

}  // namespace

void find_command_argument(std::string_view text, std::size_t begin, std::size_t end, std::vector<Finding>& found) {
  const auto is_of_command = [](char c) { return is_word(c) || c == '-' || c == '_'; };
  while (end - begin < 24 && is_of_command(at(text, end))) ++end;
  const std::string_view name = text.substr(begin, end - begin);
  if (at(text, end) != ' ' || is_of_command(before(text, begin))) return;
  std::string_view line = text.substr(0, std::min(text.size(), begin + kLongestLine));
  std::size_t line_end = line.find('\n', begin);
  if (name == "net" && line_end != line.npos && line[line_end - 1] == ' ')
    line_end = line.find('\n', line_end + 1);  // \\nas
  line = line.substr(0, line_end);
  const auto keep = [&](const std::optional<Finding>& finding) {
    if (finding) found.push_back(*finding);
  };
  const auto is = [&](std::string_view command) {
    return name.size() == command.size() && std::equal(name.begin(), name.end(), command.begin(),
                                                       [](char a, char b) { return to_lower(a) == to_lower(b); });
  };
  for (const Marked& marked : kMarked) {
    if (!is(marked.command)) continue;
    for (std::size_t at = line.find(marked.marker, end); at != std::string_view::npos;
         at = line.find(marked.marker, at + 1)) {
      keep(value_of(text, next_argument(line, at + marked.marker.size()), Named::kInSentence));
    }
  }
  for (const Positional& command : kPositional)
    if (is(command.command)) keep(find_positional(text, line, end, command));
  if (is("echo") || is("printf")) keep(find_echoed(text, begin, line, end));
  if (is("sqlplus")) keep(find_in_target(text, line, end, '/'));
  if (name.starts_with("impacket-")) keep(find_in_target(text, line, end, ':'));
  const std::size_t here = line.find("<<<", end);
  if (here != std::string_view::npos && reads_password(line.substr(begin, here - begin)))
    keep(value_for(text, name, next_argument(line, here + 3)));
}

}  // namespace glovebox::privacy
