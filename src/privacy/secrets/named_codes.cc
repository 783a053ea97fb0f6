#include "privacy/secrets/named_codes.h"

#include <algorithm>
#include <array>

#include "privacy/characters.h"
#include "privacy/rules/folded_word.h"
#include "privacy/secrets/code_values.h"
#include "privacy/secrets/stating_verbs.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kCodeReach = 72;  // between a name and its code
constexpr std::size_t kLongestWord = 32;

// What a name needs to be believed.
enum class Trust {
  kNone,
  kSigned,  // a colon, an equals sign or a verb: "the alarm code is 4821"
  kBare     // nothing: "PIN 4821"
};

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

struct Word {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

bool is_of_word(char c) {
  return is_word(c) || (static_cast<unsigned char>(c) & 0x80) != 0;
}

// The word that ends at `end`, without regard to how ASCII cuts it: código.
Word word_before(std::string_view text, std::size_t end) {
  Word word{end, end};
  while (word.begin > 0 && end - word.begin < kLongestWord && is_of_word(text[word.begin - 1])) --word.begin;
  return word;
}
Word word_behind(std::string_view text, std::size_t begin) {
  Word word{begin, begin};
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

bool ends_in_digit(std::string_view text, std::size_t from, std::size_t to) {
  return std::any_of(text.begin() + static_cast<std::ptrdiff_t>(from),
                     text.begin() + static_cast<std::ptrdiff_t>(std::min(to, text.size())), is_digit);
}

// A name of a code, with the words that say which.
struct Phrase {
  std::size_t begin = 0;
  std::size_t end = 0;
  CodeForm form;
  Trust trust = Trust::kNone;
  bool plural = false;
};

// "verification code", "your Google code": words before "code" say which it is.
void take_words_before(std::string_view text, Phrase& phrase) {
  std::size_t begin = phrase.begin;
  for (int words = 0; words < 3; ++words) {
    std::size_t end = begin;
    while (end > 0 && begin - end < 2 && std::string_view(" -_?/.'\"").find(text[end - 1]) != std::string_view::npos)
      --end;
    const Word word = word_before(text, end);
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

// "code de vérification", "kod weryfikacyjny", "code to log in".
void take_words_behind(std::string_view text, Phrase& phrase) {
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
    const Word word = word_behind(text, end + 1);
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

Phrase phrase_at(std::string_view text, std::size_t begin, std::size_t end) {
  Phrase phrase{word_before(text, end).begin, word_behind(text, begin).end, {}, Trust::kNone, false};
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

// Past marks, quotes and tags of HTML between a name and its code. `sign` becomes true at what assigns.
std::size_t past_marks(std::string_view text, std::size_t at, bool& sign) {
  constexpr std::size_t kMostMarks = 12, kLongestTag = 64;
  constexpr std::string_view kMarks = " \t\"'`*_()[]#\\:=|>\n\r";
  const std::size_t begin = at;
  while (at - begin < kMostMarks + kLongestTag) {
    const char c = privacy::at(text, at);
    if (c == '<') {
      const std::size_t close = text.substr(0, at + kLongestTag).find_first_of("<>\n", at + 1);
      if (close == std::string_view::npos || text[close] != '>') return at;
      at = close + 1;
      continue;
    }
    if (c == '\0' || (kMarks.find(c) == std::string_view::npos && !(c == '-' && before(text, at) == ' '))) return at;
    if (c == '\n' && !sign) return at;
    sign |= c == ':' || c == '=' || c == '|';
    ++at;
  }
  return at;
}

bool keep_code(std::string_view text, std::size_t begin, const CodeForm& form, std::vector<Finding>& found) {
  const std::size_t end = code_end(text, begin, form);
  if (end == begin) return false;
  found.push_back({Entity::kSecret, begin, end, 0.7, "code"});
  return true;
}

// "backup codes: a b c": the others have the same size.
void keep_list(std::string_view text, const Phrase& phrase, std::vector<Finding>& found) {
  constexpr std::size_t kMostCodes = 32;
  for (std::size_t i = 1; phrase.plural && i < kMostCodes; ++i) {
    const Finding& last = found.back();
    std::size_t next = last.end;
    while (next - last.end < 5 &&
           std::string_view(" ,;\n\t-*|").find(privacy::at(text, next)) != std::string_view::npos)
      ++next;
    const std::size_t size = last.end - last.begin;
    if (next == last.end || code_end(text, next, phrase.form) != next + size ||
        !keep_code(text, next, phrase.form, found))
      return;
  }
}

bool find_behind(std::string_view text, const Phrase& phrase, std::vector<Finding>& found) {
  bool sign = false;
  std::size_t at = past_marks(text, phrase.end, sign);
  if (const std::size_t verb = after_verb(text, at); verb > at) {
    sign = true;
    at = past_marks(text, verb, sign);
  }
  if (sign || phrase.trust == Trust::kBare) {
    // "recovery code 3BP9K-FDQT3", but not "login code E4821"
    const std::size_t end = code_end(text, at, phrase.form);
    const std::size_t dash = text.substr(at, end - at).find('-');
    const bool grouped = dash != std::string_view::npos && dash >= 4;
    CodeForm digits = phrase.form;
    digits.letters = false;
    if ((sign || grouped || code_end(text, at, digits) > at) && keep_code(text, at, phrase.form, found)) return true;
  }
  // "the PIN for the new card is …", "code to log in: …"
  constexpr std::array<std::string_view, 11> kCopulas = {" is ", " was ", " ist ", " lautet ", " est ",  " es ",
                                                         " é ",  " è ",   " är ",  " jest ",   " c'est "};
  for (std::size_t i = phrase.end; i - phrase.end < kCodeReach && i < text.size(); ++i) {
    const char c = text[i];
    const char next = privacy::at(text, i + 1);
    if (c == '\n' || c == ';' || c == '<' || c == '{' || ((c == '.' || c == '?' || c == '!') && next == ' ')) break;
    std::size_t begin = 0;
    if (c == ':' && std::string_view(" \n\"").find(next) != std::string_view::npos) begin = i + 1;  // auth.cc:48
    if (c == ' ' && std::string_view("iwlejc\xc3").find(next) != std::string_view::npos)
      for (const std::string_view copula : kCopulas)
        if (text.substr(i, copula.size()) == copula) begin = i + copula.size();
    if (begin == 0) continue;
    sign = true;
    if (keep_code(text, past_marks(text, begin, sign), phrase.form, found)) return true;
    if (c == ':') break;
  }
  return false;
}

// "482913 is your verification code", "use 482913 as the code to sign in".
bool find_before(std::string_view text, const Phrase& phrase, std::vector<Finding>& found) {
  constexpr std::string_view kCopulas = " is as ist als est comme es como e come jest jako ar som olarak to ";
  std::size_t begin = phrase.begin;
  for (int words = 0; words < 4 && before(text, begin) == ' '; ++words) {
    const Word word = word_before(text, begin - 1);
    if (word.begin == word.end || std::any_of(word.of(text).begin(), word.of(text).end(), is_digit)) return false;
    begin = word.begin;
    if (!is_one_of(kCopulas, FoldedWord(word.of(text)).view())) continue;
    std::size_t end = begin;
    while (begin - end < 10 && std::string_view(" *\"'`>").find(before(text, end)) != std::string_view::npos) --end;
    if (end >= 4 && text[end - 1] == 'b' && text[end - 2] == '/') end -= 3;  // </b>
    CodeForm form = phrase.form;
    form.letters = false;
    const std::size_t code = code_begin(text, end, form);
    if (code == end) return false;
    found.push_back({Entity::kSecret, code, end, 0.7, "code"});
    return true;
  }
  return false;
}

// Of a code whose digits begin at `digits`: G-482913.
std::size_t with_prefix(std::string_view text, std::size_t digits) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  std::size_t begin = digits;
  if (before(text, begin) == '-' && is_capital(before(text, begin - 1)))
    for (--begin; digits - begin < 4 && is_capital(before(text, begin));) --begin;
  return begin;
}

}  // namespace

void find_named_codes(std::string_view text, std::size_t begin, std::size_t end, std::vector<Finding>& found) {
  const std::size_t lowest = begin - std::min(begin, kCodeReach / 2);
  if (!ends_in_digit(text, lowest, end + kCodeReach + 16)) return;
  const Phrase phrase = phrase_at(text, begin, end);
  if (phrase.form.letters && phrase.trust == Trust::kNone) {
    // "use code 482913 to sign in"
    bool sign = false;
    const std::size_t code = past_marks(text, phrase.end, sign);
    const std::size_t behind = code_end(text, code, phrase.form);
    if (behind == code) return;
    Phrase purpose{phrase.begin, behind, phrase.form, Trust::kNone, false};
    take_words_behind(text, purpose);
    if (purpose.trust != Trust::kNone) keep_code(text, code, phrase.form, found);
    return;
  }
  if (phrase.trust == Trust::kNone) return;
  if (find_behind(text, phrase, found)) return keep_list(text, phrase, found);
  find_before(text, phrase, found);
}

bool is_next_to_other_script(std::string_view text, std::size_t begin, std::size_t end) {
  if ((privacy::at(text, end) & 0x80) != 0 || (privacy::at(text, end) == ' ' && (privacy::at(text, end + 1) & 0x80)))
    return true;
  begin = with_prefix(text, begin);
  std::size_t at = begin;
  while (at > 0 && begin - at < 3 && std::string_view(" :[(\"'-").find(text[at - 1]) != std::string_view::npos) --at;
  return (before(text, at) & 0x80) != 0;
}

std::optional<Finding> find_code_in_other_script(std::string_view text, std::size_t begin, std::size_t end) {
  // Chinese, Japanese, Korean, Russian, Ukrainian, Greek, Arabic, Hebrew, Hindi, Thai.
  constexpr std::string_view kCodesOfScripts[] = {"验证码",
                                                  "驗證碼",
                                                  "校验码",
                                                  "动态码",
                                                  "动态密码",
                                                  "确认码",
                                                  "授权码",
                                                  "取件码",
                                                  "支付密码",
                                                  "認証コード",
                                                  "確認コード",
                                                  "認証番号",
                                                  "暗証番号",
                                                  "ワンタイム",
                                                  "セキュリティコード",
                                                  "인증번호",
                                                  "인증 번호",
                                                  "인증코드",
                                                  "비밀번호",
                                                  "보안코드",
                                                  "핀번호",
                                                  "код подтверждения",
                                                  "ваш код",
                                                  "код доступа",
                                                  "код для входа",
                                                  "код из смс",
                                                  "код безопасности",
                                                  "пин-код",
                                                  "пинкод",
                                                  "пин код",
                                                  "пин:",
                                                  "код підтвердження",
                                                  "κωδικός επαλήθευσης",
                                                  "κωδικος επαληθευσης",
                                                  "رمز التحقق",
                                                  "رمز التأكيد",
                                                  "كود التحقق",
                                                  "الرقم السري",
                                                  "קוד אימות",
                                                  "קוד האימות",
                                                  "קוד הכניסה",
                                                  "ओटीपी",
                                                  "सत्यापन कोड",
                                                  "रหัส otp",
                                                  "รหัสยืนยัน",
                                                  "รหัส otp"};
  constexpr std::size_t kBefore = 54, kBehind = 40;
  begin = with_prefix(text, begin);
  const std::size_t lowest = begin - std::min(begin, kBefore);
  std::string_view near = text.substr(lowest, begin - lowest);
  near.remove_prefix(near.rfind('\n') + 1);
  const FoldedWord folded_before(near);
  const std::string_view behind = text.substr(end, std::min(text.substr(end, kBehind).find('\n'), kBehind));
  for (const std::string_view name : kCodesOfScripts) {
    if (folded_before.view().find(name) == std::string_view::npos && behind.find(name) == std::string_view::npos)
      continue;
    const std::size_t last = code_end(text, begin, CodeForm());
    if (last == begin) return std::nullopt;
    return Finding{Entity::kSecret, begin, last, 0.7, "code"};
  }
  return std::nullopt;
}

}  // namespace glovebox::privacy
