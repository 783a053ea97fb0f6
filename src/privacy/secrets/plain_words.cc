#include "privacy/secrets/plain_words.h"

#include <algorithm>
#include <iterator>

#include "privacy/characters.h"
#include "privacy/rules/folded_word.h"
#include "privacy/secrets/secret_names.h"
#include "privacy/secrets/secret_values.h"

namespace glovebox::privacy {
namespace {

// "password", "secret", "token": a label or a placeholder. A cookie may be a password.
bool is_name_of_secret(std::string_view word) {
  const PlainKey key(word);
  return is_secret_key(key) && !key.has("cookie");
}

// A word that may be a password: not a placeholder, a type, a label, a name in a program or a constant.
bool is_plain_word(std::string_view word) {
  constexpr std::string_view kOthers =
      " string varchar nvarchar unicode boolean integer number object buffer bytes array symbol unknown undefined "
      "required optional mandatory needed missing invalid incorrect wrong expired disabled enabled empty default "
      "hidden "
      "visible masked redacted removed omitted encrypted plain plaintext hashed random generated unset blank "
      "value values input output field param params parameter argument option options prompt stdin stdout files file "
      "systemd compat winbind shadow environment config settings variable vault keyring keychain username login email "
      "example sample placeholder dummy change changeme testing nothing whatever something anything replace insert "
      "should would could cannot returns return because before after which where while there these those their "
      "through without within between against other another either neither using policy manager protected "
      "authentication ";
  if (word.size() < 6 || word.size() > 32) return false;
  bool lower = false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool capital = word[i] >= 'A' && word[i] <= 'Z';
    if (capital && i > 0) return false;
    lower |= !capital;
  }
  return lower && !is_one_of(kOthers, word) && !is_name_of_secret(word) && bits_per_character(word) >= 1.4;
}

// What a password is said to be, by the language of the verb: endings of participles and adjectives, and words without
// such an ending.
struct Descriptions {
  std::string_view verbs;
  std::string_view endings;
  std::string_view words;
};
constexpr Descriptions kDescriptions[] = {
    // English and Dutch
    {" is was as to now still been set changed reset updated has naar nu ",
     " ed ing ly able ible ive ful less ous ent ant ary ory al ic ig own elijk baar ven pen zen ten den ken lid rect "
     "uist eist ure ness ",
     " the this that these those what which where when then than there here such same some something anything nothing "
     "everything only also just never always often even very much more most less least least enough wrong weak strong "
     "short long correct valid invalid right safe secret empty blank null none nil undef missing lost kept sent "
     "reset unset stored read held good fine great okay simple complex easy hard unique random plain plaintext ready "
     "below above default private alphanumeric mandatory false true either neither both part case string text "
     "data type length yours mine ours theirs later again today tomorrow soon once twice well stale dead obsolete "
     "outdated gone dangerous identical different disclosed unchanged another back hash hashes known unknown "
     "expire expires temporary verplicht leeg zwak sterk geheim goed fout kort lang onbekend hetzelfde yes user admin "
     "asterisks bypassed cached clear cleartext delay disabled first last second third "
     "like over under with without "
     "left like many none older newer used useless worth admin administrator username password "},
    // German
    {" ist lautet wurde wird jetzt nun ", " lich isch bar ig los haft ert iert elt det tet ngt cht zt end rekt sam ",
     " falsch leer sicher unsicher geheim kurz lang schwach stark gleich bekannt unbekannt folgendes pflicht immer "
     "noch "
     "nicht schon anders einfach kompliziert neu alt hier unten oben dort "},
    // French
    {" est c'est maintenant ", " oire ible able ique if ive ect ecte ide aire iel ielle is ise ul ure ",
     " trop tres vide faible fort forte court courte long longue nul toujours unique secret secrete simple complexe "
     "perdu perdue inconnu inconnue connu connue differente different utile juste faux fausse bon bonne requise "},
    // Spanish, Portuguese, Italian
    {" es é è este ahora agora adesso ora ",
     " ado ada ido ida ato ata ito ita uto uta ale ile bile ble vel oria orio cta cto tta tto osa oso ente ante iva "
     "ivo "
     "ica ico eta eto aria ario ",
     " debil fraca fraco fuerte forte debole segura seguro sicura corta curta larga longa lunga breve vacia vazia "
     "vuota "
     "nula nulla igual diferente unica nueva nova nuova vieja velha vecchia errada errata falsa buena boa buona facil "
     "simple simples siempre sempre muy muito molto correta mala mismo misma mesma stessa "},
    // Polish and Czech
    {" jest to je ", " ane ene one lne dne zne rne owe owa owy ana ona ony any ete ute ",
     " zbyt puste krotkie slabe silne tajne takie nowe stare kratke "},
    // Scandinavian
    {" är er ", " ig igt lig ligt at ad ", " fel svagt langt kort tomt hemligt forkert svag "},
};

// swordfish now, swordfish.
bool ends_clause(std::string_view text, std::size_t at) {
  if (at >= text.size()) return true;
  const char c = text[at];
  const char next = privacy::at(text, at + 1);
  if (c == '.' || c == ',' || c == ';' || c == '!') return next == '\0' || next == ' ' || next == '\n' || next == '"';
  if (std::string_view("\n\r\"<)").find(c) != std::string_view::npos) return true;
  constexpr std::string_view kTimes[] = {"now",   "today", "please", "yesterday", "until",
                                         "since", "btw",   "jetzt",  "bitte"};
  return c == ' ' && std::any_of(std::begin(kTimes), std::end(kTimes), [&](std::string_view time) {
           return text.substr(at + 1, time.size()) == time && !is_letter(privacy::at(text, at + 1 + time.size()));
         });
}

std::size_t letters_end(std::string_view text, std::size_t begin) {
  constexpr std::size_t kLongestWord = 32;
  std::size_t end = begin;
  while (end - begin <= kLongestWord && is_letter(at(text, end))) ++end;
  return end;
}

// correct-horse-battery-staple: four words or more.
std::size_t phrase_end(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  for (int dashes = 0;; ++dashes) {
    const std::size_t word = end;
    end = letters_end(text, word);
    if (end < word + 3) return begin;
    if (at(text, end) != '-') return dashes >= 3 ? end : begin;
    ++end;
  }
}

bool ends_in_one_of(std::string_view word, std::string_view endings) {
  for (std::size_t size = 1; size <= 5 && size < word.size(); ++size)
    if (is_one_of(endings, word.substr(word.size() - size))) return true;
  return false;
}

bool describes(std::string_view verb, std::string_view word) {
  for (const Descriptions& language : kDescriptions) {
    if (!is_one_of(language.verbs, verb)) continue;
    const bool participle = is_one_of(language.verbs, "ist") &&
                            (word.substr(0, 5).find("ge") < 4 || word.starts_with("ver")) &&
                            (word.ends_with("t") || word.ends_with("en"));  // geändert, abgelaufen, verloren
    if (participle || is_one_of(language.words, word) || ends_in_one_of(word, language.endings)) return true;
  }
  return false;
}

}  // namespace

