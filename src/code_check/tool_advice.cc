#include "code_check/tool_advice.h"

#include <algorithm>
#include <boost/json.hpp>
#include <optional>

#include "base/characters/ascii.h"
#include "catalog/names.h"
#include "code_check/tool_shapes.h"
#include "types/declarations.h"
#include "types/typescript_text.h"

namespace glovebox::code_check {
namespace {

constexpr std::string_view kNoProperty = "TS2339";
constexpr std::size_t kMostArguments = 6;
// A program with more mistakes than that needs these fixed first.
constexpr std::size_t kMostAdvised = 5;

struct Unknown {
  std::string server;  // that is known; empty: there is no such server
  std::string name;    // that is not
  bool python = false;
};

// The texts in single quotes.
std::vector<std::string> quoted_words(std::string_view message) {
  std::vector<std::string> all;
  for (std::size_t at = message.find('\''); at != message.npos && all.size() < 2; at = message.find('\'', at + 1)) {
    const std::size_t end = message.find('\'', at + 1);
    if (end == message.npos) break;
    all.emplace_back(message.substr(at + 1, end - at - 1));
    at = end;
  }
  return all;
}

// What stands before and behind the place that is marked, on its line.
struct Around {
  std::string_view before;
  std::string_view behind;
};
Around around(const Diagnostic& found) {
  const std::size_t begin = std::min(found.caret.find('^'), found.source_line.size());
  const std::size_t end = std::min(found.caret.size(), found.source_line.size());
  const std::string_view line = found.source_line;
  return {line.substr(0, begin), line.substr(std::max(begin, end))};
}

std::optional<Unknown> unknown_in(const catalog::Catalog& catalog, const Diagnostic& found) {
  const std::vector<std::string> names = quoted_words(found.message);
  if (names.empty()) return std::nullopt;
  if (found.code == kUnknownServer) return Unknown{"", names[0], true};
  if (names.size() < 2) return std::nullopt;
  if (found.code == kUnknownTool) return Unknown{names[1], names[0], true};
  if (found.code != kNoProperty) return std::nullopt;
  // The declarations call a server's type so.
  for (const std::string& server : catalog.servers())
    if (names[1] == "$" + types::plain_word(server)) return Unknown{server, names[0]};
  const bool is_server = names[1].starts_with('{') && around(found).before.ends_with("mcp.");
  return is_server ? std::optional(Unknown{"", names[0]}) : std::nullopt;
}

// get-sum, of `mcp.everything.get-sum(…)`; empty where no hyphen follows.
std::string with_hyphens(const Unknown& unknown, const Diagnostic& found) {
  std::string_view rest = around(found).behind;
  const auto is_part = [](char c) { return c == '-' || c == '_' || base::is_alnum(c); };
  rest = rest.substr(0, std::find_if_not(rest.begin(), rest.end(), is_part) - rest.begin());
  return rest.starts_with('-') ? unknown.name + std::string(rest) : "";
}

// readTextFile as words.
std::string words_of(const std::string& name) {
  std::string words;
  for (const char c : name) {
    const bool is_upper = base::is_upper(c);
    if (is_upper && !words.empty() && words.back() != ' ') words += ' ';
    words += base::is_alnum(c) ? c : ' ';
  }
  return words;
}

class Advice : public std::enable_shared_from_this<Advice> {
 public:
  Advice(std::shared_ptr<catalog::Catalog> catalog, SearchTools search, std::vector<Diagnostic> found,
         std::function<void(std::vector<Diagnostic>)> done)
      : catalog_(std::move(catalog)), search_(std::move(search)), found_(std::move(found)), done_(std::move(done)) {}

  void next() {
    for (; at_ < found_.size() && advised_ < kMostAdvised; ++at_) {
      if (found_[at_].about != Diagnostic::About::kTools) continue;
      const auto unknown = unknown_in(*catalog_, found_[at_]);
      if (!unknown) continue;
      ++advised_;
      if (!advise(*unknown, found_[at_])) return;
    }
    done_(std::move(found_));
  }

 private:
  // Whether that is done at once.
  bool advise(const Unknown& unknown, Diagnostic& found) {
    if (unknown.server.empty()) {
      found.message = "there is no server '" + unknown.name + "'" +
                      catalog::meant_among(unknown.name, catalog_->servers(), "; there are ");
      return true;
    }
    const std::string head = unknown.server + " has no tool '" + unknown.name + "'";
    if (const std::string name = with_hyphens(unknown, found); !name.empty()) {
      if (const auto tool = catalog_->known(unknown.server, name)) {
        found.message = head + "; a hyphen is a subtraction, write " + call_form(*catalog_, *tool, unknown.python);
        return true;
      }
    }
    search_(unknown.server, words_of(unknown.name),
            [self = shared_from_this(), unknown, head](const std::vector<catalog::Tool>& tools) {
              std::string& message = self->found_[self->at_].message;
              message = head;
              for (std::size_t i = 0; i < tools.size(); ++i) {
                message += (i == 0 ? "; the nearest: " : ", ") + call_form(*self->catalog_, tools[i], unknown.python);
              }
              ++self->at_;
              self->next();
            });
    return false;
  }

  std::shared_ptr<catalog::Catalog> catalog_;
  SearchTools search_;
  std::vector<Diagnostic> found_;
  std::function<void(std::vector<Diagnostic>)> done_;
  std::size_t at_ = 0;
  std::size_t advised_ = 0;
};

}  // namespace

std::string unknown_tool_message(const std::string& server, const std::string& tool) {
  return "'" + tool + "' is not a tool of '" + server + "'";
}

std::string unknown_server_message(const std::string& server) {
  return "'" + server + "' is not a server";
}

std::string call_form(const catalog::Catalog& catalog, const catalog::Tool& tool, bool python) {
  const types::ToolShape shape = shape_of(catalog, tool);
  boost::system::error_code error;
  const boost::json::value schema = boost::json::parse(tool.input_schema, error);
  std::string arguments;
  std::size_t count = 0;
  const auto* required = !error && schema.is_object() ? schema.get_object().if_contains("required") : nullptr;
  if (required && required->is_array()) {
    for (const boost::json::value& name : required->get_array()) {
      if (!name.is_string() || ++count > kMostArguments) continue;
      arguments += (arguments.empty() ? "" : ", ") + types::property_name(std::string(name.get_string())) +
                   (python ? "=..." : "");
    }
  }
  const std::string call = types::call_of(shape);
  if (python) return call + "(" + arguments + ")";
  return arguments.empty() ? call + "()" : call + "({ " + arguments + " })";
}

void advise_on_tools(const std::shared_ptr<catalog::Catalog>& catalog, const SearchTools& search,
                     std::vector<Diagnostic> found, std::function<void(std::vector<Diagnostic>)> done) {
  std::make_shared<Advice>(catalog, search, std::move(found), std::move(done))->next();
}

}  // namespace glovebox::code_check
