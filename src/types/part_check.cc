#include "types/part_check.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "base/characters/ascii.h"
#include "base/characters/code_point.h"
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

bool is_part_of_word(char c) {
  return base::is_alnum(c) || c == '_' || c == '$';
}

// Types nest as deeply as their schemas, which is limited (types/limits.h), and twice that in brackets.
constexpr int kMostNesting = 100;

// The size of the comment that `text` begins with; 0 where it has no end, or holds a directive to the compiler.
std::size_t comment_at_start(std::string_view text) {
  const std::size_t end = text.find("*/", 2);
  return end == text.npos || text.substr(0, end).find("@ts-") != text.npos ? 0 : end + 2;
}

// The tokens of TypeScript, or of a line of Python, without its comments. In TypeScript a line may end after { and ;
// only: elsewhere its end may mean something.
class Tokens {
 public:
  Tokens(std::string_view text, bool is_python) : text_(text), is_python_(is_python) {}

  Token next() {
    if (!skip_space()) return fault();
    if (at_ == text_.size()) return {};
    const std::size_t begin = at_;
    const char first = text_[at_];
    may_break_ = first == '{' || first == ';';
    if (first == '"') return string();
    if (base::is_digit(first)) {
      skip_number();
      return {Token::Kind::kNumber, text_.substr(begin, at_ - begin)};
    }
    if (is_part_of_word(first)) {
      while (at_ < text_.size() && is_part_of_word(text_[at_])) ++at_;
      return {Token::Kind::kWord, text_.substr(begin, at_ - begin)};
    }
    constexpr std::string_view kSigns = "()[]{}<>:;,?|&.-=";
    constexpr std::string_view kPythonSigns = "()[]{}:,|.-=*/>";
    if ((is_python_ ? kPythonSigns : kSigns).find(first) == std::string_view::npos) return fault();
    ++at_;
    return {Token::Kind::kSign, text_.substr(begin, 1)};
  }

  // Where the token that was read last ends.
  std::size_t position() const { return at_; }

 private:
  static Token fault() { return {Token::Kind::kFault, {}}; }