std::optional<Finding> plain_word_at(std::string_view text, std::size_t begin, char quote, std::string_view ends) {
  const std::size_t phrase = quote != '\0' ? phrase_end(text, begin) : begin;
  const std::size_t end = phrase > begin ? phrase : letters_end(text, begin);
  const bool closed =
      quote != '\0' ? is_quote(at(text, end)) : end == text.size() || ends.find(text[end]) != std::string_view::npos;
  const std::string_view word = text.substr(begin, end - begin);
  if (!closed || (phrase > begin ? is_name_of_secret(word) : !is_plain_word(word))) return std::nullopt;
  return Finding{Entity::kSecret, begin, end, 0.7, "password"};
}

std::optional<Finding> stated_word_at(std::string_view text, std::size_t verb, std::size_t begin) {
  std::size_t last = begin;  // of the verbs: "is now"
  while (last > verb && (text[last - 1] == ' ' || text[last - 1] == ':')) --last;
  std::size_t first = last;
  while (first > verb && text[first - 1] != ' ') --first;
  if (const std::size_t phrase = phrase_end(text, begin); phrase > begin)
    return Finding{Entity::kSecret, begin, phrase, 0.6, "password"};
  const std::size_t end = letters_end(text, begin);
  const std::string_view word = text.substr(begin, end - begin);
  if (!is_plain_word(word) || !ends_clause(text, end) || describes(text.substr(first, last - first), word))
    return std::nullopt;
  return Finding{Entity::kSecret, begin, end, 0.6, "password"};
}

std::optional<Finding> word_of_pair_at(std::string_view text, std::size_t begin) {
  const std::size_t end = letters_end(text, begin);
  const std::string_view word = text.substr(begin, end - begin);
  if (!is_plain_word(word) || !ends_clause(text, end) || describes("is", word)) return std::nullopt;
  return Finding{Entity::kSecret, begin, end, 0.6, "password"};
}

}  // namespace glovebox::privacy
