#include "config/http/oauth_settings.h"

#include <algorithm>
#include <functional>

#include "base/text/json_builder.h"
#include "config/schema/schema_object.h"

namespace glovebox::config {
namespace {

constexpr const char* kOauthExample = R"({"issuer": "https://id.example", "audience": "https://gateway.example/mcp"})";
constexpr const char* kProfilesExample = R"([{"scope": "glovebox.read", "tools": ["github:get_*"]}])";
constexpr std::int64_t kMostCount = 1'000'000;  // as in `glovebox token new`
constexpr std::int64_t kMostMegabytes = 1 << 20;

template <typename Settings>
using MemberTable = std::map<std::string, std::function<void(Settings&, const JsonNode&, ValueReader&)>, std::less<>>;

template <typename Settings>
void read_members(const MemberTable<Settings>& table, const JsonObject& members, Settings& settings,
                  ValueReader& reader) {
  for (const JsonMember& member : members) {
    ValueReader inner = reader.of(member.key);
    if (const auto found = table.find(member.key); found != table.end()) {
      found->second(settings, member.value, inner);
    } else {
      reader.refuse(member.key_offset, "has no " + member.key);
    }
  }
}

template <typename Settings>
auto scope_into(std::string Settings::*field, const char* example) {
  return [=](Settings& settings, const JsonNode& node, ValueReader& reader) {
    auto text = reader.text(node, example);
    if (!text) return;
    if (text->find_first_of(" \t\n\"\\") != std::string::npos) reader.refuse(node.offset, "must be one word");
    settings.*field = std::move(*text);
  };
}

// An empty list counts: for `tools` it allows none.
template <typename Store>
auto profile_patterns(Store store, const char* example) {
  return [=](policy::ClientProfile& profile, const JsonNode& node, ValueReader& reader) {
    if (auto list = reader.tool_patterns(node, example)) store(profile, std::move(*list));
  };
}

template <typename Store>
auto profile_number(Store store, std::int64_t most, const char* example) {
  return [=](policy::ClientProfile& profile, const JsonNode& node, ValueReader& reader) {
    if (const auto number = reader.number(node, most, example)) store(profile, *number);
  };
}

using Profile = policy::ClientProfile;
using Patterns = std::vector<std::string>;

const MemberTable<Profile> kProfile = {
    {"scope", scope_into(&Profile::scope, "\"glovebox.read\"")},
    {"tools", profile_patterns([](Profile& to, Patterns list) { to.tools = std::move(list); }, R"(["github:get_*"])")},
    {"ask", profile_patterns([](Profile& to, Patterns list) { to.ask = std::move(list); }, R"(["files:write_file"])")},
    {"deny", profile_patterns([](Profile& to, Patterns list) { to.deny = std::move(list); }, R"(["github:delete_*"])")},
    {"timeoutMs",
     profile_number([](Profile& to, std::int64_t number) { to.timeout = std::chrono::milliseconds(number); },
                    kMostMilliseconds, "10000")},
    {"memoryMB",
     profile_number([](Profile& to, std::int64_t number) { to.memory_bytes = static_cast<std::size_t>(number) << 20; },
                    kMostMegabytes, "128")},
    {"calls", profile_number([](Profile& to, std::int64_t number) { to.calls = static_cast<std::size_t>(number); },
                             kMostCount, "100")},
    {"runs", profile_number([](Profile& to, std::int64_t number) { to.runs = static_cast<std::size_t>(number); },
                            kMostCount, "2")},
};

void read_profiles(OauthSettings& settings, const JsonNode& node, ValueReader& reader) {
  base::ObjectText list;
  list.text("type", "array").number("minItems", 1).json("items", schema_of(kProfile, Profile()).json());
  if (reader.describes(list.done(), kProfilesExample)) return;
  const auto* items = node.as<JsonArray>();
  if (!items || items->empty()) {
    reader.refuse(node.offset, std::string("must be a list, such as ") + kProfilesExample);
    return;
  }
  for (const JsonNode& one : *items) {
    Profile profile;
    if (const JsonObject* members = reader.object(one, R"({"scope": "glovebox.read"})"))
      read_members(kProfile, *members, profile, reader);
    if (profile.scope.empty()) reader.refuse(one.offset, R"(needs "scope" in each of its items)");
    const auto& known = settings.profiles;
    if (std::any_of(known.begin(), known.end(), [&](const Profile& other) { return other.scope == profile.scope; }))
      reader.refuse(one.offset, "has the scope " + profile.scope + " twice");
    settings.profiles.push_back(std::move(profile));
  }
}

auto address_into(std::string OauthSettings::*field, const char* example) {
  return [=](OauthSettings& settings, const JsonNode& node, ValueReader& reader) {
    if (auto text = reader.text(node, example)) settings.*field = std::move(*text);
  };
}

const MemberTable<OauthSettings> kOauth = {
    {"issuer", address_into(&OauthSettings::issuer, "\"https://id.example\"")},
    {"audience", address_into(&OauthSettings::audience, "\"https://gateway.example/mcp\"")},
    {"jwks", address_into(&OauthSettings::jwks, "\"https://id.example/keys\"")},
    {"scope", scope_into(&OauthSettings::scope, "\"glovebox\"")},
    {"profiles", read_profiles},
};

}  // namespace

Profile OauthSettings::profile_of(const std::string& wanted) const {
  for (const Profile& profile : profiles)
    if (profile.scope == wanted) return profile;
  Profile none;
  none.scope = wanted;
  none.tools = Patterns();
  return none;
}

OauthSettings read_oauth(const JsonNode& node, ValueReader& reader) {
  OauthSettings settings;
  if (reader.describes(schema_of(kOauth, OauthSettings()).json(), kOauthExample)) return settings;
  const JsonObject* members = reader.object(node, kOauthExample);
  if (!members) return settings;
  read_members(kOauth, *members, settings, reader);
  if (settings.issuer.empty() || settings.audience.empty())
    reader.refuse(node.offset, "needs an issuer and an audience");
  return settings;
}

}  // namespace glovebox::config
