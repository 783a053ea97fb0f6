#include "program/tokens.h"

#include <algorithm>
#include <array>

#include "base/characters/ascii.h"

namespace glovebox::program {
namespace {

using Kind = Token::Kind;

constexpr std::array<std::string_view, 48> kReserved = {
    "arguments", "await",      "break",     "case",   "catch",    "class",  "const",      "continue",
    "debugger",  "default",    "delete",    "do",     "else",     "enum",   "eval",       "export",
    "extends",   "false",      "finally",   "for",    "function", "if",     "implements", "import",
    "in",        "instanceof", "interface", "let",    "new",      "null",   "package",    "private",
    "protected", "public",     "return",    "static", "super",    "switch", "this",       "throw",
    "true",      "try",        "typeof",    "var",    "void",     "while",  "with",       "yield"};

// After these a slash begins a regular expression.
constexpr std::array<std::string_view, 9> kBeforePattern = {"return", "typeof", "case",       "delete", "void",
                                                            "throw",  "in",     "instanceof", "else"};

// The longest first. Not those of several angle brackets, which may close type arguments.
constexpr std::array<std::string_view, 27> kLongSigns = {
    "===", "!==", "**=", "&&=", "||=", "??=", "...", "=>", "==", "!=", "<=", ">=", "&&", "||",
    "??",  "?.",  "++",  "--",  "+=",  "-=",  "*=",  "**", "/=", "%=", "&=", "|=", "^="};

constexpr bool is_letter(char c) {
  return base::is_letter(c) || c == '_' || c == '$';
}

class TokenReader {
 public:
  explicit TokenReader(std::string_view code) : code_(code) {}

  std::optional<std::vector<Token>> read() {
    if (!std::all_of(code_.begin(), code_.end(), [](char c) { return static_cast<unsigned char>(c) < 0x7f; }))
      return {};
    // In a script these begin comments.
    if (code_.find("<!--") != std::string_view::npos || code_.find("-->") != std::string_view::npos) return {};
    while (skip_blank() && at_ < code_.size()) {
      if (!take_token()) return {};
    }
    if (at_ < code_.size() || !open_.empty()) return {};
    add(Kind::kEnd, at_);
    return std::move(tokens_);
  }

 private:
  // Past white space and comments; false for what is neither that nor a token.
  bool skip_blank() {
    for (; at_ < code_.size(); ++at_) {
      const char c = code_[at_];
      const std::string_view two = code_.substr(at_, 2);
      if (c == '\n' || c == '\r') {
        has_break_ = true;
      } else if (two == "//") {
        at_ = std::min(code_.find_first_of("\r\n", at_), code_.size()) - 1;
      } else if (two == "/*") {
        const std::size_t end = code_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return false;
        has_break_ = has_break_ || code_.substr(at_, end - at_).find_first_of("\r\n") != std::string_view::npos;
        at_ = end + 1;
      } else if (c != ' ' && c != '\t') {
        return c > ' ' && c != '\\' && c != '#' && c != '@';
      }
    }
    return true;
  }

  void add(Kind kind, std::size_t end) {
    tokens_.push_back({kind, has_break_, at_, end, code_.substr(at_, end - at_)});
    at_ = end;
    has_break_ = false;
  }

  bool take_token() {
    const char c = code_[at_];
    if (is_letter(c)) return take_word();
    if (base::is_digit(c) || (c == '.' && at_ + 1 < code_.size() && base::is_digit(code_[at_ + 1])))
      return take_number();
    if (c == '"' || c == '\'') return take_string(c);
    if (c == '`') return take_template();
    if (c == '/') return take_slash();
    if (c == '}' && !open_.empty() && tokens_[open_.back()].kind == Kind::kTemplate) {
      open_.pop_back();
      return take_template();
    }
    return take_sign(c);
  }

  bool take_word() {
    std::size_t end = at_;
    while (end < code_.size() && (is_letter(code_[end]) || base::is_digit(code_[end]))) ++end;
    add(Kind::kWord, end);
    return true;
  }

