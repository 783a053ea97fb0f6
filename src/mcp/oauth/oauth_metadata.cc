#include "mcp/oauth/oauth_metadata.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "base/characters/ascii.h"
#include "base/characters/percent.h"
#include "base/hmac.h"
#include "base/try.h"
#include "mcp/http/http_rules.h"

namespace glovebox::mcp {
namespace {

Failure disbelieved(std::string what) {
  return {ErrorCode::kProtocol, "authorization: " + std::move(what)};
}

std::vector<std::string> strings(const json::object& object, std::string_view key) {
  std::vector<std::string> out;
  if (const json::array* array = array_member(object, key))
    for (const json::value& item : *array)
      if (item.is_string() && out.size() < 100) out.emplace_back(item.get_string().data(), item.get_string().size());
  return out;
}

}  // namespace

std::string without_slash(std::string_view text) {
  while (!text.empty() && text.back() == '/') text.remove_suffix(1);
  return std::string(text);
}

namespace {

Result<std::string> endpoint(const json::object& document, std::string_view key, bool needed) {
  std::string url = string_member(document, key).value_or("");
  if (url.empty() && !needed) return url;
  if (!is_safe_endpoint(url)) return disbelieved("\"" + url.substr(0, 200) + "\" is not a safe " + std::string(key));
  return url;
}

}  // namespace

BearerChallenge parse_challenge(std::string_view text) {
  BearerChallenge challenge;
  if (base::lower_case(text.substr(0, 7)) != "bearer ") return challenge;
  text.remove_prefix(7);
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(" ,\t");
    const std::size_t equals = text.find('=');
    if (begin == text.npos || equals == text.npos || begin > equals) break;
    const std::string name = base::lower_case(text.substr(begin, equals - begin));
    text.remove_prefix(equals + 1);
    std::string value;
    if (!text.empty() && text.front() == '"') {
      std::size_t i = 1;
      for (; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) ++i;
        value += text[i];
      }
      text.remove_prefix(std::min(i + 1, text.size()));
    } else {
      const std::size_t end = std::min(text.find_first_of(" ,\t"), text.size());
      value = text.substr(0, end);
      text.remove_prefix(end);
    }
    if (name == "resource_metadata") challenge.resource_metadata = value;
    if (name == "scope") challenge.scope = value;
    if (name == "error") challenge.error = value;
  }
  return challenge;
}

std::optional<UrlParts> split_url(std::string_view url) {
  UrlParts parts;
  const std::size_t mark = url.find("://");
  if (mark == url.npos) return std::nullopt;  // "https" alone has a scheme and no more
  const std::string scheme = base::lower_case(url.substr(0, mark));
  if (scheme != "http" && scheme != "https") return std::nullopt;
  parts.secure = scheme == "https";
  std::string_view rest = url.substr(scheme.size() + 3);
  const std::size_t end = rest.find_first_of("/?#");
  const std::string host = base::lower_case(rest.substr(0, end));
  if (host.empty() || host.find_first_of("@ \\") != host.npos) return std::nullopt;
  rest = end == rest.npos ? std::string_view() : rest.substr(end);
  parts.origin = scheme + "://" + host;
  parts.path = std::string(rest.substr(0, rest.find_first_of("?#")));
  const std::size_t colon = host.rfind(':');
  const bool has_port = colon != host.npos && host.find(']', colon) == host.npos;
  parts.loopback = is_loopback_name(has_port ? host.substr(0, colon) : host);
  return parts;
}

bool is_safe_endpoint(std::string_view url) {
  const auto parts = split_url(url);
  return parts && (parts->secure || parts->loopback) && url.size() < 4096;
}

std::vector<std::string> resource_metadata_urls(std::string_view server_url) {
  const auto parts = split_url(server_url);
  if (!parts) return {};
  std::vector<std::string> urls;
  const std::string path = without_slash(parts->path);
  const std::string base = parts->origin + "/.well-known/oauth-protected-resource";
  if (!path.empty()) urls.push_back(base + path);
  urls.push_back(base);
  return urls;
}

std::vector<std::string> issuer_metadata_urls(std::string_view issuer) {
  const auto parts = split_url(issuer);
  if (!parts) return {};
  const std::string path = without_slash(parts->path);
  std::vector<std::string> urls = {parts->origin + "/.well-known/oauth-authorization-server" + path,
                                   parts->origin + "/.well-known/openid-configuration" + path};
  if (!path.empty()) urls.push_back(parts->origin + path + "/.well-known/openid-configuration");
  return urls;
}

bool resource_matches(std::string_view resource, std::string_view server_url) {
  const auto said = split_url(resource);
  const auto server = split_url(server_url);
  if (!said || !server || said->origin != server->origin) return false;
  const std::string path = without_slash(said->path);
  return server->path.substr(0, path.size()) == path &&
         (server->path.size() == path.size() || server->path[path.size()] == '/');
}

