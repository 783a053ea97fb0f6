#include "skills/skill_tools.h"

#include <algorithm>
#include <set>

#include "base/characters/ascii.h"
#include "base/text/json_builder.h"
#include "base/try.h"
#include "catalog/call/reported_failure.h"
#include "catalog/pins/definition.h"
#include "config/skill_settings.h"
#include "mcp/json/json_tree.h"
#include "skills/signature.h"

namespace glovebox::skills {
namespace {

using catalog::CallFailure;
using catalog::Tool;

constexpr std::size_t kMostFound = 500;
constexpr std::size_t kMostNames = 50;
// Of a query, which is as long as code makes it: each is looked for in every skill, on the gateway's thread.
constexpr std::size_t kMostWords = 32;
constexpr std::size_t kMostWordBytes = 64;

using Listed = ListedSkills;

constexpr const char* kSearch = "search_skills";
constexpr const char* kDescribe = "describe_function";

Tool own_tool(const char* name, const char* alias, const char* description, const char* input, const char* output) {
  Tool tool;
  tool.server = config::kSkillServer;
  tool.name = name;
  tool.alias = alias;
  tool.description = description;
  tool.input_schema = input;
  tool.output_schema = output;
  tool.annotations = R"({"readOnlyHint":true})";
  tool.hash = catalog::sha256_text(catalog::pinned_definition(tool));
  return tool;
}

bool is_own(const Tool& tool) {
  const auto& tools = own_skill_tools();
  return std::any_of(tools.begin(), tools.end(), [&](const Tool& own) {
    return own.server == tool.server && own.name == tool.name && own.hash == tool.hash;
  });
}

std::string path_of(const Tool& tool) {
  return tool.server + "." + tool.name;
}

std::string summary_of(const Tool& tool) {
  return tool.description.substr(0, tool.description.find('\n'));
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : base::lower_case(text.substr(0, kMostWords * kMostWordBytes)) + " ") {
    const bool is_part = base::is_alnum(c) || (c & 0x80);
    if (is_part) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, ""));
    }
    if (words.size() == kMostWords) break;
  }
  return words;
}

// Zero: no word of the query matches. A word in a name counts for more than one in the description.
int score(const Tool& tool, const std::vector<std::string>& query) {
  const std::pair<std::string, int> places[] = {{base::lower_case(tool.name), 3},
                                                {base::lower_case(tool.server), 2},
                                                {base::lower_case(tool.description), 1},
                                                {base::lower_case(python_signature(tool)), 1}};
  int sum = 0;
  for (const std::string& word : query) {
    for (const auto& [text, weight] : places) sum += text.find(word) != text.npos ? weight : 0;
  }
  return sum;
}

std::string search(std::vector<Tool> skills, std::string_view query) {
  const std::vector<std::string> words = words_of(query);
  std::vector<std::pair<int, const Tool*>> found;
  for (const Tool& skill : skills) {
    const int value = score(skill, words);
    if (value > 0 || words.empty()) found.emplace_back(-value, &skill);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (found.size() > kMostFound) found.resize(kMostFound);
  base::ListText list;
  for (const auto& [value, skill] : found) {
    list.json(base::ObjectText()
                  .text("path", path_of(*skill))
                  .text("signature", python_signature(*skill))
                  .text("summary", summary_of(*skill))
                  .done());
  }
  return list.done();
}

CallFailure not_found(const std::vector<Tool>& skills, const std::string& path) {
  const std::string wanted = path.substr(0, path.find('.'));
  std::set<std::string> names;
  bool is_class = false;
  for (const Tool& skill : skills) is_class = is_class || skill.server == wanted;
  for (const Tool& skill : skills) {
    if (!is_class || skill.server == wanted) names.insert(is_class ? path_of(skill) : skill.server);
  }
  std::string list;
  for (const std::string& name : names) {
    if (names.size() > kMostNames && name == *std::next(names.begin(), kMostNames)) {
      list += ", …";
      break;
    }
    list += (list.empty() ? "" : ", ") + name;
  }
  return {"TOOL_NOT_FOUND",
          "Skill not found: " + path.substr(0, 100) + ". Available: " + (list.empty() ? "none" : list), false};
}

Result<std::string, CallFailure> describe_skill(const Listed& listed, const std::string& path) {
  const std::vector<Tool>& skills = listed.skills;
  // A hidden tool by its name, or its class if that has nothing else.
  const auto speaks_of = [&](const Tool& hidden) {
    return path == path_of(hidden) || (!hidden.alias.empty() && path == hidden.server + "." + hidden.alias) ||
           (path == hidden.server &&
            std::none_of(skills.begin(), skills.end(), [&](const Tool& skill) { return skill.server == path; }));
  };
  if (std::any_of(listed.denied.begin(), listed.denied.end(), speaks_of))
    return CallFailure{"SKILL_NOT_ALLOWED", "Skill not allowed: " + path.substr(0, 100), false};
  if (std::any_of(listed.waiting.begin(), listed.waiting.end(), speaks_of)) {
    return CallFailure{"TOOL_QUARANTINED",
                       "Skill waits for approval: " + path.substr(0, 100) +
                           ". Its definition has changed, and the owner has to approve it",
                       false};
  }
  for (const Tool& skill : skills) {
    if (path_of(skill) != path && (skill.alias.empty() || skill.server + "." + skill.alias != path)) continue;
    return base::ObjectText()
        .text("path", path_of(skill))
        .text("signature", python_signature(skill))
        .text("docstring", skill.description)
        .done();
  }
  return not_found(skills, path);
}

}  // namespace

