#include "frontend/serve/python_check/python_calls.h"

#include <map>
#include <optional>
#include <set>

#include "frontend/serve/python_check/python_tokens.h"

namespace glovebox::frontend {
namespace {

using Kind = PythonToken::Kind;
using Value = PythonArgument::Value;

constexpr std::size_t kMostCalls = 1000;

class Calls {
 public:
  Calls(std::string_view code, const std::function<bool(std::string_view)>& is_server)
      : tokens_(python_tokens(code)), is_server_(is_server) {
    read_names();
  }

  std::vector<PythonCall> find() {
    std::vector<PythonCall> calls;
    for (std::size_t at = 1; at + 1 < tokens_.size() && calls.size() < kMostCalls; ++at) {
      if (tokens_[at].kind != Kind::kName || tokens_[at - 1].is(".")) continue;
      if (auto call = call_at(at)) calls.push_back(std::move(*call));
    }
    return calls;
  }

 private:
  const PythonToken& token(std::size_t at) const { return tokens_[std::min(at, tokens_.size() - 1)]; }

  // Which names are plainly `mcp` or a server: those that are never anything else.
  void read_names() {
    std::set<std::string_view> bound;
    std::map<std::string_view, std::string_view> made;
    for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
      if (tokens_[at].kind != Kind::kName || tokens_[at - 1].is(".")) continue;
      const std::string_view name = tokens_[at].text;
      if (name == "import" || name == "from") {
        at = read_import(at, bound, made);
        continue;
      }
      const bool is_statement = tokens_[at - 1].kind == Kind::kLineEnd;
      const bool is_alias = is_statement && token(at + 1).is("=") && token(at + 2).is_name("mcp") &&
                            token(at + 3).is(".") && token(at + 4).kind == Kind::kName &&
                            token(at + 5).kind == Kind::kLineEnd;
      if (is_alias && made.emplace(name, token(at + 4).text).second) continue;
      const bool is_plain_use = token(at + 1).is(".") || token(at + 1).is("[");
      if (!is_plain_use && !(name == "mcp" && !may_be_bound(at))) bound.insert(name);
    }
    for (const auto& [name, server] : made)
      if (!bound.contains(name)) servers_[name] = server;
    has_mcp_ = !bound.contains("mcp");
    bound_ = std::move(bound);
  }

  // `mcp` as a value is no matter; `mcp = …`, `for mcp in`, `as mcp` and a parameter are.
  bool may_be_bound(std::size_t at) const {
    const PythonToken& before = tokens_[at - 1];
    if (token(at + 1).is("=") || token(at + 1).is(":=") || token(at + 1).is(":")) return true;
    for (const std::string_view word : {"for", "as", "def", "class", "global", "del", "lambda"})
      if (before.is_name(word)) return true;
    // Within the brackets of a `def`.
    for (std::size_t open = at; open-- > 1 && tokens_[open].kind != Kind::kLineEnd;) {
      if (tokens_[open].is("(") && tokens_[open].match > at && tokens_[open - 1].kind == Kind::kName && open >= 2 &&
          tokens_[open - 2].is_name("def"))
        return true;
    }
    return false;
  }

  // `from mcp import files as f`; other imports bind names. Gives the statement's last token.
  std::size_t read_import(std::size_t at, std::set<std::string_view>& bound,
                          std::map<std::string_view, std::string_view>& made) {
    const bool is_ours = token(at).is_name("from") &&
                         (token(at + 1).is_name("mcp") || token(at + 1).is_name("glovebox")) &&
                         token(at + 2).is_name("import");
    std::size_t end = at;
    while (end + 1 < tokens_.size() && tokens_[end].kind != Kind::kLineEnd) ++end;
    for (std::size_t i = is_ours ? at + 3 : at + 1; i < end; ++i) {
      if (tokens_[i].kind != Kind::kName || tokens_[i].is_name("import") || tokens_[i].is_name("as")) continue;
      if (tokens_[i].is_name("mcp") || tokens_[i].is_name("MCPToolError") || tokens_[i].is_name("ApprovalDenied"))
        continue;
      const bool is_renamed = token(i + 1).is_name("as");
      const std::string_view name = is_renamed ? token(i + 2).text : tokens_[i].text;
      if (!is_ours || name == "mcp" || !made.emplace(name, tokens_[i].text).second) bound.insert(name);
      if (is_renamed) i += 2;
    }
    return end - 1;
  }

  std::optional<PythonCall> call_at(std::size_t at) {
    PythonCall call;
    const std::string_view name = tokens_[at].text;
    std::size_t next = at;
    if (name == "mcp" && has_mcp_) {
      if (!take_member(next, call.server, call.server_begin, call.server_end)) return std::nullopt;
      if (call.server == "gather" || call.server.starts_with("__")) return std::nullopt;
    } else if (const auto found = servers_.find(name); found != servers_.end()) {
      call.server = found->second;
    } else if (name != "mcp" && !bound_.contains(name) && is_server_(name)) {
      call.server = name;
    } else {
      return std::nullopt;
    }
    if (call.server_end == 0) {
      call.server_begin = tokens_[at].begin;
      call.server_end = tokens_[at].end;
    }
    if (!take_member(next, call.tool, call.tool_begin, call.tool_end)) {
      return name == "mcp" ? std::optional(std::move(call)) : std::nullopt;
    }
    if (token(next + 1).is(".") && (token(next + 2).is_name("raw") || token(next + 2).is_name("later"))) next += 2;
    const PythonToken& open = token(next + 1);
    if (!open.is("(") || open.match == 0) return call;
    call.is_call = true;
    read_arguments(next + 2, open.match, call);
    return call;
  }

