#include "program/plain_types.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/characters/ascii.h"
#include "program/statements.h"
#include "program/tokens.h"

namespace glovebox::program {
namespace {

// Words with a meaning of their own where a type may begin or end, and so left to a parser.
constexpr std::array<std::string_view, 12> kTypeOperators = {
    "abstract", "as", "asserts", "declare", "infer", "is", "keyof", "out", "readonly", "satisfies", "type", "unique"};
// Reserved words that are types.
constexpr std::array<std::string_view, 5> kReservedTypes = {"void", "null", "true", "false", "this"};
// Other words that are types, and take no arguments.
constexpr std::array<std::string_view, 10> kTypeNames = {"any",    "bigint", "boolean", "never",     "number",
                                                         "object", "string", "symbol",  "undefined", "unknown"};
// Reserved words that are operands.
constexpr std::array<std::string_view, 5> kReservedOperands = {"this", "null", "true", "false", "super"};
// On the next line they continue what was before.
constexpr std::array<std::string_view, 9> kContinuing = {"as", "catch",      "else",      "finally", "in",
                                                         "is", "instanceof", "satisfies", "while"};
// To amaro these declare something even before a line break.
constexpr std::array<std::string_view, 12> kDeclaring = {"abstract",  "declare",   "enum",     "interface",
                                                         "module",    "namespace", "override", "private",
                                                         "protected", "public",    "readonly", "static"};
// Before a parenthesis that is a condition.
constexpr std::array<std::string_view, 6> kBeforeCondition = {"if", "while", "for", "with", "switch", "catch"};
// Before a name that is no operand.
constexpr std::array<std::string_view, 5> kBeforeName = {"let", "var", "const", "break", "continue"};
// After a field of such a name amaro writes a semicolon.
constexpr std::array<std::string_view, 3> kAccessorWords = {"get", "set", "static"};

// Types within types take the stack.
constexpr int kDeepest = 64;

bool is_name(const Token& token) {
  return token.kind == Token::Kind::kWord && !is_reserved(token.text);
}

// Reads types, from a token on. Strict: what it does not know, and what is an error, is no type to it.
class TypeReader {
 public:
  explicit TypeReader(const std::vector<Token>& tokens) : tokens_(tokens) {}

  // The index after the type that begins at `from`; 0 if none does.
  std::size_t end_of_type(std::size_t from) { return from_there(from, &TypeReader::type); }
  // After the brackets of an interface.
  std::size_t end_of_members(std::size_t from) { return from_there(from, &TypeReader::members); }
  // After `A, B.C<D>`.
  std::size_t end_of_references(std::size_t from) { return from_there(from, &TypeReader::references); }

 private:
  std::size_t from_there(std::size_t from, bool (TypeReader::*read)()) {
    at_ = from;
    depth_ = 0;
    return (this->*read)() ? at_ : 0;
  }

  const Token& here() const { return tokens_[at_]; }
  const Token& next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  bool take(std::string_view sign) {
    if (!here().is(sign)) return false;
    ++at_;
    return true;
  }
  bool take_name() {
    if (!is_name(here())) return false;
    ++at_;
    return true;
  }

