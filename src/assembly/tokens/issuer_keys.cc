#include "assembly/tokens/issuer_keys.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/characters/ascii.h"
#include "base/digest.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "mcp/client/http_client_transport.h"
#include "mcp/client/http_fetch.h"
#include "mcp/oauth/oauth_metadata.h"
#include "policy/net_grants.h"

namespace glovebox::assembly {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostKeyBytes = 256 * 1024;
constexpr std::chrono::seconds kFetchTime{10};
// Made-up key ids of untrusted clients cause no more fetches than this.
constexpr std::chrono::seconds kBetweenTries{10};
// A key that the issuer has withdrawn is accepted no longer than kFresh; while the issuer does not answer, no longer
// than kStale.
constexpr std::chrono::minutes kFresh{10};
constexpr std::chrono::hours kStale{1};
constexpr std::size_t kMostSubjectBytes = 40;

// For people to read; the digest distinguishes two that are displayed alike. Tokens of one subject with different
// profiles are different clients: what one of them has begun is not for the other to direct.
std::string principal_of(const std::string& issuer, const std::string& subject, const std::string& scope) {
  std::string shown = subject.substr(0, kMostSubjectBytes);
  std::erase_if(
      shown, [](char c) { return !base::is_alnum(c) && std::string_view("._-@").find(c) == std::string_view::npos; });
  const std::string whose = (scope.empty() ? "" : scope + "\n") + subject;
  return "http:oauth-" + shown + "-" + base::sha256_hex(issuer + "\n" + whose).substr(0, 16);
}

}  // namespace

Result<std::shared_ptr<IssuerKeys>> IssuerKeys::open(boost::asio::any_io_executor executor,
                                                     const config::OauthSettings& given) {
  config::OauthSettings settings = given;
  const auto issuer = mcp::split_url(settings.issuer);
  if (!issuer || !mcp::is_safe_endpoint(settings.issuer))
    return Failure{ErrorCode::kInvalidArgument, "http.oauth.issuer is an https address, or one of this machine"};
  if (!mcp::split_url(settings.audience))
    return Failure{
        ErrorCode::kInvalidArgument,
        "http.oauth.audience is the address that clients know this gateway by, such as https://gateway.example/mcp"};
  if (settings.jwks.empty()) {
    settings.jwks = settings.issuer + (settings.issuer.ends_with('/') ? "" : "/") + ".well-known/jwks.json";
  }
  const auto jwks = mcp::split_url(settings.jwks);
  if (!jwks || jwks->origin != issuer->origin)
    return Failure{ErrorCode::kInvalidArgument,
                   "http.oauth.jwks is an address of the issuer: " + issuer->origin + "/…"};
  auto grants = GLOVEBOX_TRY(policy::NetGrants::parse({GLOVEBOX_TRY(mcp::grant_for(settings.jwks))}, true));
  std::shared_ptr<IssuerKeys> keys(new IssuerKeys(std::move(executor), std::move(settings)));
  keys->client_ = net::make_http_client();
  keys->session_ = keys->client_->open(std::move(grants));
  keys->fetch();
  return keys;
}

std::optional<mcp::Caller> IssuerKeys::caller(std::string_view token) const {
  if (!known_since_ || Clock::now() - *known_since_ > kStale) return std::nullopt;
  const auto claims = mcp::verify_token(token, keys_, {settings_.issuer, settings_.audience}, base::now_ms() / 1000);
  if (!claims) return std::nullopt;
  const auto& profiles = settings_.profiles;
  const auto profile =
      std::find_if(profiles.begin(), profiles.end(), [&](const auto& one) { return claims->has_scope(one.scope); });
  const bool has_profile = profile != profiles.end();
  mcp::Caller caller;
  caller.principal = principal_of(settings_.issuer, claims->subject, has_profile ? profile->scope : "");
  // Otherwise the token is valid, but for something else: it gives no access here.
  caller.speaks_mcp =
      (settings_.scope.empty() || claims->has_scope(settings_.scope)) && (has_profile || profiles.empty());
  if (has_profile) caller.profile = *profile;
  return caller;
}

bool IssuerKeys::needs_keys(std::string_view token) const {
  if (tried_ && Clock::now() - *tried_ < kBetweenTries) return false;
  const auto claims = mcp::verify_token(token, keys_, {settings_.issuer, settings_.audience}, base::now_ms() / 1000);
  if (!claims) return claims.failure().code == ErrorCode::kNotFound;
  return !known_since_ || Clock::now() - *known_since_ > kFresh;
}

void IssuerKeys::prepare(std::string_view token, std::function<void()> then) {
  if (!fetching_ && !needs_keys(token)) return then();
  // While keys are being fetched, only requests wait whose token the new keys may verify.
  const auto claims = mcp::verify_token(token, keys_, {settings_.issuer, settings_.audience}, base::now_ms() / 1000);
  if (!claims && claims.failure().code != ErrorCode::kNotFound) return then();
  waiting_.push_back(std::move(then));
  fetch();
}

void IssuerKeys::fetch() {
  if (std::exchange(fetching_, true)) return;
  tried_ = Clock::now();
  net::HttpRequest request;
  request.method = "GET";
  request.url = settings_.jwks;
  request.headers = {{"Accept", "application/json"}};
  request.redirect = net::RedirectMode::kError;
  request.deadline = Clock::now() + kFetchTime;
  mcp::fetch_whole(executor_, *session_, std::move(request), kMostKeyBytes,
                   [weak = weak_from_this()](const net::FetchResult<mcp::WholeResponse>& response) {
                     const auto self = weak.lock();
                     if (!self) return;
                     const bool is_there = response.ok() && response->head.status == 200;
                     const auto keys = is_there
                                           ? mcp::read_key_set(response->body)
                                           : Result<std::vector<mcp::SigningKey>>(Failure{ErrorCode::kNotFound, ""});
                     self->fetched(keys ? std::optional(keys.value()) : std::nullopt);
                   });
}

void IssuerKeys::fetched(std::optional<std::vector<mcp::SigningKey>> keys) {
  fetching_ = false;
  if (keys) {
    keys_ = std::move(*keys);
    known_since_ = Clock::now();
  }
  for (const auto& then : std::exchange(waiting_, {})) then();
}

std::string IssuerKeys::metadata() const {
  json::object metadata{{"resource", settings_.audience},
                        {"authorization_servers", json::array{settings_.issuer}},
                        {"bearer_methods_supported", json::array{"header"}}};
  json::array scopes;
  if (!settings_.scope.empty()) scopes.emplace_back(settings_.scope);
  for (const policy::ClientProfile& profile : settings_.profiles)
    if (profile.scope != settings_.scope) scopes.emplace_back(profile.scope);
  if (!scopes.empty()) metadata["scopes_supported"] = std::move(scopes);
  return json::serialize(metadata);
}

std::string IssuerKeys::metadata_url() const {
  return mcp::resource_metadata_urls(settings_.audience).front();
}

}  // namespace glovebox::assembly
