#include "types/part_check.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <utility>

#include "types/shown_text.h"

namespace glovebox::types {
namespace {

struct Token {
  enum class Kind { kEnd, kWord, kNumber, kString, kSign, kFault };
  Kind kind = Kind::kEnd;
  std::string_view text;

  bool is(Kind wanted) const { return kind == wanted; }
  bool is(std::string_view wanted) const { return (kind == Kind::kWord || kind == Kind::kSign) && text == wanted; }
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_part_of_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

// The tokens of TypeScript, or of a line of Python, without its comments.
class Tokens {
 public:
  Tokens(std::string_view text, bool is_python) : text_(text), is_python_(is_python) {}

  Token next() {
    has_new_line_ = false;
    if (!skip_space()) return {Token::Kind::kFault, {}};
    if (at_ == text_.size()) return {};
    const std::size_t begin = at_;
    const char first = text_[at_];
    if (first == '"') return string();
    if (is_digit(first)) {
      skip_number();
      return {Token::Kind::kNumber, text_.substr(begin, at_ - begin)};
    }
    if (is_part_of_word(first)) {
      while (at_ < text_.size() && is_part_of_word(text_[at_])) ++at_;
      return {Token::Kind::kWord, text_.substr(begin, at_ - begin)};
    }
    constexpr std::string_view kSigns = "()[]{}<>:;,?|&.-=";
    constexpr std::string_view kPythonSigns = "()[]{}:,|.-=*/>";
    if ((is_python_ ? kPythonSigns : kSigns).find(first) == std::string_view::npos) return {Token::Kind::kFault, {}};
    ++at_;
    return {Token::Kind::kSign, text_.substr(begin, 1)};
  }

  // The same, but only where it is on the line of the one before.
  Token next_here() {
    const Token token = next();
    return has_new_line_ ? Token{Token::Kind::kFault, {}} : token;
  }

  bool is_followed_by(std::string_view sign) const { return Tokens(*this).next_here().is(sign); }
  // Whether the token that was read last is the first one of its line.
  bool begins_line(const Token& token) const {
    return token.text.data() == text_.data() || token.text.data()[-1] == '\n';
  }

 private:
  bool skip_space() {
    while (at_ < text_.size()) {
      if (text_[at_] == ' ' || (text_[at_] == '\n' && !is_python_)) {
        has_new_line_ |= text_[at_++] == '\n';
      } else if (is_python_ && text_[at_] == '#') {
        at_ = text_.size();
      } else if (!is_python_ && text_.substr(at_, 2) == "/*") {
        const std::size_t end = text_.find("*/", at_ + 2);
        // A directive to the compiler would count within a comment, too.
        if (end == text_.npos || text_.substr(at_, end - at_).find("@ts-") != text_.npos) return false;
        at_ = end + 2;
      } else {
        return true;
      }
    }
    return true;
  }

  Token string() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
      // A line break that is escaped would continue the string on the next line.
      const bool is_pair = text_[at_] == '\\' && text_.substr(at_ + 1, 1) != "\n";
      at_ += is_pair ? 2 : 1;
    }
    if (at_ >= text_.size() || text_[at_] != '"') return {Token::Kind::kFault, {}};
    ++at_;
    // Three quotes begin another kind of string in Python.
    if (at_ < text_.size() && text_[at_] == '"') return {Token::Kind::kFault, {}};
    return {Token::Kind::kString, text_.substr(begin, at_ - begin)};
  }

  void skip_number() {
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    if (at_ + 1 < text_.size() && text_[at_] == 'e') {
      at_ += text_[at_ + 1] == '+' || text_[at_ + 1] == '-' ? 2 : 1;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    }
  }