  bool type() {
    if (++depth_ > kDeepest) return false;
    const bool is_function = here().is("(") && tokens_[here().match + 1].is("=>");
    const bool read = is_function ? parameters() && take("=>") && type() : union_of_types();
    --depth_;
    return read;
  }
  bool union_of_types() {
    take("|");
    do {
      if (!intersection()) return false;
    } while (take("|"));
    return true;
  }
  bool intersection() {
    take("&");
    do {
      if (!with_brackets()) return false;
    } while (take("&"));
    return true;
  }
  bool with_brackets() {
    if (here().is_word("keyof") && is_name(next()) && !is_one_of(next().text, kTypeOperators)) ++at_;
    if (!simple_type()) return false;
    while (here().is("[") && !here().begins_line) {
      ++at_;
      if (!here().is("]") && !type()) return false;
      if (!take("]")) return false;
    }
    return true;
  }
  bool simple_type() {
    const Token& token = here();
    if (token.kind == Token::Kind::kString) return text_without_escapes();
    if (token.kind == Token::Kind::kNumber) return plain_number();
    if (token.is("{")) return members();
    if (token.is("[")) return tuple();
    if (take("(")) return !here().is(")") && type() && take(")");
    if (token.is_word("typeof")) {
      ++at_;
      return reference();
    }
    if (token.kind == Token::Kind::kWord && is_one_of(token.text, kReservedTypes)) {
      ++at_;
      return true;
    }
    return reference();
  }
  bool text_without_escapes() {
    const bool plain = here().text.find('\\') == std::string_view::npos;
    ++at_;
    return plain;
  }
  bool plain_number() {
    const std::string_view digits = here().text;
    ++at_;
    return base::is_number(digits) && (digits.size() == 1 || digits[0] != '0');
  }
  bool reference() {
    const bool is_complete = is_one_of(here().text, kTypeNames);
    if (is_one_of(here().text, kTypeOperators) || !take_name()) return false;
    if (is_complete) return true;
    while (take(".")) {
      if (!take_name()) return false;
    }
    if (!here().is("<") || here().begins_line) return true;
    ++at_;
    do {
      if (!type()) return false;
    } while (take(","));
    return take(">");
  }
  bool references() {
    do {
      if (!reference()) return false;
    } while (take(","));
    return true;
  }
  bool tuple() {
    ++at_;
    while (!take("]")) {
      if (next().is(":") || next().is("?") || !type()) return false;
      if (!take(",") && !here().is("]")) return false;
    }
    return true;
  }
  bool parameters() {
    ++at_;
    while (!take(")")) {
      const bool rest = take("...");
      if (!take_name()) return false;
      if (!rest) take("?");
      if (take(":") && !type()) return false;
      if (here().is(")")) continue;
      if (rest || !take(",")) return false;
    }
    return true;
  }
  bool members() {
    if (++depth_ > kDeepest || !take("{")) return false;
    while (!take("}")) {
      if (!member()) return false;
      if (!take(";") && !take(",") && !here().is("}") && !here().begins_line) return false;
    }
    --depth_;
    return true;
  }
  bool member() {
    if (here().is_word("readonly") && !next().begins_line && (is_name(next()) || next().is("["))) ++at_;
    if (take("[")) return take_name() && take(":") && type() && take("]") && take(":") && type();
    // `get a(): T` and the like, and `new (): T`
    const bool is_word = here().kind == Token::Kind::kWord;
    if (is_word && (next().kind == Token::Kind::kWord || here().text == "new")) return false;
    if (is_word) {
      ++at_;
    } else if (here().kind != Token::Kind::kString || !text_without_escapes()) {
      return false;
    }
    take("?");
    if (here().is("(") && !parameters()) return false;
    return !take(":") || type();
  }

  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

class PlainTypes {
 public:
  PlainTypes(std::string_view code, const std::vector<Token>& tokens)
      : text_(code), tokens_(tokens), types_(tokens), type_ends_(tokens.size()), work_left_(16 * tokens.size()) {}

  std::optional<std::string> blank() {
    for (std::size_t i = 0; i + 1 < tokens_.size();) {
      const std::size_t next = take(i);
      if (next == 0) return {};
      i = next;
    }
    return std::move(text_);
  }

 private:
  // Each of these returns the index of the token to continue with; 0 to leave all of it to a parser.
  std::size_t take(std::size_t i) {
    const Token& token = tokens_[i];
    if (type_ends_[i] != 0) return blank_tokens(i, type_ends_[i]);
    if (token.closes()) {
      waiting_ = brackets_.back().waiting_outside;
      brackets_.pop_back();
    }
    if (token.opens()) {
      if (token.is("(") && !mark_parameters(i)) return 0;
      const bool is_block = token.is("{") && !class_begins_;
      if (token.is("{")) class_begins_ = false;
      brackets_.push_back({waiting_, is_block});
      waiting_ = 0;
    }
    if (token.is("?")) ++waiting_;
    if (token.is(":") && waiting_ > 0) --waiting_;
    // V8 finds that out when it runs.
    if (token.is("=") && i > 0 && tokens_[i - 1].is(")")) return 0;
    if (token.is("<") && i > 0 && ends_operand(i - 1) && may_be_type_arguments(i)) return 0;
    return token.kind == Token::Kind::kWord && !follows_dot(i) ? take_word(i) : i + 1;
  }