  bool take_number() {
    std::size_t end = at_;
    while (end < code_.size() && (is_letter(code_[end]) || base::is_digit(code_[end]) || code_[end] == '.')) ++end;
    add(Kind::kNumber, end);
    return true;
  }

  bool take_string(char quote) {
    std::size_t end = at_ + 1;
    for (; end < code_.size() && code_[end] != quote; ++end) {
      if (code_[end] == '\n' || code_[end] == '\r') return false;
      end += code_[end] == '\\';
    }
    if (end >= code_.size()) return false;
    add(Kind::kString, end + 1);
    return true;
  }

  // From a back quote, or from the bracket that closes ${}, to the other back quote or to the next ${.
  bool take_template() {
    std::size_t end = at_ + 1;
    for (; end < code_.size() && code_[end] != '`'; ++end) {
      if (code_.substr(end, 2) == "${") {
        open_.push_back(tokens_.size());
        add(Kind::kTemplate, end + 2);
        return true;
      }
      end += code_[end] == '\\';
    }
    if (end >= code_.size()) return false;
    add(Kind::kTemplate, end + 1);
    return true;
  }

  // A division, or a regular expression: after a bracket only a grammar could tell.
  bool take_slash() {
    const Token* const before = tokens_.empty() ? nullptr : &tokens_.back();
    const Token* const earlier = tokens_.size() > 1 ? &tokens_[tokens_.size() - 2] : nullptr;
    const bool after_dot = earlier && (earlier->is(".") || earlier->is("?."));
    bool divides = false;
    if (before && before->kind == Kind::kWord) {
      const bool is_operator =
          std::find(kBeforePattern.begin(), kBeforePattern.end(), before->text) != kBeforePattern.end();
      if (!after_dot && !is_operator && (is_reserved(before->text) || before->text == "of")) return false;
      divides = after_dot || !is_operator;
    } else if (before && before->kind == Kind::kSign) {
      if (before->is(")") || before->is("}") || before->is("++") || before->is("--")) return false;
      divides = before->is("]");
    } else {
      divides = before != nullptr && !before->opens();  // an expression begins after `${`
    }
    return divides ? take_sign('/') : take_pattern();
  }

  bool take_pattern() {
    bool in_class = false;
    std::size_t end = at_ + 1;
    for (; end < code_.size() && (in_class || code_[end] != '/'); ++end) {
      if (code_[end] == '\n' || code_[end] == '\r') return false;
      if (code_[end] == '[') in_class = true;
      if (code_[end] == ']') in_class = false;
      end += code_[end] == '\\';
    }
    if (end >= code_.size()) return false;
    for (++end; end < code_.size() && is_letter(code_[end]);) ++end;
    add(Kind::kPattern, end);
    return true;
  }

  bool take_sign(char c) {
    std::size_t size = 1;
    for (const std::string_view sign : kLongSigns) {
      // `a?.5:b` has no such sign.
      const bool fits = code_.substr(at_, sign.size()) == sign &&
                        (sign != "?." || at_ + 2 >= code_.size() || !base::is_digit(code_[at_ + 2]));
      if (fits) {
        size = sign.size();
        break;
      }
    }
    add(Kind::kSign, at_ + size);
    const std::size_t index = tokens_.size() - 1;
    if (c == '(' || c == '[' || c == '{') open_.push_back(index);
    if (c != ')' && c != ']' && c != '}') return true;
    if (open_.empty()) return false;
    Token& opening = tokens_[open_.back()];
    if (!opening.is(c == ')' ? "(" : c == ']' ? "[" : "{")) return false;
    opening.match = index;
    tokens_[index].match = open_.back();
    open_.pop_back();
    return true;
  }

  std::string_view code_;
  std::size_t at_ = 0;
  bool has_break_ = false;
  std::vector<Token> tokens_;
  std::vector<std::size_t> open_;  // indices of brackets, and of parts of templates that end in ${
};

}  // namespace

std::optional<std::vector<Token>> read_tokens(std::string_view code) {
  return TokenReader(code).read();
}

bool is_reserved(std::string_view word) {
  return std::find(kReserved.begin(), kReserved.end(), word) != kReserved.end();
}

}  // namespace glovebox::program
