// What may be the value of something that is named a secret.
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"
#include "privacy/secrets/secret_names.h"

namespace glovebox::privacy {

// What the key says about a value. `pass` is the result of a test more often than a password.
enum class Named { kSecret, kPassword, kPassphrase, kPass, kInSentence };

// What is around a value: anything, members of a connection string, or words that do not state that it is a secret.
enum class Around { kAnything, kMembers, kWords };

Named named_by_key(const PlainKey& key);

// The secret that begins at `begin`, behind `quote` if there is one.
std::optional<Finding> secret_at(std::string_view text, std::size_t begin, char quote, Named named,
                                 Around around = Around::kAnything);

inline bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '`' || c == '\\';
}
// Where the value is, behind a quotation mark of any kind, and where its text ends.
struct Quoted {
  std::size_t begin = 0;
  char quote = '\0';
  std::string_view text;
};
Quoted quoted_at(std::string_view text, std::size_t at);
// sha256, field12: a word that has a number for another reason.
bool is_counted_name(std::string_view value);
double bits_per_character(std::string_view text);
std::size_t value_end(std::string_view text, std::size_t begin, char quote, Named named);

}  // namespace glovebox::privacy