const std::vector<Tool>& own_skill_tools() {
  static const std::vector<Tool> tools = {
      own_tool(kSearch, "searchSkills",
               "Finds skills by words in their names and descriptions; without words, lists all.",
               R"({"type":"object","properties":{"query":{"type":["string","null"],"default":""}},)"
               R"("additionalProperties":false})",
               R"({"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},)"
               R"("signature":{"type":"string"},"summary":{"type":"string"}},)"
               R"("required":["path","signature","summary"]}})"),
      own_tool(kDescribe, "describeFunction", "Shows the signature and the docstring of a skill's method.",
               R"({"type":"object","properties":{"path":{"type":"string",)"
               R"("description":"As search_skills has it: TimeSkill.get_current_time"}},)"
               R"("required":["path"],"additionalProperties":false})",
               R"({"type":"object","properties":{"path":{"type":"string"},"signature":{"type":"string"},)"
               R"("docstring":{"type":"string"}},"required":["path","signature","docstring"]})"),
  };
  return tools;
}

SkillTools::SkillTools(std::shared_ptr<catalog::Catalog> catalog, catalog::ToolSource& behind, Denied denied)
    : catalog_(std::move(catalog)), behind_(behind), denied_(std::move(denied)) {}

bool SkillTools::has_skills() const {
  const auto servers = catalog_->health();
  return std::any_of(servers.begin(), servers.end(), [](const catalog::ServerHealth& server) {
    return server.classes && server.name == config::kSkillServer;
  });
}

const Tool* SkillTools::own(const std::string& server, const std::string& tool) const {
  if (server != config::kSkillServer || !has_skills()) return nullptr;
  for (const Tool& own : own_skill_tools())
    if (tool == own.name || tool == own.alias) return &own;
  return nullptr;
}

void SkillTools::find(const std::string& server, const std::string& tool, Found done) {
  const Tool* const found = own(server, tool);
  if (!found) return behind_.find(server, tool, std::move(done));
  // The list is fetched first, so that the call itself waits for nothing.
  with_skills([found, done = std::move(done)](const auto&) { done(*found); });
}

catalog::ToolSource& SkillTools::source_of(const std::string& server, const std::string& tool) {
  return own(server, tool) ? *this : behind_.source_of(server, tool);
}

std::optional<CallFailure> SkillTools::why_not(const Tool& tool, const std::string& arguments_json) {
  const auto arguments = mcp::parse_object(arguments_json.empty() ? "{}" : arguments_json);
  const std::string key = tool.name == kSearch ? "query" : "path";
  const auto wrong = [&](const std::string& why) {
    return CallFailure{"INVALID_ARGUMENTS", path_of(tool) + " does not take these arguments: " + why, false};
  };
  if (!arguments) return wrong(arguments.failure().message);
  for (const auto& member : *arguments) {
    if (member.key() != key) return wrong("it has only " + key);
    const bool is_left_out = member.value().is_null() && tool.name == kSearch;
    if (!member.value().is_string() && !is_left_out) return wrong(key + " is a text");
  }
  if (tool.name == kDescribe && arguments->empty()) return wrong("path is missing");
  return std::nullopt;
}

// As listed now; if that fails, as listed last.
void SkillTools::with_skills(std::function<void(Result<Listed, CallFailure>)> done) {
  catalog_->list_tools(config::kSkillServer, [catalog = catalog_, denied = denied_,
                                              done = std::move(done)](Result<std::vector<Tool>, CallFailure> listed) {
    Listed skills;
    for (Tool& tool : listed ? std::move(listed).value() : catalog->known_tools()) {
      if (tool.owner != config::kSkillServer || tool.state == Tool::State::kRefused) continue;
      const bool is_denied = denied && denied(tool.server, tool.name);
      const bool waits = tool.state == Tool::State::kQuarantined;
      (is_denied ? skills.denied : waits ? skills.waiting : skills.skills).push_back(std::move(tool));
    }
    // NOLINTNEXTLINE(bugprone-use-after-move): only a value has been moved
    if (skills.skills.empty() && skills.denied.empty() && skills.waiting.empty() && !listed) {
      return done(catalog::reported_failure(listed.failure()));
    }
    done(std::move(skills));
  });
}

std::function<void()> SkillTools::call(catalog::ApprovedCall approved, catalog::CallOptions, Called done) {
  GLOVEBOX_CHECK(is_own(approved.tool()));
  auto arguments = mcp::parse_object(approved.arguments().empty() ? "{}" : approved.arguments());
  const bool searches = approved.tool().name == kSearch;
  std::string word = arguments ? mcp::string_member(*arguments, searches ? "query" : "path").value_or("") : "";
  with_skills([searches, word = std::move(word), done = std::move(done)](Result<Listed, CallFailure> skills) {
    if (!skills) return done(std::move(skills).failure());
    auto answer = searches ? Result<std::string, CallFailure>(search(std::move(skills->skills), word))
                           : describe_skill(*skills, word);
    if (!answer) return done(std::move(answer).failure());
    auto text = std::make_shared<const std::string>(std::move(answer).value());
    done(catalog::ToolResult{text, *text});
  });
  // It is answered at once, or when the list is available.
  return [] {};
}

void allow_skill_tools(policy::ToolRules& rules) {
  for (const Tool& own : own_skill_tools()) {
    auto pattern = policy::ToolPattern::parse(own.server + ":" + own.name, "/");
    GLOVEBOX_CHECK(pattern.ok());
    rules.add({policy::Verdict::kAllow, std::move(pattern).value(), "built-in"});
  }
}

}  // namespace glovebox::skills
