#include "program/agent_program.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/characters/ascii.h"
#include "program/statements.h"

namespace glovebox::program {
namespace {

constexpr std::string_view kFence = "```";
// Module names that models assume for the tools.
constexpr std::array<std::string_view, 4> kToolModules = {"mcp", "glovebox", "@glovebox/mcp", "@glovebox/sdk"};
// What they import from there, or from Node, although it is a global here.
constexpr std::array<std::string_view, 7> kGlobals = {"mcp",     "MCPToolError", "ApprovalDenied", "PermissionDenied",
                                                      "context", "args",         "Buffer"};
constexpr std::array<std::string_view, 2> kBufferModules = {"buffer", "node:buffer"};
// Of several exports, the one that is meant to be run.
constexpr std::array<std::string_view, 6> kEntries = {"default", "main", "run", "handler", "execute", "result"};
// As long as `export` and `default`, so that columns stay.
constexpr std::string_view kDeclared = "const ";
constexpr std::string_view kDefault = "$main =";
constexpr std::string_view kDefaultName = "$main";

// Replaces everything but line breaks with spaces.
void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (; begin < end; ++begin)
    if (text[begin] != '\n' && text[begin] != '\r') text[begin] = ' ';
}

struct Name {
  std::string_view outer;  // as it is exported or imported
  std::string_view inner;  // as the program calls it
};

// `a, b as c, type D` of a list in braces; nothing where it holds anything else.
std::optional<std::vector<Name>> read_names(std::string_view list, bool is_import) {
  std::vector<Name> names;
  while (!base::is_blank(list)) {
    const std::size_t end = std::min(list.find(','), list.size());
    std::string_view item = base::trimmed(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
    const std::string_view first = word_at(item, 0);
    if (first.empty()) return std::nullopt;
    std::string_view second = first;
    std::size_t at = skip_blank(item, first.size());
    if (word_at(item, at) == "as") {
      second = word_at(item, skip_blank(item, at + 2));
      at = item.size() - second.size();
      if (second.empty() || item.substr(at) != second) return std::nullopt;
      at = item.size();
    }
    if (at < item.size()) return std::nullopt;
    names.push_back(is_import ? Name{first, second} : Name{second, first});
  }
  return names;
}

// Reads one statement of the text, word by word.
class Words {
 public:
  Words(std::string_view text, const SourceStatement& statement)
      : text_(text.substr(0, statement.end)), at_(statement.begin) {}

  std::size_t at() const { return at_; }
  std::string_view word() const { return word_at(text_, at_); }
  char character() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool is_at_end() const { return at_ >= text_.size() || text_[at_] == ';'; }

  void advance(std::size_t by) { at_ = skip_blank(text_, std::min(at_ + by, text_.size())); }
  bool take(std::string_view word) {
    if (this->word() != word) return false;
    advance(word.size());
    return true;
  }
  bool take(char c) {
    if (character() != c) return false;
    advance(1);
    return true;
  }
  std::string_view take_word() {
    const std::string_view taken = word();
    advance(taken.size());
    return taken;
  }
  // The text between braces.
  std::optional<std::string_view> take_braces() {
    if (character() != '{') return std::nullopt;
    const std::size_t end = text_.find('}', at_);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    advance(end + 1 - at_);
    return inside;
  }
  std::optional<std::string_view> take_string() {
    const char quote = character();
    const std::size_t end = quote == '"' || quote == '\'' ? text_.find(quote, at_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    advance(end + 1 - at_);
    return inside;
  }

 private:
  std::string_view text_;
  std::size_t at_;
};

class Reader {
 public:
  explicit Reader(std::string text) : text_(std::move(text)), original_(text_) {}

  std::optional<AgentProgram> read() {
    const std::vector<SourceStatement> statements = top_level_statements(original_);
    // From the end, so that earlier positions stay valid.
    for (auto statement = statements.rbegin(); statement != statements.rend(); ++statement) {
      const std::string_view word = word_at(original_, statement->begin);
      if (word == "import") read_import(*statement);
      if (word == "export") read_export(*statement);
      if (word == "function" || word == "async" || word == "const") note_main(*statement);
    }
    if (exports_.empty() && has_main_) exports_.push_back({{"main", "main"}});
    const std::string_view value = exported_value();
    if (!is_changed_ && value.empty()) return std::nullopt;
    return AgentProgram{std::move(text_), value.empty() ? "" : "return " + std::string(value)};
  }

 private:
  struct Export {
    Name name;
    std::size_t mentions = 1;  // in the export itself
  };

  void read_import(const SourceStatement& statement) {
    Words words(original_, statement);
    words.take("import");
    if (words.character() == '(' || words.character() == '.') return;
    if (words.word() == "type" && read_type_import(words)) return blank_out(statement);
    std::vector<Name> names;
    if (const std::string_view whole = words.word(); !whole.empty() && whole != "from") {
      words.take_word();
      names.push_back({"mcp", whole});
      if (!words.take(',') && words.word() != "from") return;
    }
    if (words.take('*')) {
      if (!words.take("as")) return;
      names.push_back({"mcp", words.take_word()});
    } else if (const auto list = words.take_braces()) {
      const auto listed = read_names(*list, true);
      if (!listed) return;
      names.insert(names.end(), listed->begin(), listed->end());
    }
    if (names.empty() || !words.take("from")) return;
    const auto module = words.take_string();
    if (!module || !words.is_at_end()) return;
    const bool only_buffer = names.size() == 1 && names[0].outer == "Buffer" && names[0].inner == "Buffer";
    if (is_one_of(*module, kToolModules) || (is_one_of(*module, kBufferModules) && only_buffer)) {
      replace(statement, declaration_of(names));
    }
  }

  static bool read_type_import(Words words) {
    words.take("type");
    if (words.word() == "from") return false;  // an import of something named type
    while (!words.is_at_end() && words.character() != '"' && words.character() != '\'') {
      words.advance(std::max<std::size_t>(words.word().size(), 1));
    }
    return words.take_string() && words.is_at_end();
  }

  static std::string declaration_of(const std::vector<Name>& names) {
    std::string declared;
    for (const Name& name : names) {
      const bool is_global = is_one_of(name.outer, kGlobals) || name.outer == "default";
      if (is_global && name.outer == name.inner) continue;
      if (name.outer != "default" && is_global && name.outer != "mcp") continue;
      if (name.inner == "mcp") continue;
      declared += (declared.empty() ? "const " : ",") + std::string(name.inner) +
                  (is_global ? "=mcp" : "=mcp." + std::string(name.outer));
    }
    return declared.empty() ? "" : declared + ";";
  }

  void read_export(const SourceStatement& statement) {
    Words words(original_, statement);
    words.take("export");
    const std::size_t second = words.at();
    if (words.take("default")) return read_default(statement, second, words);
    if (const auto list = words.take_braces()) {
      const auto names = read_names(*list, false);
      if (!names || !words.is_at_end()) return;
      for (const Name& name : *names) exports_.push_back({name, 2});
      return blank_out(statement);
    }
    if (words.character() == '*' || words.character() == '=' || words.word() == "import") return;
    const bool is_type = words.word() == "type" || words.word() == "interface" || words.word() == "declare";
    words.take("async");
    const std::string_view kind = words.take_word();
    words.take('*');
    if (const std::string_view name = words.word(); !is_type && !name.empty() && kind != "class" && kind != "enum")
      exports_.push_back({{name, name}});
    blank(text_, statement.begin, second);
    is_changed_ = true;
  }

  void read_default(const SourceStatement& statement, std::size_t second, Words words) {
    const std::size_t third = words.at();
    is_changed_ = true;
    if (words.word() == "interface") return blank(text_, statement.begin, third);
    words.take("abstract");
    words.take("async");
    const bool declares = words.word() == "function" || words.word() == "class";
    if (declares) {
      words.take_word();
      words.take('*');
      if (const std::string_view name = words.word(); !name.empty() && name != "extends") {
        exports_.push_back({{"default", name}});
        return blank(text_, statement.begin, third);
      }
    }
    exports_.push_back({{"default", kDefaultName}, 0});
    text_.replace(second, kDefault.size(), kDefault);
    text_.replace(statement.begin, kDeclared.size(), kDeclared);
    // `export default main` names a function that nothing else may call.
    if (const std::string_view name = words.word(); words.at() == third && !name.empty()) {
      words.take_word();
      if (words.is_at_end()) exports_.back() = {{"default", name}, 2};
    }
  }

  // A function that is meant to be run, if nothing calls it.
  void note_main(const SourceStatement& statement) {
    Words words(original_, statement);
    words.take("async");
    const std::string_view kind = words.take_word();
    if (kind != "function" && kind != "const") return;
    words.take('*');
    if (!words.take("main")) return;
    if (kind == "const") {
      if (!words.take('=')) return;
      const bool is_function = words.word() == "async" || words.word() == "function" || words.character() == '(';
      if (!is_function) return;
    }
    has_main_ = true;
  }

  std::string_view exported_value() const {
    const Export* best = exports_.size() == 1 ? exports_.data() : nullptr;
    for (const std::string_view entry : kEntries) {
      if (best) break;
      const auto found =
          std::find_if(exports_.begin(), exports_.end(), [&](const Export& one) { return one.name.outer == entry; });
      if (found != exports_.end()) best = &*found;
    }
    // If the program uses it, it is run already: a function is not called twice.
    const bool is_used = best && count_word(original_, best->name.inner) > best->mentions;
    return best && !is_used ? best->name.inner : std::string_view();
  }

  void blank_out(const SourceStatement& statement) {
    blank(text_, statement.begin, statement.end);
    is_changed_ = true;
  }

  void replace(const SourceStatement& statement, const std::string& with) {
    blank_out(statement);
    const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(statement.begin);
    const auto breaks = std::count(begin, text_.begin() + static_cast<std::ptrdiff_t>(statement.end), '\n');
    text_.replace(statement.begin, statement.end - statement.begin,
                  with + std::string(static_cast<std::size_t>(breaks), '\n'));
  }

  std::string text_;
  const std::string original_;
  std::vector<Export> exports_;
  bool is_changed_ = false;
  bool has_main_ = false;
};

bool has_line(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size())) {
    const std::size_t line = text.find_last_of("\n;", at) + 1;
    if (base::is_blank(text.substr(line, at - line))) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> without_fences(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  if (text.substr(begin, kFence.size()) != kFence) return std::nullopt;
  std::vector<std::size_t> fences;  // where their lines begin
  std::size_t last_line = begin;
  for (std::size_t at = begin; at < text.size(); at = std::min(text.find('\n', at), text.size() - 1) + 1) {
    const std::string_view line = base::trimmed(text.substr(at, text.find('\n', at) - at));
    if (line.starts_with(kFence)) fences.push_back(at);
    if (!line.empty()) last_line = at;
  }
  const bool is_whole = fences.back() == last_line;
  if (!is_whole && fences.size() > 2) return std::nullopt;  // several pieces and words between them
  std::string code(text);
  blank(code, 0, std::min(text.find('\n', begin), text.size()));
  if (fences.size() > 1) code.erase(fences.back());
  return code;
}

std::optional<AgentProgram> read_agent_program(std::string_view text) {
  std::optional<std::string> unfenced = without_fences(text);
  const std::string_view code = unfenced ? *unfenced : text;
  if (has_line(code, "import") || has_line(code, "export") || code.find("main") != std::string_view::npos) {
    if (auto read = Reader(std::string(code)).read()) return read;
  }
  if (unfenced) return AgentProgram{std::move(*unfenced), ""};
  return std::nullopt;
}

bool looks_like_python(std::string_view code) {
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = std::min(code.find('\n', at), code.size());
    const std::string_view line = base::trimmed(code.substr(at, end - at));
    at = end + 1;
    const std::string_view first = word_at(line, 0);
    constexpr std::array<std::string_view, 11> kBlocks = {"def", "class", "if",    "elif",   "else", "for",
                                                          "try", "with",  "while", "except", "async"};
    if (is_one_of(first, kBlocks) && line.ends_with(':')) return true;
    if (first == "from" && line.find(" import ") != std::string_view::npos) return true;
    const bool names_module = line.find_first_of("'\"{(") == std::string_view::npos;
    if (first == "import" && names_module && !line.ends_with(';')) return true;
  }
  return false;
}

}  // namespace glovebox::program
