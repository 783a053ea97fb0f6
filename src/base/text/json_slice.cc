#include "mcp/json/json_slice.h"

#include <simdjson.h>

#include <algorithm>

namespace glovebox::mcp {
namespace {

Failure bad_json(const char* what) {
  return {ErrorCode::kProtocol, std::string("not well-formed JSON: ") + what};
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

// A strict, non-storing parser of RFC 8259. Every function returns null or what is wrong.
class Scanner {
 public:
  using Members = std::vector<std::pair<std::string_view, std::string_view>>;

  Scanner(std::string_view text, SliceOptions options)
      : at_(text.data()), end_(text.data() + text.size()), options_(options) {}

  const char* items(std::vector<std::string_view>* found) {
    skip_space();
    if (at_ == end_ || *at_ != '[') return "an array was expected";
    if (const char* wrong = array(1, found)) return wrong;
    skip_space();
    return at_ == end_ ? nullptr : "text after the value";
  }

  const char* document(Members* members) {
    skip_space();
    if (members && (at_ == end_ || *at_ != '{')) return "an object was expected";
    if (const char* wrong = value(1, members)) return wrong;
    skip_space();
    return at_ == end_ ? nullptr : "text after the value";
  }

 private:
  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }

  const char* word(std::string_view expected) {
    if (static_cast<std::size_t>(end_ - at_) < expected.size() || std::string_view(at_, expected.size()) != expected)
      return "an unknown word";
    at_ += expected.size();
    return nullptr;
  }

  const char* digits() {
    if (at_ == end_ || *at_ < '0' || *at_ > '9') return "a number without digits";
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    return nullptr;
  }

  const char* number() {
    if (*at_ == '-') ++at_;
    if (at_ != end_ && *at_ == '0') {
      ++at_;
    } else if (const char* wrong = digits()) {
      return wrong;
    }
    if (at_ != end_ && *at_ == '.') {
      ++at_;
      if (const char* wrong = digits()) return wrong;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (const char* wrong = digits()) return wrong;
    }
    return nullptr;
  }

  int unit() {
    if (end_ - at_ < 4) return -1;
    int code = 0;
    for (int i = 0; i < 4; ++i) {
      const int digit = hex_value(*at_++);
      if (digit < 0) return -1;
      code = code * 16 + digit;
    }
    return code;
  }

  const char* escape() {
    if (at_ == end_) return "an unfinished string";
    const char c = *at_++;
    if (c != 'u')
      return std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos ? "an unknown escape" : nullptr;
    const int code = unit();
    if (code < 0) return "an unfinished escape";
    if (code < 0xD800 || code > 0xDFFF) return nullptr;
    if (code <= 0xDBFF && end_ - at_ >= 6 && at_[0] == '\\' && at_[1] == 'u') {
      const char* const after_first = at_;
      at_ += 2;
      const int low = unit();
      if (low >= 0xDC00 && low <= 0xDFFF) return nullptr;
      at_ = after_first;
    }
    return options_.half_characters ? nullptr : "half a surrogate pair";
  }

  // `content` becomes the text between the quotes.
  const char* string(std::string_view* content = nullptr, bool* escaped = nullptr) {
    const char* begin = ++at_;
    for (;;) {
      while (at_ != end_ && *at_ != '"' && *at_ != '\\' && static_cast<unsigned char>(*at_) >= 0x20) ++at_;
      if (at_ == end_) return "an unfinished string";
      if (*at_ == '"') break;
      if (*at_ != '\\') return "a control character in a string";
      ++at_;
      if (escaped) *escaped = true;
      if (const char* wrong = escape()) return wrong;
    }
    if (content) *content = std::string_view(begin, static_cast<std::size_t>(at_ - begin));
    ++at_;
    return nullptr;
  }

  // By sorting: who chooses the keys could choose ones that a hash table puts into one place.
  static const char* repeated(std::vector<std::string>& keys) {
    std::sort(keys.begin(), keys.end());
    return std::adjacent_find(keys.begin(), keys.end()) == keys.end() ? nullptr : "a repeated key";
  }

  const char* object(int depth, Members* members) {
    std::vector<std::string> keys;
    ++at_;
    skip_space();
    if (at_ != end_ && *at_ == '}') {
      ++at_;
      return nullptr;
    }
    for (;;) {
      skip_space();
      if (at_ == end_ || *at_ != '"') return "a key was expected";
      std::string_view key;
      bool escaped = false;
      if (const char* wrong = string(&key, &escaped)) return wrong;
      if (members && escaped) return "an escape in a key of the envelope";
      if (members || options_.unique_keys) {
        std::string plain(key);
        if (escaped) plain = unquote(std::string_view(key.data() - 1, key.size() + 2)).value();
        keys.push_back(std::move(plain));
      }
      skip_space();
      if (at_ == end_ || *at_ != ':') return "a colon was expected";
      ++at_;
      skip_space();
      const char* begin = at_;
      if (const char* wrong = value(depth + 1, nullptr)) return wrong;
      if (members) members->emplace_back(key, std::string_view(begin, static_cast<std::size_t>(at_ - begin)));
      skip_space();
      if (at_ == end_) return "an unfinished object";
      if (*at_ == '}') break;
      if (*at_ != ',') return "a comma was expected";
      ++at_;
    }
    ++at_;
    return repeated(keys);
  }

  const char* array(int depth, std::vector<std::string_view>* items = nullptr) {
    ++at_;
    skip_space();
    if (at_ != end_ && *at_ == ']') {
      ++at_;
      return nullptr;
    }
    for (;;) {
      skip_space();
      const char* begin = at_;
      if (const char* wrong = value(depth + 1, nullptr)) return wrong;
      if (items) items->emplace_back(begin, static_cast<std::size_t>(at_ - begin));
      skip_space();
      if (at_ == end_) return "an unfinished array";
      if (*at_ == ']') break;
      if (*at_ != ',') return "a comma was expected";
      ++at_;
    }
    ++at_;
    return nullptr;
  }

  const char* value(int depth, Members* members) {
    if (depth > options_.max_depth) return "nested too deeply";
    if (at_ == end_) return "a value was expected";
    switch (*at_) {
      case '{': return object(depth, members);
      case '[': return array(depth);
      case '"': return string();
      case 't': return word("true");
      case 'f': return word("false");
      case 'n': return word("null");
      default: break;
    }
    if (*at_ == '-' || (*at_ >= '0' && *at_ <= '9')) return number();
    return "a value was expected";
  }

  const char* at_;
  const char* end_;
  SliceOptions options_;
};

}  // namespace

Result<JsonSlices> JsonSlices::of(std::string_view text, SliceOptions options) {
  JsonSlices slices;
  if (!simdjson::validate_utf8(text.data(), text.size())) return bad_json("not UTF-8");
  if (const char* wrong = Scanner(text, options).document(&slices.members_)) return bad_json(wrong);
  return slices;
}

std::string JsonSlices::text(std::string_view key) const {
  const std::string_view found = raw(key);
  auto content = found.empty() ? Result<std::string>(std::string()) : unquote(found);
  return content ? std::move(content).value() : std::string();
}

std::string_view JsonSlices::raw(std::string_view key) const {
  for (const auto& [name, value] : members_)
    if (name == key) return value;
  return {};
}

Result<std::vector<std::string_view>> slice_array(std::string_view text, SliceOptions options) {
  std::vector<std::string_view> items;
  if (!simdjson::validate_utf8(text.data(), text.size())) return bad_json("not UTF-8");
  if (const char* wrong = Scanner(text, options).items(&items)) return bad_json(wrong);
  return items;
}

Result<void> check_json(std::string_view text, SliceOptions options) {
  if (!simdjson::validate_utf8(text.data(), text.size())) return bad_json("not UTF-8");
  if (const char* wrong = Scanner(text, options).document(nullptr)) return bad_json(wrong);
  return {};
}

Result<std::string> unquote(std::string_view raw) {
  if (raw.size() < 2 || raw.front() != '"' || raw.back() != '"') return bad_json("a string was expected");
  raw = raw.substr(1, raw.size() - 2);
  std::string out;
  out.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      out += raw[i];
      continue;
    }
    const auto four = [&](std::size_t from) {
      unsigned code = 0;
      for (std::size_t k = from; k < from + 4 && k < raw.size(); ++k)
        code = code * 16 + static_cast<unsigned>(hex_value(raw[k]));
      return code;
    };
    switch (++i; i < raw.size() ? raw[i] : '\0') {
      case 'b': out += '\b'; break;
      case 'f': out += '\f'; break;
      case 'n': out += '\n'; break;
      case 'r': out += '\r'; break;
      case 't': out += '\t'; break;
      case 'u': {
        unsigned code = four(i + 1);
        i += 4;
        if (code >= 0xD800 && code <= 0xDBFF) {
          code = 0x10000 + ((code - 0xD800) << 10) + (four(i + 3) - 0xDC00);
          i += 6;
        }
        append_utf8(out, code);
        break;
      }
      case '\0': return bad_json("an unfinished escape");
      default: out += raw[i];
    }
  }
  return out;
}

}  // namespace glovebox::mcp
