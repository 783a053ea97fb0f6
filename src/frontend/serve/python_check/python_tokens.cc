#include "frontend/serve/python_check/python_tokens.h"

#include <algorithm>
#include <array>
#include <string>

namespace glovebox::frontend {
namespace {

using Kind = PythonToken::Kind;

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Tokens {
 public:
  explicit Tokens(std::string_view code) : code_(code) {}

  std::vector<PythonToken> read() {
    add(Kind::kLineEnd, 0, 0);
    while (at_ < code_.size()) read_one();
    add(Kind::kLineEnd, code_.size(), code_.size());
    return std::move(tokens_);
  }

 private:
  void read_one() {
    const char c = code_[at_];
    if (c == '\n' || c == ';') {
      if (open_.empty()) add(Kind::kLineEnd, at_, at_ + 1);
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\\') {
      // Behind a backslash the line goes on.
      at_ += c == '\\' && code_.substr(at_ + 1, 1) == "\n" ? 2 : 1;
    } else if (c == '#') {
      at_ = std::min(code_.find('\n', at_), code_.size());
    } else if (c == '"' || c == '\'') {
      read_string(at_, at_);
    } else if (is_name_start(c)) {
      read_name();
    } else if (is_digit(c) || (c == '.' && at_ + 1 < code_.size() && is_digit(code_[at_ + 1]))) {
      read_number();
    } else {
      read_mark();
    }
  }

  void read_name() {
    const std::size_t begin = at_;
    while (at_ < code_.size() && (is_name_start(code_[at_]) || is_digit(code_[at_]))) ++at_;
    const bool is_prefix = at_ - begin <= 2 && at_ < code_.size() && (code_[at_] == '"' || code_[at_] == '\'') &&
                           code_.substr(begin, at_ - begin).find_first_not_of("rRbBuUfFtT") == std::string_view::npos;
    if (is_prefix) return read_string(begin, at_);
    add(Kind::kName, begin, at_);
  }

  void read_number() {
    const std::size_t begin = at_;
    while (at_ < code_.size() && (is_name_start(code_[at_]) || is_digit(code_[at_]) || code_[at_] == '.')) ++at_;
    add(Kind::kNumber, begin, at_);
  }

  void read_string(std::size_t begin, std::size_t quote) {
    const std::string_view prefix = code_.substr(begin, quote - begin);
    const auto has = [&](const char* letters) { return prefix.find_first_of(letters) != std::string_view::npos; };
    const Kind kind = has("bBtT") ? Kind::kOther : has("fF") ? Kind::kFormatted : Kind::kString;
    const std::string_view one = code_.substr(quote, 1);
    const bool is_long = code_.substr(quote, 3) == std::string(3, one[0]);
    const std::string_view closing = is_long ? code_.substr(quote, 3) : one;
    std::size_t end = quote + closing.size();
    const std::size_t text = end;
    while (end < code_.size() && code_.substr(end, closing.size()) != closing && (is_long || code_[end] != '\n'))
      end += code_[end] == '\\' ? 2 : 1;
    end = std::min(end, code_.size());
    at_ = std::min(end + closing.size(), code_.size());
    add(kind, begin, at_);
    tokens_.back().text = code_.substr(text, end - text);
  }

  void read_mark() {
    constexpr std::array<std::string_view, 8> kLong = {"**", "==", "!=", "<=", ">=", ":=", "//", "->"};
    const std::string_view two = code_.substr(at_, 2);
    const std::size_t length = std::find(kLong.begin(), kLong.end(), two) != kLong.end() ? 2 : 1;
    add(Kind::kMark, at_, at_ + length);
    at_ += length;
    const char c = two[0];
    if (c == '(' || c == '[' || c == '{') open_.push_back(tokens_.size() - 1);
    if ((c != ')' && c != ']' && c != '}') || open_.empty()) return;
    tokens_.back().match = open_.back();
    tokens_[open_.back()].match = tokens_.size() - 1;
    open_.pop_back();
  }

  void add(Kind kind, std::size_t begin, std::size_t end) {
    tokens_.push_back({kind, begin, end, code_.substr(begin, end - begin)});
  }

  std::string_view code_;
  std::size_t at_ = 0;
  std::vector<std::size_t> open_;
  std::vector<PythonToken> tokens_;
};

}  // namespace

std::vector<PythonToken> python_tokens(std::string_view code) {
  return Tokens(code).read();
}

}  // namespace glovebox::frontend
