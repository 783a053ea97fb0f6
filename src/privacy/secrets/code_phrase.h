// What names a code: "PIN", "verification code", "código de verificación", "your Google code".
#pragma once

#include <cstddef>
#include <string_view>

#include "privacy/secrets/code_values.h"

namespace glovebox::privacy {

// What a name needs to be believed.
enum class Trust {
  kNone,
  kSigned,  // a colon, an equals sign or a verb: "the alarm code is 4821"
  kBare     // nothing: "PIN 4821"
};

// A name of a code, with the words that say which.
struct CodePhrase {
  std::size_t begin = 0;
  std::size_t end = 0;
  CodeForm form;
  Trust trust = Trust::kNone;
  bool plural = false;
};

// The one that the word from `begin` to `end` belongs to; of trust kNone if it names no code.
CodePhrase code_phrase_at(std::string_view text, std::size_t begin, std::size_t end);
// "code de vérification", "kod weryfikacyjny", "code to log in": the words behind may say more.
void take_words_behind(std::string_view text, CodePhrase& phrase);

struct WholeWord {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

// The word that ends at `end`, without regard to how ASCII cuts it: código.
WholeWord word_before(std::string_view text, std::size_t end);

}  // namespace glovebox::privacy
