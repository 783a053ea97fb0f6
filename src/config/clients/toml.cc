#include "config/clients/toml.h"

#include <memory>
#include <utility>

#include "base/characters/ascii.h"
#include "base/characters/code_point.h"
#include "base/text/json_builder.h"
#include "base/text/json_text.h"

namespace glovebox::config {
namespace {

// Real files are not nested deeper.
constexpr int kMostTomlDepth = 32;

struct TomlTable;
struct TomlItem {
  std::string json;                                // of what is not a table
  std::vector<std::unique_ptr<TomlTable>> tables;  // one, or those of an array
  bool is_array = false;
};
struct TomlTable {
  std::vector<std::pair<std::string, TomlItem>> members;

  TomlItem* find(std::string_view key) {
    for (auto& [name, item] : members)
      if (name == key) return &item;
    return nullptr;
  }
  std::string json() const {
    base::ObjectText text;
    for (const auto& [name, item] : members) {
      if (item.is_array) {
        text.json(name, base::json_list(item.tables, [](const auto& table) { return table->json(); }));
      } else {
        text.json(name, item.tables.empty() ? item.json : item.tables.front()->json());
      }
    }
    return text.done();
  }
};

struct TomlHeading {
  std::vector<std::string> path;
  std::size_t offset;  // of its line
};

// Stops at the first thing that it does not understand; `problem` then has the position and the reason.
class TomlReader {
 public:
  explicit TomlReader(std::string_view text) : text_(text) {}

  bool read() {
    TomlTable* table = &root;
    for (skip_lines(); !failed() && at_ < text_.size(); skip_lines()) {
      if (peek() == '[') {
        table = heading();
      } else {
        pair(*table);
      }
      if (!failed()) end_of_line();
    }
    return !failed();
  }

  TomlTable root;
  std::vector<TomlHeading> headings;
  JsonProblem problem;