  bool skip_space() {
    while (at_ < text_.size()) {
      if (text_[at_] == ' ' || (text_[at_] == '\n' && may_break_ && !is_python_)) {
        ++at_;
      } else if (is_python_ && text_[at_] == '#') {
        at_ = text_.size();
      } else if (!is_python_ && text_.substr(at_, 2) == "/*") {
        const std::size_t size = comment_at_start(text_.substr(at_));
        if (size == 0) return false;
        at_ += size;
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
    if (at_ >= text_.size() || text_[at_] != '"') return fault();
    ++at_;
    // Three quotes begin another kind of string in Python.
    if (at_ < text_.size() && text_[at_] == '"') return fault();
    return {Token::Kind::kString, text_.substr(begin, at_ - begin)};
  }

  void skip_number() {
    while (at_ < text_.size() && (base::is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    if (at_ + 1 < text_.size() && text_[at_] == 'e') {
      at_ += text_[at_ + 1] == '+' || text_[at_ + 1] == '-' ? 2 : 1;
      while (at_ < text_.size() && base::is_digit(text_[at_])) ++at_;
    }
  }

  std::string_view text_;
  bool is_python_;
  bool may_break_ = false;
  std::size_t at_ = 0;
};

// Reads the few forms that a part may have, and nothing else.
class Reader {
 protected:
  Reader(const PartQuestion& question, std::string_view text, bool is_python)
      : question_(question), tokens_(text, is_python), now_(tokens_.next()) {}

  bool take() {
    now_ = tokens_.next();
    return true;
  }
  bool take(std::string_view wanted) { return now_.is(wanted) && take(); }
  bool take(Token::Kind wanted) { return now_.is(wanted) && take(); }
  bool take_all(std::initializer_list<std::string_view> wanted) {
    return std::all_of(wanted.begin(), wanted.end(), [this](std::string_view one) { return take(one); });
  }
  bool take_one_of(std::initializer_list<std::string_view> wanted) {
    return std::any_of(wanted.begin(), wanted.end(), [this](std::string_view one) { return take(one); });
  }
  bool take_own_name() { return now_.text.starts_with(question_.prefix) && take(Token::Kind::kWord); }
  bool take_number() {
    take("-");
    return take(Token::Kind::kNumber);
  }
  bool is_at_end() const { return now_.is(Token::Kind::kEnd); }

  const PartQuestion& question_;
  Tokens tokens_;
  Token now_;
};

class TypeScriptReader : Reader {
 public:
  TypeScriptReader(const PartQuestion& question, std::string_view text) : Reader(question, text, false) {}

  // (args: …): Promise<…>
  bool is_signature() {
    if (!take_all({"(", "args"})) return false;
    take("?");
    return take(":") && take_type(0) && take_all({")", ":", "Promise", "<"}) && take_type(0) && take(">") &&
           is_at_end();
  }

  // NAME = …; and where it ends, which is 0 if it is something else.
  std::size_t end_of_named_type() {
    return take_own_name() && take("=") && take_type(0) && now_.is(";") ? tokens_.position() : 0;
  }

 private:
  bool take_type(int depth) {
    if (depth > kMostNesting) return false;
    do {
      if (!take_element(depth)) return false;
    } while (take("|") || take("&"));
    return true;
  }

  bool take_element(int depth) {
    if (!take_primary(depth)) return false;
    while (take("[")) {
      if (!take("]")) return false;
    }
    return true;
  }

  bool take_primary(int depth) {
    if (take("(")) return take_type(depth + 1) && take(")");
    if (take("[")) return take_rest_of_tuple(depth);
    if (take("{")) return take_rest_of_object(depth);
    if (take("Record")) return take_all({"<", "string", ",", "never", ">"});
    return take_one_of({"any", "boolean", "false", "never", "null", "number", "string", "true"}) || take_own_name() ||
           take(Token::Kind::kString) || take_number();
  }

  bool take_rest_of_tuple(int depth) {
    if (take("]")) return true;
    do {
      if (take(".") && !take_all({".", "."})) return false;
      if (!take_type(depth + 1)) return false;
      take("?");
    } while (take(","));
    return take("]");
  }

  bool take_rest_of_object(int depth) {
    while (!take("}")) {
      if (!take_member(depth)) return false;
      if (!take(";")) return take("}");
    }
    return true;
  }

  bool take_member(int depth) {
    if (take("[")) {
      if (!take_all({"key", ":", "string", "]"})) return false;
    } else {
      if (!take(Token::Kind::kWord) && !take(Token::Kind::kString)) return false;
      take("?");
    }
    return take(":") && take_type(depth + 1);
  }
};

// Statements, each of which begins a line and ends one, with comments of which the same is true.
bool are_typescript_types(const PartQuestion& question, std::string_view text) {
  constexpr std::string_view kType = "type ";
  const auto take_line = [&](std::size_t size) {
    const bool ends_line = size > 0 && text.substr(size, 1) == "\n";
    text.remove_prefix(ends_line ? size + 1 : 0);
    return ends_line;
  };
  while (!text.empty()) {
    while (text.starts_with("/*")) {
      if (!take_line(comment_at_start(text))) return false;
    }
    if (!text.starts_with(kType)) return false;
    text.remove_prefix(kType.size());
    if (!take_line(TypeScriptReader(question, text).end_of_named_type())) return false;
  }
  return true;
}

// A signature, or a line of the types.
class PythonReader : Reader {
 public:
  PythonReader(const PartQuestion& question, std::string_view line) : Reader(question, line, true) {}

  // (self, …) -> …
  bool is_signature() {
    if (!take_all({"(", "self"})) return false;
    while (take(",")) {
      if (!take_parameter()) return false;
    }
    return take_all({")", "-", ">"}) && take_type(0) && is_at_end();
  }

  bool is_class() { return take("class") && take_new_name() && take_all({"(", "TypedDict", ")", ":"}) && is_at_end(); }
  bool is_alias() {
    return take_new_name() && take_all({":", "TypeAlias", "="}) && take(Token::Kind::kString) && is_at_end();
  }
  bool is_begin_of_dict() {
    return take_new_name() && take_all({"=", "TypedDict", "("}) && take(Token::Kind::kString) && take_all({",", "{"}) &&
           is_at_end();
  }
  bool is_field() { return take(Token::Kind::kWord) && take(":") && take_type(0) && is_at_end(); }
  bool is_field_of_dict() {
    return take(Token::Kind::kString) && take(":") && take_type(0) && take(",") && is_at_end();
  }

 private:
  bool take_parameter() {
    if (take("/")) return true;
    if (take("*") && !take("*")) return true;
    if (!take(Token::Kind::kWord) || !take(":") || !take_type(0)) return false;
    return !take("=") || take_all({".", ".", "."});
  }

  bool take_type(int depth) {
    if (depth > kMostNesting) return false;
    do {
      if (!take_alternative(depth)) return false;
    } while (take("|"));
    return true;
  }

  bool take_alternative(int depth) {
    if (take_one_of({"list", "NotRequired"})) return take("[") && take_type(depth + 1) && take("]");
    if (take("dict")) return take_all({"[", "str", ","}) && take_type(depth + 1) && take("]");
    if (take("Literal")) return take("[") && take_rest_of_literal();
    return take_one_of({"Any", "Never", "None", "bool", "float", "int", "str"}) || take_own_name();
  }

  bool take_rest_of_literal() {
    do {
      if (!take_one_of({"True", "False"}) && !take(Token::Kind::kString) && !take_number()) return false;
    } while (take(","));
    return take("]");
  }

  bool take_new_name() {
    const auto& taken = question_.taken;
    const bool is_new = std::find(taken.begin(), taken.end(), now_.text) == taken.end();
    return is_new && now_.text.find('$') == now_.text.npos && take_own_name();
  }
};

bool are_python_types(const PartQuestion& question, std::string_view text) {
  enum class Within { kNothing, kClass, kDict } within = Within::kNothing;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == text.npos) return false;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    PythonReader reader(question, line);
    if (line.starts_with("    ")) {
      if (within == Within::kNothing) return false;
      if (!(within == Within::kDict ? reader.is_field_of_dict() : reader.is_field())) return false;
    } else if (within == Within::kDict) {
      if (line != "})") return false;
      within = Within::kNothing;
    } else if (line.starts_with("class ")) {
      if (!reader.is_class()) return false;
      within = Within::kClass;
    } else if (line.starts_with('_') && line.ends_with('{')) {
      if (!reader.is_begin_of_dict()) return false;
      within = Within::kDict;
    } else {
      if (!line.starts_with('_') || !reader.is_alias()) return false;
      within = Within::kNothing;
    }
  }
  return within != Within::kDict;
}

// UTF-8 with \n as the only control character. What is no UTF-8 reads as a character that is not allowed.
bool is_plain(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = base::next_code_point(text, at);
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
    const bool is_signature = is_python ? PythonReader(question, signature).is_signature()
                                        : TypeScriptReader(question, signature).is_signature();
    if (!is_signature) return "a signature";
  }
  if (!is_plain(part.types)) return "characters of the types";
  if (!(is_python ? are_python_types(question, part.types) : are_typescript_types(question, part.types)))
    return "the types";
  return "";
}

}  // namespace glovebox::types
