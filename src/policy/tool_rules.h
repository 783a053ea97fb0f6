// Which tool calls are made, which need approval, which are refused: `permissions` of a config file.
//
//   *   server   server:*   server:prefix_*   server:tool   server:tool(path=./out/**, mode=append)
//   server:tool(only path=./out/**)   without any other argument; (only): without arguments
//
// Deny wins; then the more specific pattern; then ask over allow. A call that no rule matches needs approval. Names are
// those of the server and the tool themselves, compared byte by byte: aliases are resolved before. An allow with
// conditions does not apply to a call that names a file of Glovebox itself.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "glovebox/result.h"
#include "policy/argument_glob.h"
#include "policy/own_arguments.h"

namespace glovebox::policy {

enum class Verdict { kAllow, kAsk, kDeny };
std::string_view name_of(Verdict verdict);  // allow, ask, deny

// The arguments of a call, or nothing when they are not a JSON object or contain a key twice: parsers differ in which
// they take.
Result<boost::json::object> parse_arguments(std::string_view json);

class ToolPattern {
 public:
  // `folder` is the base of relative paths in conditions: absolute and normal.
  static Result<ToolPattern> parse(std::string_view text, std::string_view folder);

  const std::string& text() const { return text_; }
  bool matches_name(std::string_view server, std::string_view tool) const;
  // `arguments` is null where they could not be parsed.
  bool matches(std::string_view server, std::string_view tool, const boost::json::object* arguments,
               Reading reading) const;

  bool has_conditions() const { return !conditions_.empty(); }

  // How much of a call it specifies; the greater is the more specific.
  using Specificity = std::tuple<int, std::size_t, std::size_t, std::size_t>;
  Specificity specificity() const;

 private:
  enum class Kind { kAll, kServer, kPrefix, kTool };
  struct Condition {
    std::vector<std::string> path;  // a.b: the member b of the member a
    ArgumentGlob glob;
  };
  static Result<std::vector<Condition>> parse_conditions(std::string_view text, std::string_view folder);
  bool speaks_of_all(const boost::json::object& arguments) const;
  static bool holds(const Condition& condition, const boost::json::object& arguments, Reading reading);

  std::string text_;
  Kind kind_ = Kind::kAll;
  std::string server_;
  std::string tool_;  // kPrefix: without the star
  std::vector<Condition> conditions_;
  bool only_ = false;  // calls with arguments that no condition names do not match
};

// A pattern that matches this tool alone; fails where the name has characters that patterns cannot express.
Result<std::string> pattern_of(std::string_view server, std::string_view tool);

struct ToolRule {
  Verdict verdict = Verdict::kAsk;
  ToolPattern pattern;
  std::string origin;  // config, run, session, …: for people
};

struct ToolDecision {
  Verdict verdict = Verdict::kAsk;
  std::string rule;  // the pattern that decided; empty: none matches
  std::string origin;
  struct Match {
    Verdict verdict;
    std::string pattern;
    std::string origin;
  };
  std::vector<Match> matches;  // the one that decided first, then by weight
  std::string explanation;     // a sentence, and a line for each match
};

struct PermissionTexts {
  std::vector<std::string> allow;
  std::vector<std::string> ask;
  std::vector<std::string> deny;
};

class ToolRules {
 public:
  ToolRules() = default;  // every call needs approval
  static Result<ToolRules> parse(const PermissionTexts& texts, std::string_view folder);

  void add(ToolRule rule) { rules_.push_back(std::move(rule)); }
  const std::vector<ToolRule>& all() const { return rules_; }
  // Files of ours beside those that are recognized by name.
  void set_own(OwnFiles own) { own_ = std::move(own); }
  const OwnFiles& own() const { return own_; }

  ToolDecision decide(std::string_view server, std::string_view tool, std::string_view arguments_json) const;

 private:
  std::vector<ToolRule> rules_;
  OwnFiles own_;
};

}  // namespace glovebox::policy
