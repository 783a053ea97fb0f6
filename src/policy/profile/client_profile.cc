#include "policy/profile/client_profile.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/try.h"

namespace glovebox::policy {
namespace {

namespace json = boost::json;

const Failure kNotAProfile{ErrorCode::kProtocol, "this is not a client profile"};

json::array list_of(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

Result<std::vector<std::string>> texts_of(const json::value& list) {
  if (!list.is_array()) return kNotAProfile;
  std::vector<std::string> texts;
  for (const json::value& text : list.get_array()) {
    if (!text.is_string()) return kNotAProfile;
    texts.emplace_back(std::string_view(text.get_string()));
  }
  return texts;
}

Result<std::int64_t> limit_of(const json::value& number) {
  if (!number.is_int64() || number.get_int64() < 1) return kNotAProfile;
  return number.get_int64();
}

Result<void> read_member(std::string_view key, const json::value& value, ClientProfile& profile) {
  if (key == "tools") {
    profile.tools = GLOVEBOX_TRY(texts_of(value));
  } else if (key == "ask") {
    profile.ask = GLOVEBOX_TRY(texts_of(value));
  } else if (key == "deny") {
    profile.deny = GLOVEBOX_TRY(texts_of(value));
  } else if (key == "timeoutMs") {
    profile.timeout = std::chrono::milliseconds(GLOVEBOX_TRY(limit_of(value)));
  } else if (key == "memoryBytes") {
    profile.memory_bytes = static_cast<std::size_t>(GLOVEBOX_TRY(limit_of(value)));
  } else if (key == "calls") {
    profile.calls = static_cast<std::size_t>(GLOVEBOX_TRY(limit_of(value)));
  } else if (key == "runs") {
    profile.runs = static_cast<std::size_t>(GLOVEBOX_TRY(limit_of(value)));
  } else if (key == "scope" && value.is_string()) {
    profile.scope = std::string_view(value.get_string());
  } else {
    return kNotAProfile;
  }
  return {};
}

}  // namespace

void ClientProfile::tighten(SandboxConfig& config) const {
  // Without a limit of its own, CPU time is limited by the timeout, so it is lowered with it.
  if (timeout) config.timeout = std::min(config.timeout, *timeout);
  if (timeout && config.cpu) config.cpu = std::min(*config.cpu, *timeout);
  if (memory_bytes) config.memory_bytes = std::min(config.memory_bytes, *memory_bytes);
  if (calls) config.max_tool_calls = std::min(config.max_tool_calls, *calls);
}

Result<ToolRules> rules_of(const ClientProfile& profile, std::string_view folder) {
  ToolRules rules;
  const auto add = [&](Verdict verdict, const std::vector<std::string>& patterns) -> Result<void> {
    for (const std::string& text : patterns)
      rules.add({verdict, GLOVEBOX_TRY(ToolPattern::parse(text, folder)), "the client's token"});
    return {};
  };
  GLOVEBOX_TRY_VOID(add(Verdict::kAllow, {"*"}));
  GLOVEBOX_TRY_VOID(add(Verdict::kAsk, profile.ask));
  GLOVEBOX_TRY_VOID(add(Verdict::kDeny, profile.deny));
  return rules;
}

json::value to_json(const ClientProfile& profile) {
  json::object object;
  if (profile.tools) object["tools"] = list_of(*profile.tools);
  if (!profile.ask.empty()) object["ask"] = list_of(profile.ask);
  if (!profile.deny.empty()) object["deny"] = list_of(profile.deny);
  if (profile.timeout) object["timeoutMs"] = profile.timeout->count();
  const auto number = [&](const char* key, const std::optional<std::size_t>& limit) {
    if (limit) object[key] = static_cast<std::int64_t>(*limit);
  };
  number("memoryBytes", profile.memory_bytes);
  number("calls", profile.calls);
  number("runs", profile.runs);
  if (!profile.scope.empty()) object["scope"] = profile.scope;
  return object;
}

Result<ClientProfile> client_profile_of(const json::value& json) {
  ClientProfile profile;
  if (json.is_array()) {
    profile.tools = GLOVEBOX_TRY(texts_of(json));
    return profile;
  }
  if (!json.is_object()) return kNotAProfile;
  for (const auto& member : json.get_object())
    GLOVEBOX_TRY_VOID(read_member(std::string_view(member.key()), member.value(), profile));
  return profile;
}

}  // namespace glovebox::policy