  std::string_view text_;
  bool is_python_;
  bool has_new_line_ = false;
  std::size_t at_ = 0;
};

constexpr std::array<std::string_view, 10> kTypeScriptWords = {"Promise", "Record", "any",    "boolean", "false",
                                                               "never",   "null",   "number", "string",  "true"};
constexpr std::array<std::string_view, 14> kPythonWords = {"Any",         "False", "Literal", "Never", "None",
                                                           "NotRequired", "True",  "bool",    "dict",  "float",
                                                           "int",         "list",  "self",    "str"};

// Follows one type, or a list of them, through its brackets.
class Nesting {
 public:
  explicit Nesting(const PartQuestion& question)
      : prefix_(question.prefix), is_python_(question.kind == PartKind::kPython) {}

  bool is_open() const { return !open_.empty(); }

  // Whether the token, which comes before the rest of `tokens`, may stand here.
  bool take(const Token& token, Tokens& tokens) {
    if (token.is(Token::Kind::kFault) || token.is(Token::Kind::kEnd)) return false;
    if (token.is(Token::Kind::kWord)) return is_known(token.text) || is_name_of_member(tokens);
    if (!token.is(Token::Kind::kSign)) return true;
    const char sign = token.text.front();
    constexpr std::string_view kOpen = "([{<";
    constexpr std::string_view kClose = ")]}>";
    if (kOpen.find(sign) != kOpen.npos) open_ += sign;
    const std::size_t closed = kClose.find(sign);
    if (closed == kClose.npos) return true;
    if (open_.empty() || open_.back() != kOpen[closed]) return false;
    open_.pop_back();
    return true;
  }

 private:
  bool is_known(std::string_view word) const {
    if (word.starts_with(prefix_)) return true;
    return is_python_ ? std::binary_search(kPythonWords.begin(), kPythonWords.end(), word)
                      : std::binary_search(kTypeScriptWords.begin(), kTypeScriptWords.end(), word);
  }

  static bool is_name_of_member(Tokens tokens) {
    Token next = tokens.next();
    if (next.is("?")) next = tokens.next();
    return next.is(":");
  }

  std::string_view prefix_;
  bool is_python_;
  std::string open_;
};

// Reads from here to where the brackets that begin here are closed.
bool skip_group(Tokens& tokens, Nesting& nesting) {
  do {
    const Token token = nesting.is_open() ? tokens.next() : tokens.next_here();
    if (!nesting.take(token, tokens)) return false;
  } while (nesting.is_open());
  return true;
}

// (args: …): Promise<…>
bool is_typescript_signature(const PartQuestion& question, std::string_view text) {
  Tokens tokens(text, false);
  Nesting nesting(question);
  if (!text.starts_with("(args") || !skip_group(tokens, nesting)) return false;
  return tokens.next_here().is(":") && tokens.next_here().is("Promise") && tokens.is_followed_by("<") &&
         skip_group(tokens, nesting) && tokens.next_here().is(Token::Kind::kEnd);
}

// type NAME = …; and so on, each on lines of its own.
bool are_typescript_types(const PartQuestion& question, std::string_view text) {
  Tokens tokens(text, false);
  for (Token first = tokens.next(); !first.is(Token::Kind::kEnd); first = tokens.next()) {
    const Token name = first.is("type") && tokens.begins_line(first) ? tokens.next_here() : Token();
    if (!name.is(Token::Kind::kWord) || !name.text.starts_with(question.prefix)) return false;
    if (!tokens.next_here().is("=")) return false;
    Nesting nesting(question);
    for (Token token = tokens.next_here(); nesting.is_open() || !token.is(";");
         token = nesting.is_open() ? tokens.next() : tokens.next_here()) {
      if (token.is("=") || !nesting.take(token, tokens)) return false;
    }
  }
  return text.empty() || text.ends_with(";\n");
}

// A type of Python, to the end of the line; within a dict a comma follows.
bool ends_with_type(const PartQuestion& question, Tokens& tokens, bool in_dict) {
  Nesting nesting(question);
  bool any = false;
  for (Token token = tokens.next(); !token.is(Token::Kind::kEnd); token = tokens.next()) {
    if (!nesting.is_open() && token.is(",")) return in_dict && any && tokens.next().is(Token::Kind::kEnd);
    constexpr std::string_view kNotInTypes = "(){}:=*/>";
    if (token.is(Token::Kind::kSign) && kNotInTypes.find(token.text.front()) != kNotInTypes.npos) return false;
    if (!nesting.take(token, tokens)) return false;
    any = true;
  }
  return any && !in_dict && !nesting.is_open();
}

// (self, …) -> …
bool is_python_signature(const PartQuestion& question, std::string_view text) {
  Tokens tokens(text, true);
  Nesting nesting(question);
  if (!text.starts_with("(self") || text.find('\n') != text.npos || !skip_group(tokens, nesting)) return false;
  return tokens.next().is("-") && tokens.next().is(">") && ends_with_type(question, tokens, false);
}

class PythonTypes {
 public:
  explicit PythonTypes(const PartQuestion& question) : question_(question) {}