  std::size_t take_word(std::size_t i) {
    const Token& word = tokens_[i];
    const Token& next = tokens_[i + 1];
    if (next.kind == Token::Kind::kWord) {
      if (next.begins_line && is_one_of(word.text, kDeclaring)) return 0;
      if (word.text == "type" && is_reserved(next.text)) return 0;
      if (!next.begins_line && is_name(next) && word.text == "interface") return take_interface(i);
      if (!next.begins_line && is_name(next) && word.text == "type" && tokens_[i + 2].is("=")) return take_alias(i);
    }
    if (word.text == "class") class_begins_ = true;
    if (word.text == "const" || word.text == "let" || word.text == "var") return mark_variable(i) ? i + 1 : 0;
    if (word.text == "catch" && next.is("(") && tokens_[i + 3].is(":"))
      return mark_annotation(i + 2, i + 3) == next.match && next.match == i + 5 ? i + 1 : 0;
    const bool casts = word.text == "as" || word.text == "satisfies";
    return casts && !word.begins_line && i > 0 && ends_operand(i - 1) ? take_cast(i) : i + 1;
  }

  bool follows_dot(std::size_t i) const { return i > 0 && (tokens_[i - 1].is(".") || tokens_[i - 1].is("?.")); }

  // Whether an operand may end here, by this token alone.
  bool ends_operand(std::size_t i) const {
    const Token& token = tokens_[i];
    switch (token.kind) {
      case Token::Kind::kWord: return is_name(token) || follows_dot(i) || is_one_of(token.text, kReservedOperands);
      case Token::Kind::kSign: return token.is(")") || token.is("]") || token.is("}");
      case Token::Kind::kTemplate: return !token.opens();
      default: return true;
    }
  }

  // What is within brackets is read again at each level; a program of thousands is for a parser.
  bool is_exhausted() { return work_left_ == 0 || --work_left_ == 0; }

  // `a < b > c`, by the signs that may be among types.
  bool may_be_type_arguments(std::size_t i) {
    constexpr std::array<std::string_view, 8> kAmongTypes = {".", ",", "|", "&", "?", ":", "=>", "-"};
    int depth = 0;
    for (std::size_t at = i; at + 1 < tokens_.size(); ++at) {
      const Token& token = tokens_[at];
      if (is_exhausted()) return true;
      if (token.is("(") || token.is("[") || token.is("{")) {
        at = token.match;
      } else if (token.is("<")) {
        ++depth;
      } else if (token.is(">") || token.is(">=")) {
        if (--depth == 0) return true;
      } else if (token.closes() || (token.kind == Token::Kind::kSign && !is_one_of(token.text, kAmongTypes))) {
        return false;
      }
    }
    return false;
  }

  std::size_t blank_tokens(std::size_t first, std::size_t end) {
    blank_text(tokens_[first].begin, tokens_[end - 1].end);
    return end;
  }
  void blank_text(std::size_t from, std::size_t to) {
    for (; from < to; ++from) {
      if (std::string_view("\n\r\t\v\f").find(text_[from]) == std::string_view::npos) text_[from] = ' ';
    }
  }

  // Marks a colon with the type behind it. Returns the index after it, or 0.
  std::size_t mark_annotation(std::size_t name, std::size_t colon) {
    if (is_one_of(tokens_[name].text, kAccessorWords)) return 0;
    return type_ends_[colon] = types_.end_of_type(colon + 1);
  }

  // `const a: T`, `const { a }: T`. Further ones after a comma are for a parser.
  bool mark_variable(std::size_t i) {
    const Token& name = tokens_[i + 1];
    const std::size_t last = name.is("{") || name.is("[") ? name.match : i + 1;
    if (name.kind == Token::Kind::kEnd || !tokens_[last + 1].is(":")) return true;
    if (last == i + 1 ? !is_name(name) : has_cast(i + 1, last)) return false;
    const std::size_t end = mark_annotation(last, last + 1);
    return end != 0 && (tokens_[end].is("=") || tokens_[end].is(",") || tokens_[end].is(";") || ends_statement(end));
  }

