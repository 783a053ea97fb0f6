#include "config/privacy_settings.h"

#include <algorithm>
#include <array>

#include "config/value_reader.h"
#include "policy/tool_rules.h"

namespace glovebox::config {
namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

void check_pattern(const std::string& text, std::size_t offset, ValueReader& reader) {
  const auto pattern = policy::ToolPattern::parse(text, "/");
  if (!pattern) {
    reader.refuse(offset, "is not understood: " + pattern.failure().message);
  } else if (text.find('(') != std::string::npos) {
    reader.refuse(offset, "has conditions on arguments, and this key has none");
  }
}

// Reads the texts of one object of a list by their keys; all of them texts.
template <std::size_t N>
void read_texts(const std::string& path, const JsonNode& node, const char* example,
                const std::array<std::pair<std::string_view, std::string*>, N>& fields,
                std::vector<JsonProblem>& problems) {
  ValueReader whole(path, problems);
  const JsonObject* members = whole.object(node, example);
  if (!members) return;
  for (const JsonMember& member : *members) {
    const auto field =
        std::find_if(fields.begin(), fields.end(), [&](const auto& known) { return known.first == member.key; });
    if (field == fields.end()) {
      std::array<std::string_view, N> known{};
      for (std::size_t i = 0; i < N; ++i) known[i] = fields[i].first;
      problems.push_back(unknown_key(path, member, known));
      continue;
    }
    ValueReader reader(path + "." + member.key, problems);
    if (auto text = reader.text(member.value, "\"…\"")) *field->second = std::move(*text);
  }
}

constexpr const char* kCustomExample = R"([{"name": "EMPLOYEE", "pattern": "EMP-[0-9]{6}"}])";
constexpr const char* kFlowsExample = R"([{"from": "crm:*", "to": "slack:*", "action": "ask"}])";

void read_custom(const JsonNode& node, PrivacySettings& settings, std::vector<JsonProblem>& problems) {
  ValueReader reader("privacy.custom", problems);
  const auto* items = node.as<JsonArray>();
  if (!items) {
    reader.refuse(node.offset, std::string("must be a list, such as ") + kCustomExample);
    return;
  }
  for (const JsonNode& item : *items) {
    PrivacySettings::Custom custom;
    const std::array<std::pair<std::string_view, std::string*>, 3> fields = {
        {{"name", &custom.name}, {"pattern", &custom.pattern}, {"validate", &custom.validate}}};
    read_texts("privacy.custom", item, kCustomExample, fields, problems);
    if (custom.name.empty() || custom.pattern.empty()) {
      reader.refuse(item.offset, R"(needs "name" and "pattern")");
    } else if (!custom.validate.empty() && !is_one_of(custom.validate, {"luhn", "mod97", "verhoeff"})) {
      reader.refuse(item.offset, R"(has a "validate" that is not "luhn", "mod97" or "verhoeff")");
    } else {
      settings.custom.push_back(std::move(custom));
    }
  }
}

}  // namespace

void read_privacy(const JsonMember& member, PrivacySettings& settings, std::vector<JsonProblem>& problems) {
  ValueReader whole("privacy", problems);
  const JsonObject* members = whole.object(member.value, R"({"mode": "tokenize"})");
  if (!members) return;
  constexpr std::string_view kKnown[] = {"allow", "custom", "entities", "mode", "restore"};
  for (const JsonMember& part : *members) {
    ValueReader reader("privacy." + part.key, problems);
    if (part.key == "mode") {
      auto mode = reader.text(part.value, "\"tokenize\"");
      if (mode && !is_one_of(*mode, {"off", "detect", "tokenize", "block"}))
        reader.refuse(part.value.offset, R"(must be "off", "detect", "tokenize" or "block")");
      settings.mode = mode.value_or("");
    } else if (part.key == "entities") {
      settings.entities = reader.list(part.value, R"(["EMAIL_ADDRESS"])").value_or(settings.entities);
    } else if (part.key == "allow") {
      settings.allow = reader.list(part.value, R"(["*@example.com"])").value_or(settings.allow);
    } else if (part.key == "restore") {
      auto list = reader.list(part.value, R"(["mail:send"])", true);
      if (!list) continue;
      for (const JsonNode& item : *part.value.as<JsonArray>())
        if (const auto* text = item.as<std::string>()) check_pattern(*text, item.offset, reader);
      settings.restore = std::move(*list);
    } else if (part.key == "custom") {
      read_custom(part.value, settings, problems);
    } else {
      problems.push_back(unknown_key("privacy", part, kKnown));
    }
  }
}

void read_flows(const JsonMember& member, std::vector<FlowRule>& flows, std::vector<JsonProblem>& problems) {
  ValueReader reader("flows", problems);
  const auto* items = member.value.as<JsonArray>();
  if (!items) {
    reader.refuse(member.value.offset, std::string("must be a list, such as ") + kFlowsExample);
    return;
  }
  for (const JsonNode& item : *items) {
    FlowRule rule;
    const std::array<std::pair<std::string_view, std::string*>, 3> fields = {
        {{"from", &rule.from}, {"to", &rule.to}, {"action", &rule.action}}};
    const std::size_t before = problems.size();
    read_texts("flows", item, kFlowsExample, fields, problems);
    if (problems.size() != before) continue;
    if (rule.from.empty() || rule.to.empty()) {
      reader.refuse(item.offset, R"(needs "from" and "to")");
    } else if (!is_one_of(rule.action, {"ask", "deny"})) {
      reader.refuse(item.offset, R"(has an "action" that is not "ask" or "deny")");
    } else {
      check_pattern(rule.from, item.offset, reader);
      check_pattern(rule.to, item.offset, reader);
      flows.push_back(std::move(rule));
    }
  }
}

}  // namespace glovebox::config
