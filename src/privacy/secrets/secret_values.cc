#include "privacy/secrets/secret_values.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "privacy/rules/folded_word.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kLongestValue = 512;

// Asked for each byte of a value, and a text may begin one every few bytes.
class ByteSet {
 public:
  constexpr explicit ByteSet(std::string_view bytes) {
    for (const char c : bytes) has_[static_cast<unsigned char>(c)] = true;
  }
  constexpr bool has(char c) const { return has_[static_cast<unsigned char>(c)]; }

 private:
  std::array<bool, 256> has_{};
};

// Characters of passwords that do not occur in sentences.
constexpr ByteSet kMarks("!@#$%^&*+=?~");
constexpr ByteSet kEndsInSentence("<>\"'`"), kEndsAssigned(",;<>)}]\"'`\\");

// params2.sameSite; or list[0]: an expression in a program, if a statement ends after it.
bool is_expression(std::string_view value, char next) {
  if (next == '[' || next == '(' || value.find('[') != std::string_view::npos) return true;
  if (next != ';' && next != ',' && next != ')' && next != '}') return false;
  std::size_t digits = 0;
  std::size_t runs = 0;
  for (const char c : value) {
    runs += is_digit(c) && digits == 0;
    if (!is_word(c) && c != '_' && c != '$' && c != '.') return false;
    digits = is_digit(c) ? digits + 1 : 0;
    if (digits > 2) return false;
  }
  // No name in a program has digits in so many places.
  return !is_digit(value.front()) && runs < (value.size() < 24 ? 4 : 2);
}

bool is_secret_value(std::string_view value, Named named) {
  const bool password = named != Named::kSecret;
  if (value.size() < (password ? 6u : 12u)) return false;
  // A placeholder: ${TOKEN}, <token>, %TOKEN%, ****; or a location: /run/secrets/x.
  constexpr std::string_view kPlaces = "$<{%*[(";
  if (kPlaces.find(value.front()) != std::string_view::npos || value.front() == '/') return false;
  if (value.starts_with("0x") && value.size() < 34 && std::all_of(value.begin() + 2, value.end(), is_hex)) return false;
  if (named == Named::kInSentence && value.find('[') != std::string_view::npos) return false;  // list[0]
  bool digit = false;
  bool letter = false;
  bool other = false;
  for (const char c : value) {
    digit |= is_digit(c);
    letter |= is_letter(c);
    // add_password and options.password are names.
    other |= named == Named::kInSentence ? kMarks.has(c) : !is_word(c) && c != '_' && c != '.';
    if (c == '(' || (c == ' ' && !password)) return false;  // a call in a program; a sentence
  }
  // A number may be the password of something, though not in a program that counts passwords.
  if (!letter) return password && named != Named::kPass && digit && !other && value.size() <= 16;
  if (named == Named::kPass)
    return digit && value.find(' ') == std::string_view::npos && bits_per_character(value) >= 2.2;
  // A description, and not a password; but a passphrase has words.
  if (std::count(value.begin(), value.end(), ' ') > (named == Named::kPassphrase ? 8 : 3)) return false;
  if (password) return (digit || other) && bits_per_character(value) >= 2;
  return digit && bits_per_character(value) >= 3.0;
}

// hunter22, coffee37maple, neve-kawa24; but not sha256, field12 or us-east-12.
bool is_word_with_number(std::string_view value) {
  if (is_counted_name(value)) return false;
  std::size_t letters = 0, marks = 0;
  for (std::size_t i = 0; i < value.size();) {
    std::size_t end = i;
    while (end < value.size() && is_letter(value[end])) ++end;
    letters += end - i;
    marks += end < value.size() && !is_digit(value[end]);
    if (end < value.size() && !is_digit(value[end]) &&
        std::string_view("._-").find(value[end]) == std::string_view::npos)
      return false;
    i = end + 1;
  }
  const bool at_end = is_digit(value.back());
  return is_letter(value.front()) && marks <= 1 && letters >= (marks == 0 && at_end ? 4u : 8u) && value.size() >= 8;
}

// Digits and marks, or digits between letters of both cases: no word is written like this, so nothing need state that
// it is a password.
bool is_surely_password(std::string_view value) {
  std::size_t digits = 0;
  std::size_t runs = 0;  // of digits
  bool mark = false;
  bool upper = false;
  bool lower = false;
  char last = '\0';
  for (const char c : value) {
    digits += is_digit(c);
    runs += is_digit(c) && !is_digit(last);
    mark |= kMarks.has(c);
    upper |= c >= 'A' && c <= 'Z';
    lower |= c >= 'a' && c <= 'z';
    last = c;
  }
  if (!upper && !mark && runs == 1 && digits >= 2 && digits <= 4) return is_word_with_number(value);
  const bool random = runs > 2 || (digits > 1 && upper && lower);
  const std::size_t shortest = mark && upper && lower ? 6 : 8;
  return value.size() >= shortest && digits > 0 && (upper || lower) && (mark || random) &&
         bits_per_character(value) >= 2.2;
}