Result<ProtectedResource> read_protected_resource(std::string_view text, std::string_view server_url) {
  const json::object document = GLOVEBOX_TRY(parse_object(text));
  ProtectedResource resource;
  resource.resource = string_member(document, "resource").value_or("");
  if (!resource_matches(resource.resource, server_url))
    return disbelieved("the metadata is for \"" + resource.resource.substr(0, 200) + "\", which is not this server");
  resource.authorization_servers = strings(document, "authorization_servers");
  if (resource.authorization_servers.empty()) return disbelieved("the metadata names no authorization server");
  resource.scopes = strings(document, "scopes_supported");
  return resource;
}

Result<AuthorizationServer> read_authorization_server(std::string_view text, std::string_view issuer, bool guessed) {
  const json::object document = GLOVEBOX_TRY(parse_object(text));
  AuthorizationServer server;
  server.issuer = string_member(document, "issuer").value_or("");
  // Only a slash at the end is ignored: metadata does not show which of the two its address was made from.
  const auto origin = [](std::string_view url) { return split_url(url).value_or(UrlParts{}).origin; };
  const bool same = guessed ? !server.issuer.empty() && origin(server.issuer) == origin(issuer)
                            : without_slash(server.issuer) == without_slash(issuer);
  if (!same)
    return disbelieved("the metadata names the issuer \"" + server.issuer.substr(0, 200) + "\" instead of \"" +
                       std::string(issuer) + "\"");
  server.token_endpoint = GLOVEBOX_TRY(endpoint(document, "token_endpoint", true));
  server.authorization_endpoint = GLOVEBOX_TRY(endpoint(document, "authorization_endpoint", false));
  server.registration_endpoint = GLOVEBOX_TRY(endpoint(document, "registration_endpoint", false));
  server.scopes = strings(document, "scopes_supported");
  server.token_auth_methods = strings(document, "token_endpoint_auth_methods_supported");
  server.client_metadata_documents = true_member(document, "client_id_metadata_document_supported");
  server.says_issuer = true_member(document, "authorization_response_iss_parameter_supported");
  if (!server.authorization_endpoint.empty()) {
    const auto methods = strings(document, "code_challenge_methods_supported");
    if (std::find(methods.begin(), methods.end(), "S256") == methods.end())
      return disbelieved("the authorization server does not protect codes with PKCE");
  }
  return server;
}

AuthorizationServer default_authorization_server(std::string_view server_url) {
  const std::string origin = split_url(server_url).value_or(UrlParts{}).origin;
  AuthorizationServer server;
  server.issuer = origin;
  server.authorization_endpoint = origin + "/authorize";
  server.token_endpoint = origin + "/token";
  server.registration_endpoint = origin + "/register";
  return server;
}

std::map<std::string, std::string> query_of(std::string_view url) {
  std::map<std::string, std::string> fields;
  const std::size_t mark = url.find('?');
  if (mark == url.npos) return fields;
  url = url.substr(mark + 1, url.find('#') == url.npos ? url.npos : url.find('#') - mark - 1);
  while (!url.empty()) {
    const std::size_t end = std::min(url.find('&'), url.size());
    const std::string_view pair = url.substr(0, end);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string_view name = pair.substr(0, equals), value = pair.substr(std::min(equals + 1, pair.size()));
    // What is not encoded rightly stays as it is, and is compared like that.
    fields.emplace(base::form_decoded(name).value_or(std::string(name)),
                   base::form_decoded(value).value_or(std::string(value)));
    url.remove_prefix(std::min(end + 1, url.size()));
  }
  return fields;
}

Result<std::string> read_authorization_code(std::string_view redirected_to, std::string_view state,
                                            const AuthorizationServer& server) {
  const auto fields = query_of(redirected_to);
  const auto field = [&](const char* name) -> const std::string* {
    const auto found = fields.find(name);
    return found == fields.end() ? nullptr : &found->second;
  };
  if (!field("state") || !base::equal_secrets(*field("state"), state))
    return disbelieved("the answer belongs to another request");
  // Compared as text: an issuer that is equal only after normalization is a different one.
  if (field("iss") ? *field("iss") != server.issuer : server.says_issuer)
    return disbelieved("the answer is not from the authorization server that was asked");
  if (field("error")) return disbelieved("refused: " + field("error")->substr(0, 200));
  if (!field("code") || field("code")->empty()) return disbelieved("the answer has no code");
  return *field("code");
}

std::string form_encoded(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string out;
  constexpr std::string_view kPlain = "-._~";
  for (const auto& [name, value] : fields)
    out += (out.empty() ? "" : "&") + base::url_escaped(name, kPlain) + "=" + base::url_escaped(value, kPlain);
  return out;
}

std::string joined_scopes(std::string_view first, std::string_view second) {
  std::string out;
  std::set<std::string> seen;
  for (const std::string_view words : {first, second}) {
    std::istringstream stream{std::string(words)};
    for (std::string word; stream >> word;)
      if (seen.insert(word).second) out += (out.empty() ? "" : " ") + word;
  }
  return out;
}

}  // namespace glovebox::mcp