  // In a pattern that is an error.
  bool has_cast(std::size_t from, std::size_t to) const {
    return std::any_of(tokens_.begin() + static_cast<std::ptrdiff_t>(from),
                       tokens_.begin() + static_cast<std::ptrdiff_t>(to),
                       [](const Token& token) { return token.is_word("as") || token.is_word("satisfies"); });
  }

  // Whether a statement without a semicolon has ended before this token, whatever was blanked.
  bool ends_statement(std::size_t i) const {
    const Token& token = tokens_[i];
    if (token.kind == Token::Kind::kEnd || token.is("}")) return true;
    return token.begins_line && token.kind == Token::Kind::kWord && !is_one_of(token.text, kContinuing) &&
           token.text != "of";
  }

  bool begins_statement(std::size_t i) const {
    if (!brackets_.empty() && !brackets_.back().is_block) return false;
    if (i == 0) return true;
    const Token& before = tokens_[i - 1];
    if (before.is("{")) return i > 1 && (tokens_[i - 2].is(")") || tokens_[i - 2].is("=>"));
    if (before.is(";")) return true;
    return tokens_[i].begins_line && !before.is(")") && ends_operand(i - 1) && !is_one_of(before.text, kDeclaring);
  }

  std::size_t take_interface(std::size_t i) {
    std::size_t at = i + 2;
    if (tokens_[at].is_word("extends")) at = types_.end_of_references(at + 1);
    const std::size_t end = at != 0 && tokens_[at].is("{") ? types_.end_of_members(at) : 0;
    const bool ends = end != 0 && (tokens_[end].is(";") || ends_statement(end));
    return ends && begins_statement(i) ? blank_tokens(i, end) : 0;
  }

  std::size_t take_alias(std::size_t i) {
    std::size_t end = is_one_of(tokens_[i + 1].text, kTypeOperators) ? 0 : types_.end_of_type(i + 3);
    if (end == 0 || !begins_statement(i)) return 0;
    if (tokens_[end].is(";")) {
      ++end;
      const bool goes_on = tokens_[end].kind == Token::Kind::kWord || tokens_[end].is("}");
      if (!goes_on && tokens_[end].kind != Token::Kind::kEnd) return 0;
      return is_one_of(tokens_[end].text, kContinuing) ? 0 : blank_tokens(i, end);
    }
    return ends_statement(end) ? blank_tokens(i, end) : 0;
  }

  std::size_t take_cast(std::size_t i) {
    const Token& before = tokens_[i - 1];
    if (before.is("}") || before.end == tokens_[i].begin) return 0;
    if (before.text == "type" || before.text == "async" || is_one_of(before.text, kDeclaring)) return 0;
    if (i > 1 && is_one_of(tokens_[i - 2].text, kBeforeName)) return 0;
    // `{ a as B }` and `let a, b as C` are errors.
    const bool in_list = i > 1 && (tokens_[i - 2].is(",") || tokens_[i - 2].is("{"));
    if (in_list && (brackets_.empty() || brackets_.back().is_block)) return 0;
    if (before.is(")") && before.match > 0 && is_one_of(tokens_[before.match - 1].text, kBeforeCondition)) return 0;
    const std::size_t end = tokens_[i + 1].is_word("const") ? i + 2 : types_.end_of_type(i + 1);
    if (end == 0) return 0;
    const Token& next = tokens_[end];
    if (!next.closes() && !next.is(",") && !next.is(";") && !ends_statement(end)) return 0;
    blank_text(before.end, tokens_[end - 1].end);
    return end;
  }

  // Marks the types of a list of parameters, and of the result behind it. False if only a parser can say what it is.
  bool mark_parameters(std::size_t open) {
    const std::size_t close = tokens_[open].match;
    const Token& after = tokens_[close + 1];
    const bool of_function = is_function(open);
    const bool of_method = after.is("{") && !after.begins_line && is_method(open);
    const bool of_arrow = after.is("=>") && !after.begins_line;
    // Otherwise the colon is that of a conditional expression.
    const bool has_result = after.is(":") && (of_function || (waiting_ == 0 && may_begin_arrow(open)));
    if (!of_function && !of_method && !of_arrow && !has_result) return true;
    // amaro moves a comment that is there instead.
    const std::size_t inside = tokens_[open].end;
    if (close == open + 1 && text_.substr(inside, tokens_[close].begin - inside).find('/') != text_.npos) return false;
    if (has_result) {
      const std::size_t end = types_.end_of_type(close + 2);
      if (end == 0) return false;
      const bool is_arrow = tokens_[end].is("=>") && !has_break(tokens_[close].end, tokens_[end].begin);
      if (of_function ? !tokens_[end].is("{") : !is_arrow) return false;
      type_ends_[close + 1] = end;
    }
    return mark_each(open, close);
  }

