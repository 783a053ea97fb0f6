#include "mcp/oauth/oauth.h"

#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <boost/asio/post.hpp>
#include <chrono>

#include "base/digest.h"
#include "base/text/json_builder.h"
#include "base/wall_clock.h"
#include "mcp/client/http_fetch.h"
#include "mcp/http/http_server.h"
#include "mcp/json/base64.h"

namespace glovebox::mcp {
namespace {

constexpr std::size_t kMaxDocumentBytes = 256 * 1024;
constexpr std::chrono::seconds kStepTime{30};

Failure refused_authorization(std::string what) {
  return {ErrorCode::kInvalidArgument, "authorization: " + std::move(what)};
}

std::string sha256(std::string_view text) {
  base::Sha256 hash;
  hash.add(text);
  return std::string(base::as_text(hash.digest()));
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Result<std::string> client_assertion(std::string_view client_id, std::string_view audience,
                                     std::string_view private_key) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(
      BIO_new_mem_buf(private_key.data(), static_cast<int>(private_key.size())), BIO_free);
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  if (!key || !EVP_PKEY_is_a(key.get(), "EC")) return refused_authorization("the private key cannot be read");
  const std::int64_t now = base::now_ms() / 1000;
  base::ObjectText claims;
  claims.text("iss", client_id).text("sub", client_id).text("aud", audience).text("jti", random_token());
  claims.number("iat", now).number("exp", now + 300);
  const std::string text = base64_url(R"({"alg":"ES256","typ":"JWT"})") + "." + base64_url(claims.done());
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::string der(256, '\0');
  std::size_t size = der.size();
  if (EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) != 1 ||
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(der.data()), &size,
                     reinterpret_cast<const unsigned char*>(text.data()), text.size()) != 1)
    return refused_authorization("the private key cannot sign");
  const auto* bytes = reinterpret_cast<const unsigned char*>(der.data());
  const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> signature(
      d2i_ECDSA_SIG(nullptr, &bytes, static_cast<long>(size)), ECDSA_SIG_free);
  std::string raw(64, '\0');
  auto* out = reinterpret_cast<unsigned char*>(raw.data());
  if (!signature || BN_bn2binpad(ECDSA_SIG_get0_r(signature.get()), out, 32) != 32 ||
      BN_bn2binpad(ECDSA_SIG_get0_s(signature.get()), out + 32, 32) != 32)
    return refused_authorization("the private key is not one for ES256");
  return text + "." + base64_url(raw);
}

// Our registration with one authorization server. Never sent to another.
struct Registration {
  std::string issuer;
  std::string id;
  std::string secret;
  std::string method;  // of client authentication, if the server has named one
};

struct OAuthAuthorizer::State : std::enable_shared_from_this<State> {
  using Done = std::function<void(Result<void>)>;

  State(boost::asio::any_io_executor executor, net::HttpClient& client, OAuthOptions options)
      : executor(std::move(executor)), client(&client), options(std::move(options)) {}

  boost::asio::any_io_executor executor;
  net::HttpClient* client;
  std::unique_ptr<net::HttpSession> session;
  OAuthOptions options;

  std::string access_token;
  std::string refresh_token;
  std::string token_issuer;
  std::string granted_scope;
  Registration registration;
  std::vector<Done> waiting;

  // Of the authorization in progress.
  Challenge challenge;
  BearerChallenge asked;
  ProtectedResource resource;
  bool has_resource = false;
  AuthorizationServer server;

  void load() {
    const auto kept = parse_object(options.kept.empty() ? "{}" : options.kept);
    if (!kept) return;
    access_token = string_member(*kept, "access_token").value_or("");
    refresh_token = string_member(*kept, "refresh_token").value_or("");
    token_issuer = string_member(*kept, "issuer").value_or("");
    granted_scope = string_member(*kept, "scope").value_or("");
    if (const json::object* client_json = object_member(*kept, "client"))
      registration = {token_issuer, string_member(*client_json, "id").value_or(""),
                      string_member(*client_json, "secret").value_or(""),
                      string_member(*client_json, "method").value_or("")};
  }

