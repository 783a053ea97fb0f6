#include "search/words.h"

#include <libstemmer.h>
#include <unicase.h>
#include <unictype.h>
#include <unistr.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"

namespace glovebox::search {
namespace {

constexpr std::size_t kMostWordBytes = 64;  // bytes; longer ones are data rather than words, and are cut

// Scripts written without spaces between words.
bool stands_alone(ucs4_t c) {
  return (c >= 0x3040 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x0E00 && c <= 0x0EFF) || (c >= 0x20000 && c <= 0x2FA1F);
}

enum class Kind { kNone, kLower, kUpper, kDigit, kAlone };

Kind kind_of(ucs4_t c) {
  if (c < 0x80) {
    if (c >= 'a' && c <= 'z') return Kind::kLower;
    if (c >= 'A' && c <= 'Z') return Kind::kUpper;
    return c >= '0' && c <= '9' ? Kind::kDigit : Kind::kNone;
  }
  if (stands_alone(c)) return Kind::kAlone;
  if (uc_is_upper(c)) return Kind::kUpper;
  return uc_is_alnum(c) || uc_is_general_category(c, UC_MARK) ? Kind::kLower : Kind::kNone;
}

struct Letter {
  ucs4_t code;
  Kind kind;
  std::size_t bytes;
};

// `at` must be within the text.
Letter letter_at(std::string_view text, std::size_t at) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data()) + at;
  ucs4_t code = *bytes;
  int length = 1;
  if (code >= 0x80) length = std::max(1, u8_mbtouc(&code, bytes, text.size() - at));
  return {code, kind_of(code), static_cast<std::size_t>(length)};
}

void append_lower(std::string& word, ucs4_t code) {
  if (code < 0x80) {
    word += static_cast<char>(code >= 'A' && code <= 'Z' ? code + 32 : code);
    return;
  }
  std::array<std::uint8_t, 6> bytes;
  const int length = u8_uctomb(bytes.data(), uc_tolower(code), bytes.size());
  if (length > 0) word.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(length));
}

}  // namespace

void Words::Closer::operator()(sb_stemmer* stemmer) const {
  sb_stemmer_delete(stemmer);
}

Words::Words() : stemmer_(sb_stemmer_new("english", "UTF_8")) {
  GLOVEBOX_CHECK(stemmer_);
}
Words::~Words() = default;
Words::Words(Words&&) noexcept = default;
Words& Words::operator=(Words&&) noexcept = default;

// A word ends before an upper-case letter that begins another one: camel|Case, HTTP|Server.
void Words::each(std::string_view text, const std::function<void(const std::string&)>& take) const {
  std::string word;
  const auto finish = [&] {
    if (word.empty()) return;
    if (word.size() > kMostWordBytes) word.resize(kMostWordBytes);
    take(word);
    word.clear();
  };
  Kind before = Kind::kNone;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, kind, bytes] = letter_at(text, at);
    at += bytes;
    const bool begins = kind == Kind::kUpper &&
                        (before != Kind::kUpper || (at < text.size() && letter_at(text, at).kind == Kind::kLower));
    if (kind == Kind::kNone || kind == Kind::kAlone || begins) finish();
    if (kind != Kind::kNone) append_lower(word, code);
    if (kind == Kind::kAlone) finish();
    before = kind;
  }
  finish();
}

std::string Words::stem(const std::string& word) const {
  const auto* stem =
      sb_stemmer_stem(stemmer_.get(), reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
  GLOVEBOX_CHECK(stem);
  return {reinterpret_cast<const char*>(stem), static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()))};
}

std::vector<std::string> Words::stems(std::string_view text) const {
  std::vector<std::string> stems;
  each(text, [&](const std::string& word) { stems.push_back(stem(word)); });
  return stems;
}

bool is_empty_word(std::string_view stem) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"a",     "about", "all",   "also",   "am",    "an",   "and",  "ani",   "are",  "as",    "at",   "be",
       "been",  "but",   "by",    "can",    "could", "do",   "doe",  "for",   "from", "get",   "give", "had",
       "has",   "have",  "help",  "her",    "here",  "him",  "his",  "how",   "i",    "if",    "in",   "into",
       "is",    "it",    "let",   "like",   "m",     "me",   "my",   "need",  "of",   "on",    "or",   "our",
       "pleas", "s",     "she",   "should", "so",    "some", "t",    "that",  "the",  "their", "them", "then",
       "there", "these", "they",  "this",   "to",    "us",   "use",  "ve",    "want", "was",   "we",   "were",
       "what",  "when",  "where", "which",  "who",   "will", "with", "would", "you",  "your"});
  return std::find(kWords.begin(), kWords.end(), stem) != kWords.end();
}

bool is_common_word(std::string_view stem) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"1",       "2",       "access",  "add",    "analysi",    "api",     "avail",     "base",    "best",   "chang",
       "check",   "code",    "comput",  "creat",  "current",    "data",    "date",      "day",     "delet",  "detail",
       "differ",  "exist",   "explain", "fetch",  "file",       "find",    "follow",    "generat", "go",     "good",
       "id",      "inform",  "item",    "know",   "latest",     "learn",   "list",      "look",    "make",   "manag",
       "mani",    "name",    "new",     "next",   "now",        "number",  "onlin",     "open",    "option", "perform",
       "possibl", "project", "provid",  "queri",  "read",       "recent",  "recommend", "relat",   "remov",  "result",
       "retriev", "return",  "run",     "search", "see",        "select",  "server",    "servic",  "set",    "show",
       "specif",  "specifi", "start",   "status", "suggest",    "support", "system",    "take",    "tell",   "text",
       "time",    "today",   "tool",    "type",   "understand", "up",      "updat",     "user",    "valu",   "various",
       "view",    "work",    "world"});
  return std::find(kWords.begin(), kWords.end(), stem) != kWords.end();
}

}  // namespace glovebox::search
