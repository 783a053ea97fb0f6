#include "assembly/tokens/access_tokens.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <memory>

#include "base/characters/ascii.h"
#include "base/digest.h"
#include "base/hmac.h"
#include "base/private_folder.h"
#include "base/random.h"
#include "base/system_error.h"
#include "base/try.h"
#include "base/whole_file.h"
#include "mcp/http/http_server.h"
#include "policy/tool_rules.h"

namespace glovebox::assembly {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostFileBytes = 256 * 1024;
constexpr std::size_t kMostNameBytes = 40;
constexpr std::string_view kEnding = ".json";
constexpr std::array kRoles = {Role::kAgent, Role::kViewer, Role::kApprover, Role::kOperator};

bool is_token_name(std::string_view name) {
  return name.size() <= kMostNameBytes && base::is_word(name, "._-") && name.front() != '-';
}

std::string text_of(const AccessToken& token, const std::string& hash) {
  json::object object{{"id", token.id},           {"name", token.name},       {"role", name_of(token.role)},
                      {"created", token.created}, {"expires", token.expires}, {"hash", hash}};
  if (token.profile.narrows()) object["profile"] = policy::to_json(token.profile);
  return json::serialize(object) + "\n";
}

// Nothing for a file that this program did not write. `hash` is what the file is named by.
std::optional<AccessToken> token_in(const std::string& text, const std::string& hash) {
  try {
    const json::value tree = json::parse(text);
    const json::object& object = tree.as_object();
    const json::string& kept = object.at("hash").as_string();
    if (!base::equal_secrets(kept, hash)) return std::nullopt;
    AccessToken token;
    token.id = std::string_view(object.at("id").as_string());
    token.name = std::string_view(object.at("name").as_string());
    token.created = object.at("created").as_int64();
    token.expires = object.at("expires").as_int64();
    const auto role = role_named(std::string_view(object.at("role").as_string()));
    if (!role || !is_token_name(token.name) || !token.id.starts_with(token.name + "-")) return std::nullopt;
    token.role = *role;
    // Those that were made before there were profiles have a list of tools.
    const json::value* profile = object.if_contains("profile");
    if (!profile) profile = object.if_contains("tools");
    if (!profile) return token;
    auto narrowing = policy::client_profile_of(*profile);
    if (!narrowing) return std::nullopt;
    token.profile = std::move(narrowing).value();
    return token;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// What the folder's files are named by. None where there is no folder.
Result<std::vector<std::string>> hashes_in(const std::string& folder) {
  std::vector<std::string> hashes;
  auto opened = base::open_private_folder(folder);
  if (!opened && opened.failure().code == ErrorCode::kNotFound) return hashes;
  if (!opened) return opened.failure();
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(opened->release()), ::closedir);
  if (!entries) return base::system_failure(errno, folder);
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string_view name(entry->d_name);
    if (name.ends_with(kEnding)) hashes.emplace_back(name.substr(0, name.size() - kEnding.size()));
  }
  return hashes;
}

}  // namespace

std::string_view name_of(Role role) {
  switch (role) {
    case Role::kAgent: return "agent";
    case Role::kViewer: return "viewer";
    case Role::kApprover: return "approver";
    default: return "operator";
  }
}

std::optional<Role> role_named(std::string_view name) {
  const auto found = std::find_if(kRoles.begin(), kRoles.end(), [&](Role role) { return name_of(role) == name; });
  return found == kRoles.end() ? std::nullopt : std::optional(*found);
}

Result<std::string> AccessTokens::add(AccessToken& token) {
  if (token.name.empty()) {
    token.name = name_of(token.role);
  } else {
    for (const AccessToken& known : GLOVEBOX_TRY(list())) {
      if (known.name == token.name)
        return Failure{ErrorCode::kConflict,
                       "the name " + token.name + " is taken: revoke that token, or choose another name"};
    }
  }
  if (!is_token_name(token.name))
    return Failure{ErrorCode::kInvalidArgument,
                   "a name has at most " + std::to_string(kMostNameBytes) + " letters, digits, '.', '_' and '-'"};
  for (const std::string& pattern : token.profile.tools.value_or(std::vector<std::string>()))
    GLOVEBOX_TRY(policy::ToolPattern::parse(pattern, "/"));
  GLOVEBOX_TRY(policy::rules_of(token.profile, "/"));
  token.id = token.name + "-" + base::random_id("").substr(0, 12);
  GLOVEBOX_TRY_VOID(base::make_private_folders(folder_));
  GLOVEBOX_TRY(base::open_private_folder(folder_));
  std::string secret = mcp::random_token();
  const std::string hash = base::sha256_hex(secret);
  GLOVEBOX_TRY_VOID(base::replace_file(folder_ + "/" + hash + std::string(kEnding), text_of(token, hash), 0600));
  return secret;
}

Result<std::vector<AccessToken>> AccessTokens::list() const {
  std::vector<AccessToken> tokens;
  for (const std::string& hash : GLOVEBOX_TRY(hashes_in(folder_))) {
    const auto text = base::read_whole_file(folder_ + "/" + hash + std::string(kEnding), kMostFileBytes);
    if (!text) continue;
    if (auto token = token_in(*text, hash)) tokens.push_back(std::move(*token));
  }
  std::sort(tokens.begin(), tokens.end(), [](const AccessToken& a, const AccessToken& b) {
    return a.created != b.created ? a.created < b.created : a.id < b.id;
  });
  return tokens;
}

Result<bool> AccessTokens::revoke(const std::string& which) {
  bool any = false;
  for (const std::string& hash : GLOVEBOX_TRY(hashes_in(folder_))) {
    const std::string path = folder_ + "/" + hash + std::string(kEnding);
    const auto text = base::read_whole_file(path, kMostFileBytes);
    const auto token = text ? token_in(*text, hash) : std::nullopt;
    if (!token || (token->id != which && token->name != which)) continue;
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return base::system_failure(errno, path);
    any = true;
  }
  return any;
}

std::optional<AccessToken> AccessTokens::find(std::string_view token, std::int64_t now) const {
  if (token.empty() || !base::open_private_folder(folder_)) return std::nullopt;
  const std::string hash = base::sha256_hex(token);
  const auto text = base::read_whole_file(folder_ + "/" + hash + std::string(kEnding), kMostFileBytes);
  auto found = text ? token_in(*text, hash) : std::nullopt;
  return found && !found->is_expired(now) ? found : std::nullopt;
}

}  // namespace glovebox::assembly