  void save() const {
    if (!options.keep) return;
    json::object kept{{"access_token", access_token},
                      {"refresh_token", refresh_token},
                      {"issuer", token_issuer},
                      {"scope", granted_scope}};
    kept["client"] =
        json::object{{"id", registration.id}, {"secret", registration.secret}, {"method", registration.method}};
    options.keep(json::serialize(kept));
  }

  void finish(Result<void> result) {
    const auto callbacks = std::move(waiting);
    waiting.clear();
    for (const Done& done : callbacks) done(result);
  }
  void fail(const Failure& failure) { finish(failure); }

  void fetch(net::HttpRequest request, std::function<void(net::FetchResult<WholeResponse>)> done) {
    if (!session) return fail(refused_authorization("the sign-in is no longer waiting"));
    request.deadline = std::chrono::steady_clock::now() + kStepTime;
    fetch_whole(executor, *session, std::move(request), kMaxDocumentBytes,
                [self = shared_from_this(), done = std::move(done)](net::FetchResult<WholeResponse> response) {
                  done(std::move(response));
                });
  }

  // Fetches the first of these documents that exists.
  void fetch_first(std::vector<std::string> urls, std::function<void(std::optional<std::string>)> done) {
    if (urls.empty()) return done(std::nullopt);
    const std::string url = urls.front();
    urls.erase(urls.begin());
    if (!is_safe_endpoint(url)) return fetch_first(std::move(urls), std::move(done));
    net::HttpRequest request;
    request.url = url;
    request.headers = {{"Accept", "application/json"}};
    fetch(std::move(request), [self = shared_from_this(), urls, done](net::FetchResult<WholeResponse> response) {
      if (response && response->head.status == 200) return done(std::move(response->body));
      self->fetch_first(urls, done);
    });
  }

  void begin(Challenge given) {
    challenge = std::move(given);
    asked = parse_challenge(challenge.www_authenticate);
    has_resource = false;
    const auto parts = split_url(challenge.url);
    if (!parts || !is_safe_endpoint(challenge.url))
      return fail(refused_authorization("tokens are not sent over plain http"));
    if (!session) {
      // These addresses come from an untrusted server: they may be anywhere but in our own network, unless the server
      // is there.
      auto grants = policy::NetGrants::parse({"*"}, parts->loopback);
      if (!grants) return fail(grants.failure());
      session = client->open(std::move(grants).value());
    }
    std::vector<std::string> urls = resource_metadata_urls(challenge.url);
    if (!asked.resource_metadata.empty()) urls = {asked.resource_metadata};
    fetch_first(std::move(urls),
                [self = shared_from_this()](std::optional<std::string> text) { self->got_resource(text); });
  }

  void got_resource(const std::optional<std::string>& text) {
    std::string issuer = split_url(challenge.url)->origin;
    resource = {challenge.url, {}, {}};
    if (text) {
      auto read = read_protected_resource(*text, challenge.url);
      if (!read) return fail(read.failure());
      resource = std::move(read).value();
      has_resource = true;
      issuer = resource.authorization_servers.front();
    }
    fetch_first(issuer_metadata_urls(issuer), [self = shared_from_this(), issuer](std::optional<std::string> document) {
      if (!document && self->has_resource)
        return self->fail(refused_authorization("the authorization server has no metadata"));
      // Before 2025-06-18 a server was its own authorization server, at fixed addresses.
      auto read = document ? read_authorization_server(*document, issuer, !self->has_resource)
                           : Result<AuthorizationServer>(default_authorization_server(self->challenge.url));
      if (!read) return self->fail(read.failure());
      self->server = std::move(read).value();
      self->got_server();
    });
  }

  void got_server() {
    if (!options.issuer.empty() && without_slash(server.issuer) != without_slash(options.issuer)) {
      return fail(refused_authorization("the server names the issuer \"" + server.issuer.substr(0, 200) +
                                        "\", and the config says \"" + options.issuer + "\""));
    }
    const bool same_server = token_issuer == server.issuer;
    if (!same_server) {
      access_token.clear();
      refresh_token.clear();
      granted_scope.clear();
      if (registration.issuer != server.issuer) registration = {};
    }
    if (challenge.status == 401 && !refresh_token.empty() && registration.issuer == server.issuer) return refresh();
    identify([self = shared_from_this()] { self->options.for_itself ? self->ask_for_itself() : self->ask_person(); });
  }

