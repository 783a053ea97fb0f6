#include "program/statements.h"

#include <algorithm>
#include <array>

#include "base/characters/ascii.h"

namespace glovebox::program {
namespace {

constexpr bool is_word(char c) {
  return base::is_alnum(c) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
constexpr bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

// After these an operand follows, on whatever line.
constexpr std::array<std::string_view, 20> kWordsBeforeOperand = {
    "await", "typeof", "new",    "in",     "of",  "instanceof", "delete", "void", "case",  "throw",
    "else",  "do",     "export", "import", "var", "default",    "const",  "let",  "yield", "as"};
// These continue what is before them.
constexpr std::array<std::string_view, 10> kWordsThatContinue = {
    "in", "instanceof", "of", "as", "satisfies", "else", "catch", "finally", "implements", "extends"};
// No expression contains these outside of brackets.
constexpr std::array<std::string_view, 11> kWordsThatBegin = {
    "export", "import", "const", "let", "var", "return", "for", "try", "throw", "switch", "interface"};

class Scanner {
 public:
  explicit Scanner(std::string_view code) : code_(code) {}

  std::vector<SourceStatement> scan() {
    while (at_ < code_.size()) {
      const std::size_t blank_end = skip_blank(code_, at_);
      has_break_ = has_break_ || code_.substr(at_, blank_end - at_).find('\n') != std::string_view::npos;
      at_ = blank_end;
      if (at_ >= code_.size()) break;
      if (open_.empty() && begins_statement()) statements_.push_back({at_, at_});
      take_token();
      has_break_ = false;
      if (!statements_.empty()) statements_.back().end = at_;
    }
    return std::move(statements_);
  }

 private:
  bool begins_statement() const {
    if (statements_.empty() || last_ == ';') return true;
    if (!has_break_) return false;
    const std::string_view word = word_at(code_, at_);
    if (is_one_of(word, kWordsThatBegin) && last_ != '.') return true;
    if (expects_operand_ || is_one_of(word, kWordsThatContinue)) return false;
    const char c = code_[at_];
    if (!word.empty() || c == '"' || c == '\'' || c == '{' || c == '#' || c == '@') return true;
    return last_ == '}' && (c == '(' || c == '[');
  }

  void take_token() {
    const char c = code_[at_];
    if (const std::string_view word = word_at(code_, at_); !word.empty()) {
      at_ += word.size();
      return took('a', is_one_of(word, kWordsBeforeOperand) && last_ != '.', word == "return" && last_ != '.');
    }
    if (c == '"' || c == '\'') return take_string(c);
    if (c == '`') return take_template();
    if (c == '/' && (expects_operand_ || after_return_)) return take_pattern();
    ++at_;
    if (c == '(' || c == '[' || c == '{') {
      open_.push_back(c);
      return took(c, true);
    }
    if (c == ')' || c == ']' || c == '}') return close(c);
    if ((c == '+' || c == '-') && at_ < code_.size() && code_[at_] == c) {
      ++at_;
      return took(c, expects_operand_);  // after a name it ends an operand, before a name it begins one
    }
    took(c, c != ';' && c != '#' && c != '@');
  }

  void close(char c) {
    const bool in_template = !open_.empty() && open_.back() == '`' && c == '}';
    if (!open_.empty()) open_.pop_back();
    if (in_template) return take_template_text();
    took(c, false);
  }

  void take_string(char quote) {
    for (++at_; at_ < code_.size() && code_[at_] != quote && code_[at_] != '\n'; ++at_) at_ += code_[at_] == '\\';
    at_ = std::min(at_ + 1, code_.size());
    took('"', false);
  }

  void take_template() {
    ++at_;
    take_template_text();
  }
  void take_template_text() {
    for (; at_ < code_.size() && code_[at_] != '`'; ++at_) {
      if (code_.substr(at_, 2) == "${") {
        open_.push_back('`');
        at_ += 2;
        return took('{', true);
      }
      at_ += code_[at_] == '\\';
    }
    at_ = std::min(at_ + 1, code_.size());
    took('"', false);
  }

  // A regular expression; or a slash, if it is not closed on its line.
  void take_pattern() {
    bool in_class = false;
    std::size_t end = at_ + 1;
    for (; end < code_.size() && code_[end] != '\n' && (in_class || code_[end] != '/'); ++end) {
      if (code_[end] == '[') in_class = true;
      if (code_[end] == ']') in_class = false;
      end += code_[end] == '\\';
    }
    const bool is_pattern = end < code_.size() && code_[end] == '/';
    at_ = is_pattern ? end + 1 : at_ + 1;
    took('"', !is_pattern);
  }

  void took(char last, bool expects_operand, bool after_return = false) {
    last_ = last;
    expects_operand_ = expects_operand;
    after_return_ = after_return;
  }

  std::string_view code_;
  std::size_t at_ = 0;
  std::vector<char> open_;  // brackets; ` for the ${ of a template
  std::vector<SourceStatement> statements_;
  char last_ = ';';  // of the token before: a for words, " for strings
  bool expects_operand_ = true;
  bool after_return_ = false;
  bool has_break_ = false;
};

}  // namespace

std::vector<SourceStatement> top_level_statements(std::string_view code) {
  return Scanner(code).scan();
}

std::string_view word_at(std::string_view code, std::size_t at) {
  std::size_t end = at;
  while (end < code.size() && is_word(code[end])) ++end;
  return code.substr(std::min(at, code.size()), end - at);
}

std::size_t skip_blank(std::string_view code, std::size_t at) {
  while (at < code.size()) {
    if (is_space(code[at])) {
      ++at;
    } else if (code.substr(at, 2) == "//") {
      at = std::min(code.find('\n', at), code.size());
    } else if (code.substr(at, 2) == "/*") {
      const std::size_t end = code.find("*/", at + 2);
      at = end == std::string_view::npos ? code.size() : end + 2;
    } else {
      break;
    }
  }
  return at;
}

std::size_t count_word(std::string_view code, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = code.find(word); at != std::string_view::npos; at = code.find(word, at + word.size())) {
    const std::size_t end = at + word.size();
    count += (at == 0 || !is_word(code[at - 1])) && (end == code.size() || !is_word(code[end]));
  }
  return count;
}

}  // namespace glovebox::program