  bool check(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      if (end == text.npos || !check_line(text.substr(0, end))) return false;
      text.remove_prefix(end + 1);
    }
    return within_ != Within::kDict;
  }

 private:
  enum class Within { kNothing, kClass, kDict };

  bool check_line(std::string_view line) {
    Tokens tokens(line, true);
    if (line.starts_with("    ")) return check_field(tokens);
    if (line == "})") return std::exchange(within_, Within::kNothing) == Within::kDict;
    if (within_ == Within::kDict || line.starts_with(' ')) return false;
    Token first = tokens.next();
    const bool is_class = first.is("class");
    if (is_class) first = tokens.next();
    if (!first.is(Token::Kind::kWord) || !is_new_name(first.text)) return false;
    if (is_class) {
      within_ = Within::kClass;
      return follows(tokens, {"(", "TypedDict", ")", ":"}) && tokens.next().is(Token::Kind::kEnd);
    }
    within_ = Within::kNothing;
    if (tokens.is_followed_by(":"))
      return follows(tokens, {":", "TypeAlias", "="}) && tokens.next().is(Token::Kind::kString) &&
             tokens.next().is(Token::Kind::kEnd);
    within_ = Within::kDict;
    return follows(tokens, {"=", "TypedDict", "("}) && tokens.next().is(Token::Kind::kString) &&
           follows(tokens, {",", "{"}) && tokens.next().is(Token::Kind::kEnd);
  }

  bool check_field(Tokens& tokens) const {
    const Token name = tokens.next();
    const bool in_dict = within_ == Within::kDict;
    if (within_ == Within::kNothing || !name.is(in_dict ? Token::Kind::kString : Token::Kind::kWord)) return false;
    return tokens.next().is(":") && ends_with_type(question_, tokens, in_dict);
  }

  bool is_new_name(std::string_view name) const {
    return name.starts_with(question_.prefix) && name.find('$') == name.npos &&
           std::find(question_.taken.begin(), question_.taken.end(), name) == question_.taken.end();
  }

  static bool follows(Tokens& tokens, std::initializer_list<std::string_view> signs) {
    return std::all_of(signs.begin(), signs.end(), [&](std::string_view sign) { return tokens.next().is(sign); });
  }

  const PartQuestion& question_;
  Within within_ = Within::kNothing;
};

// UTF-8 with \n as the only control character. What is no UTF-8 reads as a character that is not allowed.
bool is_plain(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_point(text, at);
    if (c != '\n' && is_unwelcome(c)) return false;
  }
  return true;
}

}  // namespace

std::string_view fault_in(const PartQuestion& question, const Part& part) {
  const bool is_python = question.kind == PartKind::kPython;
  if (part.signatures.empty() || (part.signatures.size() > 1 && !is_python)) return "the number of signatures";
  for (const std::string& signature : part.signatures) {
    if (!is_plain(signature)) return "characters of a signature";
    if (!(is_python ? is_python_signature(question, signature) : is_typescript_signature(question, signature)))
      return "a signature";
  }
  if (!is_plain(part.types)) return "characters of the types";
  if (!(is_python ? PythonTypes(question).check(part.types) : are_typescript_types(question, part.types)))
    return "the types";
  return "";
}

}  // namespace glovebox::types