 private:
  bool failed() const { return !problem.message.empty(); }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void fail(const std::string& why) {
    if (!failed()) problem = {at_, why};
  }

  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }
  void skip_lines() {
    for (;;) {
      skip_blanks();
      if (peek() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
      if (peek() == '\r' || peek() == '\n') {
        ++at_;
      } else if (peek() != '#') {
        return;
      }
    }
  }
  void end_of_line() {
    skip_blanks();
    if (peek() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
    if (peek() == '\r') ++at_;
    if (at_ < text_.size() && peek() != '\n') fail("unexpected text; a line ends after its value");
  }

  static bool is_bare(char c) { return base::is_alnum(c) || c == '_' || c == '-'; }
  std::vector<std::string> key() {
    std::vector<std::string> path;
    do {
      skip_blanks();
      std::string part;
      if (peek() == '"' || peek() == '\'') {
        part = string();
      } else {
        while (is_bare(peek())) part += text_[at_++];
        if (part.empty()) fail("expected a key");
      }
      path.push_back(std::move(part));
      skip_blanks();
    } while (!failed() && take("."));
    return path;
  }

  // The table that a path leads to from here, created if it is missing; of an array the last one.
  TomlTable* table_at(TomlTable& from, const std::vector<std::string>& path, bool new_element) {
    TomlTable* table = &from;
    for (std::size_t i = 0; i < path.size(); ++i) {
      TomlItem* item = table->find(path[i]);
      const bool adds = new_element && i + 1 == path.size();
      if (!item) item = &table->members.emplace_back(path[i], TomlItem{}).second;
      if (!item->json.empty() || (adds && !item->is_array && !item->tables.empty())) {
        fail(path[i] + " already exists and is not a table");
        return table;
      }
      if (adds) item->is_array = true;
      if (adds || item->tables.empty()) item->tables.push_back(std::make_unique<TomlTable>());
      table = item->tables.back().get();
    }
    return table;
  }

  TomlTable* heading() {
    const std::size_t line = at_;
    const bool array = take("[[");
    if (!array) take("[");
    std::vector<std::string> path = key();
    if (!take(array ? "]]" : "]")) fail("a table name must end with a bracket");
    if (path.size() > kMostTomlDepth) fail("nested too deep");
    TomlTable* table = failed() ? &root : table_at(root, path, array);
    headings.push_back({std::move(path), line});
    return table;
  }

  void pair(TomlTable& table) {
    std::vector<std::string> path = key();
    skip_blanks();
    if (!failed() && !take("=")) fail("expected = after a key");
    if (path.size() > kMostTomlDepth) fail("nested too deep");
    if (failed()) return;
    const std::string name = std::move(path.back());
    path.pop_back();
    TomlTable* within = table_at(table, path, false);
    if (!failed() && within->find(name)) fail("the key " + name + " appears twice");
    TomlItem item;
    skip_blanks();
    value(item);
    if (!failed()) within->members.emplace_back(name, std::move(item));
  }

  void value(TomlItem& item) {
    if (++depth_ > kMostTomlDepth) return fail("nested too deep");
    if (peek() == '{') {
      ++at_;
      item.tables.push_back(std::make_unique<TomlTable>());
      skip_lines();
      while (!failed() && !take("}")) {
        pair(*item.tables.front());
        skip_lines();
        if (!take(",") && peek() != '}') fail("expected , or } here");
        skip_lines();
      }
    } else if (peek() == '[') {
      item.json = array();
    } else if (peek() == '"' || peek() == '\'') {
      item.json = base::json_string(string());
    } else {
      item.json = word();
    }
    --depth_;
  }

  std::string array() {
    ++at_;
    base::ListText list;
    for (skip_lines(); !failed() && !take("]"); skip_lines()) {
      TomlItem item;
      value(item);
      if (failed()) return "";
      list.json(item.tables.empty() ? item.json : item.tables.front()->json());
      skip_lines();
      if (!take(",") && peek() != ']') fail("expected , or ] here");
    }
    return list.done();
  }

  // A number, a boolean or a date.
  std::string word() {
    std::string text;
    while (is_bare(peek()) || peek() == '+' || peek() == '.' || peek() == ':') text += text_[at_++];
    if (text == "true" || text == "false") return text;
    std::string digits;
    for (const char c : text)
      if (c != '_') digits += c;
    if (digits.starts_with('+')) digits.erase(0, 1);
    if (const auto number = parse_jsonc(digits); number && (number->as<std::int64_t>() || number->as<double>()))
      return digits;
    if (text.empty() || !base::is_digit(text.front())) fail("expected a value");
    return base::json_string(text);
  }

  std::string string() {
    const char quote = peek();
    const std::string three(3, quote);
    const bool is_long = take(three);
    if (!is_long) ++at_;
    if (is_long && peek() == '\r') ++at_;
    if (is_long && peek() == '\n') ++at_;
    std::string out;
    while (!failed()) {
      if (at_ >= text_.size() || (!is_long && peek() == '\n')) {
        fail("a string is not closed");
      } else if (is_long ? take(three) : peek() == quote) {
        if (!is_long) ++at_;
        while (is_long && peek() == quote) out += text_[at_++];  // up to two before the end
        return out;
      } else if (quote == '"' && peek() == '\\') {
        escape(out, is_long);
      } else {
        out += text_[at_++];
      }
    }
    return out;
  }

  void escape(std::string& out, bool is_long) {
    ++at_;
    const char c = peek();
    ++at_;
    constexpr std::string_view kNames = "btnfre\"\\";
    constexpr std::string_view kMeanings = "\b\t\n\f\r\x1b\"\\";
    if (const std::size_t known = kNames.find(c); known != kNames.npos) {
      out += kMeanings[known];
    } else if (c == 'u' || c == 'U') {
      std::uint32_t point = 0;
      for (int left = c == 'u' ? 4 : 8; left > 0; --left, ++at_) {
        const int digit = base::hex_value(peek());
        if (digit < 0) return fail("expected a hexadecimal digit");
        point = point * 16 + static_cast<std::uint32_t>(digit);
      }
      if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return fail("is not a character");
      base::append_code_point(out, point);
    } else if (is_long && (c == '\n' || c == '\r' || c == ' ' || c == '\t')) {
      while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') ++at_;
    } else {
      fail("unknown escape");
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

// Where the table before this heading ends: comments right above a heading belong to it.
std::size_t end_before(std::string_view text, std::size_t heading) {
  std::size_t end = heading;
  while (end > 0) {
    const std::size_t line = end > 1 ? text.rfind('\n', end - 2) + 1 : 0;
    if (text[line] != '#') break;
    end = line;
  }
  return end;
}

}  // namespace

Result<std::string, JsonProblem> toml_to_json(std::string_view text) {
  TomlReader reader(text);
  if (!reader.read()) return reader.problem;
  return reader.root.json();
}

Result<std::string, JsonProblem> without_toml_table(std::string_view text, const std::vector<std::string>& path) {
  TomlReader reader(text);
  if (!reader.read()) return reader.problem;
  std::string kept(text);
  for (std::size_t i = reader.headings.size(); i-- > 0;) {
    const auto& found = reader.headings[i].path;
    if (found.size() < path.size() || !std::equal(path.begin(), path.end(), found.begin())) continue;
    const bool last = i + 1 == reader.headings.size();
    const std::size_t begin = reader.headings[i].offset;
    const std::size_t end = last ? kept.size() : std::max(begin, end_before(text, reader.headings[i + 1].offset));
    kept.erase(begin, end - begin);
  }
  return kept;
}

}  // namespace glovebox::config
