#include "privacy/secrets/code_phrase.h"

#include <algorithm>
#include <array>

#include "privacy/characters.h"
#include "privacy/rules/folded_word.h"
#include "privacy/secrets/trigrams.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kLongestWord = 32;

// Words that name a code on their own.
struct CodeName {
  std::string_view word;
  CodeForm form;
  bool upper = false;  // in capitals, if nothing else is between it and the code: a pin 4821 is one of a chip
};
constexpr CodeName kCodeNames[] = {
    {"pin", {4, 8}, true},      {"otp", {4, 8}, true},
    {"totp", {6, 8}, true},     {"cvv", {3, 4}},
    {"cvv2", {3, 4}},           {"cvc", {3, 4}},
    {"cvc2", {3, 4}},           {"cvn", {3, 4}, true},
    {"puk", {8, 8}, true},      {"mtan", {6, 8}},
    {"smstan", {6, 8}},         {"geheimzahl", {4, 6}},
    {"digicode", {4, 6, true}}, {"pincode", {4, 5}},  // six digits are an address in India
    {"passcode", {4, 10}},      {"safe", {6, 6, false, true}},
};

// "Code" in all languages of which we know qualifiers. They may be the end of a word: Bestätigungscode.
constexpr std::string_view kCodes[] = {"codes",   "code",  "codigos", "codigo", "codice", "codici",
                                       "kodunuz", "kodun", "kodu",    "kod",    "kode"};

// What makes a code secret, as a part of a word: "Verifizierungscode", "código de verificación".
constexpr auto kStrongParts = std::to_array<std::string_view>(
    {"verif",    "werif",  "weryf",    "authent", "autent",  "bestatig", "bestaetig", "einmal",
     "onetime",  "otp",    "2fa",      "mfa",     "login",   "signin",   "dogrulama", "identif",
     "recovery", "backup", "bevestig", "verifi",  "overeni", "varmen"});
// As a whole word.
constexpr std::string_view kStrongWords =
    " pin time factor sms auth door gate garage entrance door's gate's tan log sign uwierzytelniania jednorazowy "
    "jednorazowe secours recuperation porte puerta tur haustur engangs ";
constexpr auto kWeakParts = std::to_array<std::string_view>(
    {"security", "sicherheit", "securite", "seguridad", "sicurezza", "seguranca",  "beveilig",  "bezpiecz",
     "guvenlik", "access",     "acces",    "acceso",    "accesso",   "acesso",     "zugang",    "zugriff",
     "toegang",  "dostep",     "confirm",  "conferm",   "potwierdz", "activat",    "aktivier",  "activac",
     "ativac",   "attivaz",    "activer",  "aktywac",   "unlock",    "freischalt", "entsperr",  "desbloque",
     "sblocco",  "odblok",     "alarm",    "alarma",    "reset",     "pairing",    "connexion", "conexion",
     "bekraft",  "bekreft",    "giris",    "onay",      "entry",     "inlog",      "logow"});
// Words of somebody whose code it is: "your code is …".
constexpr std::string_view kOwners =
    " your my his her their our this following ihr ihre ihren dein deinen mein meinen dieser diesen folgenden votre "
    "vos ton mon son ce notre tu su mi este siguiente tuo suo mio il questo seu sua teu meu este je jouw uw mijn "
    "deze twoj moj din ditt mitt min ditt kodunuz kodun ";
// "postal code", "código de error": other codes.
constexpr auto kOtherCodes = std::to_array<std::string_view>(
    {"zip",      "post",    "country",  "area",     "error",   "erreur", "fehler",   "fout",   "hata",     "blad",
     "status",   "exit",    "return",   "response", "result",  "promo",  "discount", "coupon", "product",  "color",
     "colour",   "source",  "article",  "articolo", "article", "item",   "fiscal",   "tax",    "currency", "language",
     "state",    "region",  "dial",     "vendor",   "course",  "bar",    "order",    "key",    "char",     "byte",
     "op",       "machine", "event",    "reason",   "type",    "sort",   "swift",    "bank",   "voucher",  "gift",
     "customer", "project", "material", "airport",  "station"});
// "enter this code to log in", "use code … to verify".
constexpr std::string_view kPurposes[] = {"to sign",        "to log",       "to verif",
                                          "to confirm",     "to authent",   "to access",
                                          "to unlock",      "to reset",     "to complete your",
                                          "to finish",      "to continue",  "to activate",
                                          "to get into",    "zum anmelden", "zur anmeldung",
                                          "pour vous",      "pour te",      "pour confirmer",
                                          "para iniciar",   "para entrar",  "para verificar",
                                          "para confirmar", "para acceder", "per accedere",
                                          "per confermare", "om in te",     "om uw",
                                          "om je",          "aby si"};

bool is_of_word(char c) {
  return is_word(c) || (static_cast<unsigned char>(c) & 0x80) != 0;
}

WholeWord word_behind(std::string_view text, std::size_t begin) {
  WholeWord word{begin, begin};
  while (word.end - begin < kLongestWord && is_of_word(privacy::at(text, word.end))) ++word.end;
  return word;
}

template <std::size_t N>
bool has_part(std::string_view word, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return word.find(part) != std::string_view::npos; });
}
template <std::size_t N>
bool begins_with_part(std::string_view word, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return word.starts_with(part); });
}

