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

// A word behind something that assigns it to a password, though it has neither digits nor marks: "swordfish", but not
// "required". What follows it must be one of `ends`, or the end of the text; behind a quote, a quote.
std::optional<Finding> plain_word_at(std::string_view text, std::size_t begin, char quote, std::string_view ends);
inline constexpr std::string_view kEndsLine = "\r\n";
inline constexpr std::string_view kEndsArgument = "\r\n \"'";

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
std::size_t value_end(std::string_view text, std::size_t begin, char quote, Named named);

}  // namespace glovebox::privacy