// Whether & at `position` begins the next member of a query: a password may contain one too.
bool begins_member(std::string_view text, std::size_t position) {
  std::size_t end = position + 1;
  while (end - position < kLongestKey && is_of_key(privacy::at(text, end))) ++end;
  return end > position + 1 && privacy::at(text, end) == '=';
}

}  // namespace

bool is_counted_name(std::string_view value) {
  constexpr std::string_view kCounted =
      " aes argon base bcrypt crypt des http iso java linux md node oauth pbkdf python rfc rsa scrypt sha ssl tls "
      "unicode utf "
      "win account column east example field group host item level line north page part person phase policy record "
      "role "
      "round section server south step table test token user version west windows zip zip ";
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::size_t begin = i;
    while (i < value.size() && is_letter(value[i])) ++i;
    if (is_one_of(kCounted, value.substr(begin, i - begin))) return true;
  }
  return false;
}

double bits_per_character(std::string_view text) {
  std::array<unsigned, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  double bits = 0;
  for (const unsigned count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / static_cast<double>(text.size());
    bits -= share * std::log2(share);
  }
  return bits;
}

Named named_by_key(const PlainKey& key) {
  if (ends_in_word(key.written, "pass")) return Named::kPass;
  if (key.has("passphrase")) return Named::kPassphrase;
  return is_password_key(key) ? Named::kPassword : Named::kSecret;
}

// Where the value that begins at `begin` ends.
std::size_t value_end(std::string_view text, std::size_t begin, char quote, Named named) {
  const ByteSet& ends = named == Named::kInSentence ? kEndsInSentence : kEndsAssigned;
  std::size_t end = begin;
  while (end < text.size() && end - begin < kLongestValue) {
    const char c = text[end];
    if (quote != '\0' ? c == quote || is_quote(c) || c == '\n'
                      : static_cast<unsigned char>(c) <= ' ' || ends.has(c) ||
                            (c == '=' && is_word(privacy::at(text, end + 1))) || (c == '&' && begins_member(text, end)))
      break;
    ++end;
  }
  // Punctuation that ends a sentence, or encloses the value.
  constexpr std::string_view kBehind = ".,;:)]}";
  while (named == Named::kInSentence && quote == '\0' && end > begin &&
         kBehind.find(text[end - 1]) != std::string_view::npos)
    --end;
  return end;
}

std::optional<Finding> secret_at(std::string_view text, std::size_t begin, char quote, Named named, Around around) {
  const std::size_t end = value_end(text, begin, quote, named);
  const std::string_view value = text.substr(begin, end - begin);
  if (!is_secret_value(value, named)) return std::nullopt;
  // "Enter your password": a label.
  if (value.find(' ') != std::string_view::npos && named != Named::kPassphrase && is_password_key(PlainKey(value)))
    return std::nullopt;
  if (around == Around::kWords && !is_surely_password(value)) return std::nullopt;
  const char next = privacy::at(text, end);
  const bool may_be_code = around == Around::kAnything && named != Named::kInSentence;
  if (quote == '\0' && (may_be_code ? is_expression(value, next) : next == '[' || next == '(')) return std::nullopt;
  return Finding{Entity::kSecret, begin, end, 0.8, named == Named::kSecret ? "assignment" : "password"};
}

Quoted quoted_at(std::string_view text, std::size_t at) {
  if (is_quote(privacy::at(text, at))) return {at + 1, text[at], text};
  const std::string_view mark = text.substr(at, 3);
  const bool guillemet = mark.starts_with("\xc2\xab");
  if (!guillemet && (!mark.starts_with("\xe2\x80") || (mark != "\xe2\x80\x9c" && mark != "\xe2\x80\x9e" &&
                                                       mark != "\xe2\x80\x98" && mark != "\xe2\x80\x9a")))
    return {at, '\0', text};
  std::size_t begin = at + (guillemet ? 2 : 3);
  if (privacy::at(text, begin) == ' ') ++begin;
  const std::size_t close = text.substr(0, begin + 64).find(guillemet ? "\xc2\xbb" : "\xe2\x80", begin);
  return {begin, '\0', close == std::string_view::npos ? text : text.substr(0, close)};
}

}  // namespace glovebox::privacy
