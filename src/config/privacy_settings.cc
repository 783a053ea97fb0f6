#include "config/privacy_settings.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "base/text/json_builder.h"
#include "config/schema/setting_schemas.h"
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
    reader.refuse(offset, "has conditions on arguments, which this key cannot have");
  }
}

// Reads the members of one object of a list by their keys; all of them are texts.
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

namespace {

using ReadPrivacyKey = std::function<void(PrivacySettings&, const JsonNode&, ValueReader&)>;

ReadPrivacyKey list_of_privacy(std::vector<std::string> PrivacySettings::*field, const char* example) {
  return [=](PrivacySettings& settings, const JsonNode& node, ValueReader& reader) {
    if (auto list = reader.list(node, example)) settings.*field = std::move(*list);
  };
}

void read_restore(PrivacySettings& settings, const JsonNode& node, ValueReader& reader) {
  auto list = reader.list(node, R"(["mail:send"])", true);
  if (!list) return;
  for (const JsonNode& item : *node.as<JsonArray>())
    if (const auto* text = item.as<std::string>()) check_pattern(*text, item.offset, reader);
  settings.restore = std::move(*list);
}

const std::map<std::string, ReadPrivacyKey, std::less<>> kPrivacy = {
    {"allow", list_of_privacy(&PrivacySettings::allow, R"(["*@example.com"])")},
    {"enforce",
     [](PrivacySettings& settings, const JsonNode& node, ValueReader& reader) {
       settings.enforce = reader.word(node, {"answers", "boundary"}).value_or("");
     }},
    {"entities", list_of_privacy(&PrivacySettings::entities, R"(["EMAIL_ADDRESS"])")},
    {"mode",
     [](PrivacySettings& settings, const JsonNode& node, ValueReader& reader) {
       settings.mode = reader.word(node, {"off", "detect", "tokenize", "block"}).value_or("");
     }},
    {"restore", read_restore},
};

constexpr const char* kText = R"({"type":"string","minLength":1})";

std::string list_schema(const SchemaObject& item) {
  return base::ObjectText().text("type", "array").json("items", item.json()).done();
}

}  // namespace

void read_privacy(const JsonMember& member, PrivacySettings& settings, std::vector<JsonProblem>& problems) {
  ValueReader whole("privacy", problems);
  const JsonObject* members = whole.object(member.value, R"({"mode": "tokenize"})");
  if (!members) return;
  for (const JsonMember& part : *members) {
    ValueReader reader("privacy." + part.key, problems);
    if (const auto found = kPrivacy.find(part.key); found != kPrivacy.end()) {
      found->second(settings, part.value, reader);
    } else if (part.key == "custom") {
      read_custom(part.value, settings, problems);
    } else {
      std::vector<std::string_view> known = {"custom"};
      for (const auto& [key, read] : kPrivacy) known.push_back(key);
      problems.push_back(unknown_key("privacy", part, known));
    }
  }
}

SchemaObject privacy_schema() {
  SchemaObject schema = schema_of(kPrivacy, PrivacySettings());
  SchemaObject custom;
  custom.add("name", std::string(kText));
  custom.add("pattern", std::string(kText));
  custom.add("validate", std::string(R"({"enum":["luhn","mod97","verhoeff"]})"));
  schema.add("custom", list_schema(custom));
  return schema;
}

std::string flows_schema() {
  SchemaObject flow;
  flow.add("from", std::string(kText));
  flow.add("to", std::string(kText));
  flow.add("action", std::string(R"({"enum":["ask","deny"]})"));
  return list_schema(flow);
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