  bool has_break(std::size_t from, std::size_t to) const {
    return std::string_view(text_).substr(from, to - from).find_first_of("\r\n") != std::string_view::npos;
  }

  bool is_function(std::size_t open) const {
    std::size_t at = open;
    if (at > 0 && is_name(tokens_[at - 1])) --at;
    if (at > 0 && tokens_[at - 1].is("*")) --at;
    return at > 0 && tokens_[at - 1].is_word("function") && !follows_dot(at - 1);
  }
  // `a(…) {` on one line is nothing else, but for `class A extends a(…) {`.
  bool is_method(std::size_t open) const {
    if (open < 2 || !is_name(tokens_[open - 1])) return false;
    const Token& before = tokens_[open - 2];
    return before.is("{") || before.is("}") || before.is(";") || before.is(",") || before.is_word("async");
  }
  // Where an expression begins. After `case` the colon is not of a type.
  bool may_begin_arrow(std::size_t open) const {
    if (open == 0) return true;
    const Token& before = tokens_[open - 1];
    if (before.is_word("async") && !follows_dot(open - 1)) return true;
    return !ends_operand(open - 1) && !before.is_word("case") && !is_one_of(before.text, kBeforeCondition);
  }

  bool mark_each(std::size_t open, std::size_t close) {
    bool any = type_ends_[close + 1] != 0;
    for (std::size_t at = open + 1; at < close; ++at) {
      const bool rest = tokens_[at].is("...");
      if (rest) ++at;
      const std::size_t name = at;
      if (tokens_[at].is("{") || tokens_[at].is("[")) {
        at = tokens_[at].match;
        if (has_cast(name, at)) return false;
      } else if (!is_name(tokens_[at])) {
        return false;
      }
      ++at;
      if (tokens_[at].is("?")) {
        const Token& then = tokens_[at + 1];
        if (rest || name + 1 != at || !(then.is(":") || then.is(",") || then.is(")"))) return false;
        type_ends_[at] = at + 1;
        any = true;
        ++at;
        if (tokens_[at].is(":") && tokens_[types_.end_of_type(at + 1)].is("=")) return false;
      }
      if (tokens_[at].is(":")) {
        at = mark_annotation(name, at);
        any = true;
      }
      if (at != 0 && tokens_[at].is("=")) at = end_of_default(at + 1, close);
      if (at == 0 || (at != close && !tokens_[at].is(","))) return false;
    }
    // `a ? (b: c) => d : e`: which colon is whose?
    return !any || waiting_ == 0;
  }

  // The comma or parenthesis after a default value.
  std::size_t end_of_default(std::size_t from, std::size_t close) {
    int depth = 0;
    for (std::size_t at = from; at < close; ++at) {
      if (tokens_[at].is("<") || is_exhausted()) return 0;
      if (tokens_[at].closes()) --depth;
      if (depth == 0 && tokens_[at].is(",")) return at;
      if (tokens_[at].opens()) ++depth;
    }
    return close;
  }

  struct Bracket {
    int waiting_outside;
    bool is_block;  // or an object
  };

  std::string text_;
  const std::vector<Token>& tokens_;
  TypeReader types_;
  std::vector<std::size_t> type_ends_;  // for the first token of what is to be blanked: the index after it
  std::vector<Bracket> brackets_;       // around what is read
  int waiting_ = 0;                     // conditional expressions in the last of them that wait for their colon
  bool class_begins_ = false;           // its brackets are the next
  std::size_t work_left_;
};

}  // namespace

std::optional<std::string> blank_plain_types(std::string_view code) {
  const auto tokens = read_tokens(code);
  if (!tokens) return {};
  return PlainTypes(code, *tokens).blank();
}

}  // namespace glovebox::program