  // .name or ["name"] behind the token `at`, which becomes its last one.
  bool take_member(std::size_t& at, std::string& name, std::size_t& begin, std::size_t& end) const {
    const bool is_dot = token(at + 1).is(".") && token(at + 2).kind == Kind::kName;
    const bool is_index = token(at + 1).is("[") && token(at + 2).kind == Kind::kString && token(at + 3).is("]") &&
                          token(at + 2).text.find('\\') == std::string_view::npos;
    if (!is_dot && !is_index) return false;
    name = token(at + 2).text;
    begin = token(at + 2).begin;
    end = token(at + 2).end;
    at += is_dot ? 2 : 3;
    return true;
  }

  // What lies between two tokens, in parts at commas.
  template <typename Each>
  void each_part(std::size_t from, std::size_t to, Each each) const {
    std::size_t begin = from;
    for (std::size_t at = from; at <= to; ++at) {
      if (at < to && tokens_[at].match > at) at = tokens_[at].match;
      if (at < to && !tokens_[at].is(",")) continue;
      if (begin < at) each(begin, at);
      begin = at + 1;
    }
  }

  void read_arguments(std::size_t from, std::size_t to, PythonCall& call) {
    std::size_t places = 0;
    each_part(from, to, [&](std::size_t begin, std::size_t end) {
      const PythonToken& first = tokens_[begin];
      if (first.kind == Kind::kName && begin + 1 < end && tokens_[begin + 1].is("=")) {
        return add_argument(std::string(first.text), first, begin + 2, end, call);
      }
      ++places;
      if (first.is("{") && first.match + 1 == end && places == 1) return read_dict(begin + 1, first.match, call);
      const Value value = value_of(begin, end);
      call.is_open = true;
      if (value != Value::kUnknown && value != Value::kDict) call.is_placed = true;
    });
  }

  void read_dict(std::size_t from, std::size_t to, PythonCall& call) {
    each_part(from, to, [&](std::size_t begin, std::size_t end) {
      const PythonToken& key = tokens_[begin];
      const bool is_plain = key.kind == Kind::kString && begin + 1 < end && tokens_[begin + 1].is(":") &&
                            key.text.find('\\') == std::string_view::npos && !has_loop(begin, end);
      if (!is_plain) call.is_open = true;
      if (is_plain) add_argument(std::string(key.text), key, begin + 2, end, call);
    });
  }

  bool has_loop(std::size_t begin, std::size_t end) const {
    for (std::size_t at = begin; at < end; ++at) {
      if (tokens_[at].match > at) at = tokens_[at].match;
      if (tokens_[at].is_name("for")) return true;
    }
    return false;
  }

  void add_argument(std::string name, const PythonToken& at, std::size_t begin, std::size_t end, PythonCall& call) {
    PythonArgument argument;
    argument.name = std::move(name);
    argument.begin = at.begin;
    argument.end = at.end;
    argument.value = value_of(begin, end);
    if (begin < end) {
      argument.value_begin = tokens_[begin].begin;
      argument.value_end = tokens_[end - 1].end;
      if (argument.value == Value::kText) argument.text = tokens_[begin].text;
    }
    call.arguments.push_back(std::move(argument));
  }

  Value value_of(std::size_t begin, std::size_t end) const {
    if (begin >= end) return Value::kUnknown;
    if (tokens_[begin].is("-") && begin + 1 < end) ++begin;
    const PythonToken& first = tokens_[begin];
    if (first.is("[") && first.match + 1 == end) return Value::kList;
    if (first.is("{") && first.match + 1 == end) return is_dict(begin) ? Value::kDict : Value::kUnknown;
    if (begin + 1 != end) return Value::kUnknown;
    if (first.kind == Kind::kString)
      return first.text.find('\\') == std::string_view::npos ? Value::kText : Value::kMadeText;
    if (first.kind == Kind::kFormatted) return Value::kMadeText;
    if (first.kind == Kind::kNumber) {
      const bool is_integer = first.text.find_first_not_of("0123456789_") == std::string_view::npos;
      return is_integer ? Value::kInteger : Value::kNumber;
    }
    if (first.is_name("True") || first.is_name("False")) return Value::kTruth;
    return first.is_name("None") ? Value::kNone : Value::kUnknown;
  }

  bool is_dict(std::size_t open) const {
    if (tokens_[open].match == open + 1) return true;
    for (std::size_t at = open + 1; at < tokens_[open].match; ++at) {
      if (tokens_[at].is(":") || tokens_[at].is("**")) return true;
      if (tokens_[at].match > at) at = tokens_[at].match;
    }
    return false;
  }

  std::vector<PythonToken> tokens_;
  const std::function<bool(std::string_view)>& is_server_;
  std::map<std::string_view, std::string_view> servers_;
  std::set<std::string_view> bound_;
  bool has_mcp_ = true;
};

}  // namespace

std::vector<PythonCall> python_calls(std::string_view code, const std::function<bool(std::string_view)>& is_server) {
  return Calls(code, is_server).find();
}

}  // namespace glovebox::frontend
