#include "config/gateway_settings.h"

#include <functional>

#include "base/json_text.h"
#include "config/value_reader.h"
#include "policy/tool_rules.h"

namespace glovebox::config {
namespace {

constexpr std::int64_t kMostCalls = 1'000'000'000;

using Read = std::function<void(GatewaySettings&, const JsonNode&, ValueReader&)>;
using Table = std::map<std::string, Read, std::less<>>;

// Reads an object by a table of its keys.
void read_object(const std::string& key, const JsonNode& node, const char* example, const Table& table,
                 GatewaySettings& settings, std::vector<JsonProblem>& problems) {
  ValueReader whole(key, problems);
  const JsonObject* members = whole.object(node, example);
  if (!members) return;
  for (const JsonMember& member : *members) {
    const auto found = table.find(member.key);
    if (found == table.end()) {
      std::vector<std::string_view> known;
      for (const auto& [name, read] : table) known.push_back(name);
      problems.push_back(unknown_key(key, member, known));
      continue;
    }
    ValueReader reader(key + "." + member.key, problems);
    found->second(settings, member.value, reader);
  }
}

template <typename Part>
Read text_into(Part GatewaySettings::*part, std::string Part::*field, const char* example) {
  return [=](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
    if (auto text = reader.text(node, example)) settings.*part.*field = std::move(*text);
  };
}

template <typename Part>
Read list_into(Part GatewaySettings::*part, std::vector<std::string> Part::*field, const char* example) {
  return [=](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
    if (auto list = reader.list(node, example)) settings.*part.*field = std::move(*list);
  };
}

Read number_into(std::optional<std::int64_t> CallLimits::*field, const char* example) {
  return [=](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
    if (const auto number = reader.number(node, kMostCalls, example)) settings.limits.*field = number;
  };
}

Read numbers_into(std::map<std::string, std::int64_t> CallLimits::*field, const char* example) {
  return [=](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
    const JsonObject* members = reader.object(node, example);
    if (!members) return;
    for (const JsonMember& member : *members) {
      const auto number = reader.number(member.value, kMostCalls, "60");
      const auto pattern = policy::ToolPattern::parse(member.key, "/");
      if (!pattern) {
        reader.refuse(member.key_offset, "is not understood: " + pattern.failure().message);
      } else if (member.key.find('(') != std::string::npos) {
        reader.refuse(member.key_offset, "has conditions on arguments, and limits have none");
      } else if (number) {
        (settings.limits.*field)[member.key] = *number;
      }
    }
  };
}

Read patterns_into(std::vector<std::string> Permissions::*field, const char* example) {
  return [=](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
    auto list = reader.list(node, example);
    if (!list) return;
    for (const JsonNode& item : *node.as<JsonArray>()) {
      const auto* text = item.as<std::string>();
      if (!text || text->empty()) continue;
      const auto pattern = policy::ToolPattern::parse(*text, "/");
      if (!pattern) reader.refuse(item.offset, "is not understood: " + pattern.failure().message);
    }
    settings.permissions.*field = std::move(*list);
  };
}

const Table kPermissions = {
    {"allow", patterns_into(&Permissions::allow, R"(["github:get_*"])")},
    {"ask", patterns_into(&Permissions::ask, R"(["github"])")},
    {"deny", patterns_into(&Permissions::deny, R"(["github:delete_*"])")},
};

const Table kStore = {
    {"path", text_into(&GatewaySettings::store, &StoreSettings::path, "\"./glovebox.db\"")},
};

const Table kHttp = {
    {"listen", text_into(&GatewaySettings::http, &HttpSettings::listen, "\"127.0.0.1:7777\"")},
    {"token", text_into(&GatewaySettings::http, &HttpSettings::token, "\"${GLOVEBOX_TOKEN}\"")},
    {"certificate", text_into(&GatewaySettings::http, &HttpSettings::certificate, "\"./cert.pem\"")},
    {"key", text_into(&GatewaySettings::http, &HttpSettings::key, "\"./key.pem\"")},
    {"allowedHosts", list_into(&GatewaySettings::http, &HttpSettings::allowed_hosts, R"(["gateway.example"])")},
    {"allowedOrigins", list_into(&GatewaySettings::http, &HttpSettings::allowed_origins, R"(["https://app.example"])")},
    {"open",
     [](GatewaySettings& settings, const JsonNode& node, ValueReader& reader) {
       if (const auto truth = reader.truth(node)) settings.http.open = *truth;
     }},
};

const Table kLimits = {
    {"callsPerRun", number_into(&CallLimits::calls_per_run, "1000")},
    {"concurrentCalls", number_into(&CallLimits::concurrent_calls, "16")},
    {"callsPerMinute", numbers_into(&CallLimits::calls_per_minute, R"({"github": 60})")},
    {"concurrentPerPattern", numbers_into(&CallLimits::concurrent_per_pattern, R"({"github": 4})")},
};

}  // namespace

bool read_gateway_setting(const JsonMember& member, GatewaySettings& settings, std::vector<JsonProblem>& problems) {
  const struct {
    std::string_view key;
    const Table& table;
    const char* example;
  } parts[] = {
      {"permissions", kPermissions, R"({"allow": ["github:get_*"]})"},
      {"store", kStore, R"({"path": "./glovebox.db"})"},
      {"http", kHttp, R"({"listen": "127.0.0.1:7777"})"},
      {"limits", kLimits, R"({"callsPerRun": 1000})"},
  };
  for (const auto& part : parts) {
    if (member.key != part.key) continue;
    read_object(member.key, member.value, part.example, part.table, settings, problems);
    return true;
  }
  return false;
}

}  // namespace glovebox::config