  // Registers with the authorization server.
  void identify(std::function<void()> next) {
    if (!registration.id.empty() && registration.issuer == server.issuer) return next();
    if (!options.client_id.empty()) {
      registration = {server.issuer, options.client_id, options.client_secret, {}};
      return next();
    }
    if (server.client_metadata_documents && !options.client_metadata_url.empty()) {
      registration = {server.issuer, options.client_metadata_url, {}, "none"};
      return next();
    }
    if (server.registration_endpoint.empty())
      return fail(
          refused_authorization("the authorization server does not know this client and accepts no registration"));
    const bool can_be_public = server.token_auth_methods.empty() || has(server.token_auth_methods, "none");
    const std::string method = can_be_public                                           ? "none"
                               : has(server.token_auth_methods, "client_secret_basic") ? "client_secret_basic"
                                                                                       : "client_secret_post";
    net::HttpRequest request;
    request.method = "POST";
    request.url = server.registration_endpoint;
    request.redirect = net::RedirectMode::kError;
    request.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}};
    request.body = base::ObjectText()
                       .text("client_name", options.client_name)
                       .json("redirect_uris", base::ListText().text(options.redirect_uri).done())
                       .json("grant_types", R"(["authorization_code","refresh_token"])")
                       .json("response_types", R"(["code"])")
                       .text("application_type", "native")
                       .text("token_endpoint_auth_method", method)
                       .done();
    fetch(std::move(request), [self = shared_from_this(), next](net::FetchResult<WholeResponse> response) {
      if (!response) return self->fail(refused_authorization("registration failed: " + response.failure().message));
      const auto document = parse_object(response->body);
      const auto id = document ? string_member(*document, "client_id") : std::nullopt;
      if (response->head.status >= 300 || !id)
        return self->fail(refused_authorization("registration was refused with HTTP status " +
                                                std::to_string(response->head.status)));
      self->registration = {self->server.issuer, *id, string_member(*document, "client_secret").value_or(""),
                            string_member(*document, "token_endpoint_auth_method").value_or("")};
      next();
    });
  }

  // The scopes to ask for: those that the server named now, else all that it supports, and those that we had.
  std::string wanted_scope() const {
    std::string scope = asked.scope;
    if (scope.empty())
      for (const std::string& word : resource.scopes) scope = joined_scopes(scope, word);
    scope = joined_scopes(granted_scope, scope);
    if (!options.for_itself && has(server.scopes, "offline_access")) scope = joined_scopes(scope, "offline_access");
    return scope;
  }

  void ask_person() {
    if (!options.visit) return fail(refused_authorization("a person must allow this, and there is no one to ask here"));
    if (server.authorization_endpoint.empty())
      return fail(refused_authorization("the authorization server has no authorization endpoint"));
    const std::string verifier = random_token();
    const std::string state = random_token();
    const std::string scope = wanted_scope();
    std::vector<std::pair<std::string, std::string>> fields = {{"response_type", "code"},
                                                               {"client_id", registration.id},
                                                               {"redirect_uri", options.redirect_uri},
                                                               {"state", state},
                                                               {"code_challenge", base64_url(sha256(verifier))},
                                                               {"code_challenge_method", "S256"},
                                                               {"resource", resource.resource}};
    if (!scope.empty()) fields.emplace_back("scope", scope);
    const std::string url = server.authorization_endpoint +
                            (server.authorization_endpoint.find('?') == std::string::npos ? "?" : "&") +
                            form_encoded(fields);
    options.visit(url, [self = shared_from_this(), state, verifier, scope](Result<std::string> redirected) {
      if (!redirected) return self->fail(redirected.failure());
      auto code = read_authorization_code(*redirected, state, self->server);
      if (!code) return self->fail(code.failure());
      self->ask_token({{"grant_type", "authorization_code"},
                       {"code", *code},
                       {"redirect_uri", self->options.redirect_uri},
                       {"code_verifier", verifier},
                       {"resource", self->resource.resource}},
                      scope, nullptr);
    });
  }

  void ask_for_itself() {
    const std::string scope = wanted_scope();
    std::vector<std::pair<std::string, std::string>> fields = {{"grant_type", "client_credentials"},
                                                               {"resource", resource.resource}};
    if (!scope.empty()) fields.emplace_back("scope", scope);
    ask_token(std::move(fields), scope, nullptr);
  }

  void refresh() {
    const std::string token = std::exchange(refresh_token, {});
    ask_token({{"grant_type", "refresh_token"}, {"refresh_token", token}, {"resource", resource.resource}},
              granted_scope, [self = shared_from_this()] {
                self->identify([self] { self->options.for_itself ? self->ask_for_itself() : self->ask_person(); });
              });
  }

  // `otherwise` runs instead of a failure.
  void ask_token(std::vector<std::pair<std::string, std::string>> fields, const std::string& scope,
                 std::function<void()> otherwise) {
    net::HttpRequest request;
    request.method = "POST";
    request.url = server.token_endpoint;
    request.redirect = net::RedirectMode::kError;
    request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}, {"Accept", "application/json"}};
    if (!options.private_key.empty()) {
      auto assertion = client_assertion(registration.id, server.issuer, options.private_key);
      if (!assertion) return fail(assertion.failure());
      fields.emplace_back("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
      fields.emplace_back("client_assertion", std::move(assertion).value());
    } else if (registration.secret.empty() || auth_method() == "none") {
      fields.emplace_back("client_id", registration.id);
    } else if (auth_method() == "client_secret_post") {
      fields.emplace_back("client_id", registration.id);
      fields.emplace_back("client_secret", registration.secret);
    } else {
      const auto encoded = [](const std::string& text) { return form_encoded({{text, ""}}); };
      const auto plain = [&](const std::string& text) { return encoded(text).substr(0, encoded(text).size() - 1); };
      request.headers.push_back(
          {"Authorization", "Basic " + base64(plain(registration.id) + ":" + plain(registration.secret))});
    }
    request.body = form_encoded(fields);
    fetch(std::move(request), [self = shared_from_this(), scope, otherwise](net::FetchResult<WholeResponse> response) {
      const auto document = response ? parse_object(response->body)
                                     : Result<json::object>(Failure{ErrorCode::kSystem, response.failure().message});
      const auto token = document ? string_member(*document, "access_token") : std::nullopt;
      if (!response || response->head.status != 200 || !token || token->empty() ||
          token->find_first_of("\r\n ") != token->npos) {
        if (otherwise) return otherwise();
        const auto why = document ? string_member(*document, "error").value_or("") : document.failure().message;
        return self->fail(refused_authorization("no token was issued: " + why.substr(0, 200)));
      }
      self->access_token = *token;
      if (const auto refresh_text = string_member(*document, "refresh_token")) self->refresh_token = *refresh_text;
      self->token_issuer = self->server.issuer;
      self->granted_scope = string_member(*document, "scope").value_or(scope);
      self->save();
      self->finish({});
    });
  }

  std::string auth_method() const {
    if (!registration.method.empty()) return registration.method;
    const auto& methods = server.token_auth_methods;
    if (methods.empty() || has(methods, "client_secret_basic")) return "client_secret_basic";
    return has(methods, "client_secret_post") ? "client_secret_post" : "none";
  }
};

OAuthAuthorizer::OAuthAuthorizer(boost::asio::any_io_executor executor, net::HttpClient& client, OAuthOptions options)
    : state_(std::make_shared<State>(std::move(executor), client, std::move(options))) {
  state_->load();
}

OAuthAuthorizer::~OAuthAuthorizer() {
  state_->session.reset();
}

std::string OAuthAuthorizer::authorization() const {
  return state_->access_token.empty() ? std::string() : "Bearer " + state_->access_token;
}

void OAuthAuthorizer::authorize(Challenge challenge, std::function<void(Result<void>)> done) {
  const bool has_newer = authorization() != challenge.refused_value && !authorization().empty();
  if (state_->waiting.empty() && has_newer) return boost::asio::post(state_->executor, [done] { done({}); });
  state_->waiting.push_back(std::move(done));
  // Callers that arrive while an authorization is in progress share its outcome.
  if (state_->waiting.size() == 1) state_->begin(std::move(challenge));
}

}  // namespace glovebox::mcp