// Their first three letters, of which most words have none.
constexpr Trigrams kPartBegins = [] {
  Trigrams bits{};
  for (const std::string_view part : kStrongParts) add_trigram(bits, part);
  for (const std::string_view part : kWeakParts) add_trigram(bits, part);
  return bits;
}();
bool may_have_part(std::string_view word) {
  for (std::size_t i = 0; i + 3 <= word.size(); ++i)
    if (has_trigram(kPartBegins, word.data() + i)) return true;
  return false;
}

Trust trust_of_word(std::string_view folded) {
  if (!may_have_part(folded)) return is_one_of(kStrongWords, folded) ? Trust::kBare : Trust::kNone;
  if (has_part(folded, kStrongParts) || is_one_of(kStrongWords, folded)) return Trust::kBare;
  return has_part(folded, kWeakParts) ? Trust::kSigned : Trust::kNone;
}

// "verification code", "your Google code": words before "code" say which it is.
void take_words_before(std::string_view text, CodePhrase& phrase) {
  std::size_t begin = phrase.begin;
  for (int words = 0; words < 3; ++words) {
    std::size_t end = begin;
    while (end > 0 && begin - end < 2 && std::string_view(" -_?/.'\"").find(text[end - 1]) != std::string_view::npos)
      --end;
    const WholeWord word = word_before(text, end);
    if (end == begin || word.begin == word.end) return;
    const FoldedWord folded(word.of(text));
    if (begins_with_part(folded.view(), kOtherCodes)) return;
    const Trust trust = trust_of_word(folded.view());
    const bool owner = is_one_of(kOwners, folded.view());
    phrase.trust = std::max(phrase.trust, owner ? Trust::kSigned : trust);
    if (owner || trust != Trust::kNone) phrase.begin = word.begin;
    if (owner) return;
    begin = word.begin;
  }
}

}  // namespace

WholeWord word_before(std::string_view text, std::size_t end) {
  WholeWord word{end, end};
  while (word.begin > 0 && end - word.begin < kLongestWord && is_of_word(text[word.begin - 1])) --word.begin;
  return word;
}

void take_words_behind(std::string_view text, CodePhrase& phrase) {
  constexpr std::string_view kParticles = " de di do d da del della la el le pin l par por per via for zur zum ";
  std::size_t end = phrase.end;
  if (privacy::at(text, end) != ' ' && privacy::at(text, end) != '\'') return;
  constexpr std::size_t kLongestPurpose = 20;
  const FoldedWord folded_behind(text.substr(end + 1, kLongestPurpose));
  for (const std::string_view purpose : kPurposes) {
    if (!folded_behind.view().starts_with(purpose)) continue;
    phrase.trust = std::max(phrase.trust, Trust::kSigned);
    phrase.end = end + 1 + purpose.size();
    while (is_of_word(privacy::at(text, phrase.end))) ++phrase.end;
    return;
  }
  for (int words = 0; words < 3; ++words) {
    if (privacy::at(text, end) != ' ' && privacy::at(text, end) != '\'') return;
    const WholeWord word = word_behind(text, end + 1);
    const FoldedWord folded(word.of(text));
    const Trust trust = trust_of_word(folded.view());
    if (trust != Trust::kNone) {
      phrase.trust = std::max(phrase.trust, trust);
      phrase.end = word.end;
    } else if (!is_one_of(kParticles, folded.view())) {
      return;
    }
    end = word.end;
  }
}

CodePhrase code_phrase_at(std::string_view text, std::size_t begin, std::size_t end) {
  CodePhrase phrase{word_before(text, end).begin, word_behind(text, begin).end, {}, Trust::kNone, false};
  if (phrase.begin > begin || phrase.end < end) return phrase;
  const std::string_view written = text.substr(phrase.begin, phrase.end - phrase.begin);
  const FoldedWord folded(written);
  const std::string_view word = folded.view();
  for (const CodeName& name : kCodeNames) {
    if (word != name.word) continue;
    phrase.form = name.form;
    const bool shouted = std::none_of(written.begin(), written.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    phrase.trust = name.upper && (!shouted || before(text, phrase.begin) == '_') ? Trust::kSigned : Trust::kBare;
    if (name.form.pairs) phrase.trust = Trust::kSigned;
    if (name.word == "pin") take_words_behind(text, phrase);
    return phrase;
  }
  if (word == "tan" && written == "TAN") {
    phrase.form = {6, 6};
    phrase.trust = Trust::kSigned;
    return phrase;
  }
  for (const std::string_view code : kCodes) {
    if (!word.ends_with(code)) continue;
    phrase.plural = code == "codes" || code == "codigos" || code == "codici";
    const std::string_view stem = word.substr(0, word.size() - code.size());
    phrase.form.letters = true;
    if (!stem.empty()) {
      phrase.trust = trust_of_word(stem);
      if (phrase.trust == Trust::kNone && !stem.ends_with('-')) return phrase;
    }
    if (is_one_of(kOwners, word)) phrase.trust = Trust::kSigned;
    take_words_before(text, phrase);
    take_words_behind(text, phrase);
    return phrase;
  }
  return phrase;
}

}  // namespace glovebox::privacy
