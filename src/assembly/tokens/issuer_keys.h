// Clients with an access token of the authorization server that the owner names (http.oauth of the config), and the
// keys that verify such tokens. Keys are fetched from that server only, and again when a token is signed with an
// unknown one.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/gateway_settings.h"
#include "mcp/http/caller.h"
#include "mcp/oauth/json_web_token.h"
#include "net/http_client.h"

namespace glovebox::assembly {

class IssuerKeys : public std::enable_shared_from_this<IssuerKeys> {
 public:
  static Result<std::shared_ptr<IssuerKeys>> open(boost::asio::any_io_executor executor,
                                                  const config::OauthSettings& settings);

  // An agent, where the token is believed by the keys that are known.
  std::optional<mcp::Caller> caller(std::string_view token) const;
  // Fetches keys first where this token needs others. `then` is called once, at once or a little later.
  void prepare(std::string_view token, std::function<void()> then);

  // What clients learn about us (RFC 9728), and where.
  std::string metadata() const;
  std::string metadata_url() const;

 private:
  using Clock = std::chrono::steady_clock;
  IssuerKeys(boost::asio::any_io_executor executor, config::OauthSettings settings)
      : executor_(std::move(executor)), settings_(std::move(settings)) {}
  bool needs_keys(std::string_view token) const;
  void fetch();
  void fetched(std::optional<std::vector<mcp::SigningKey>> keys);

  boost::asio::any_io_executor executor_;
  config::OauthSettings settings_;
  std::unique_ptr<net::HttpClient> client_;
  std::unique_ptr<net::HttpSession> session_;
  std::vector<mcp::SigningKey> keys_;
  std::optional<Clock::time_point> known_since_;
  std::optional<Clock::time_point> tried_;
  bool fetching_ = false;
  std::vector<std::function<void()>> waiting_;
};

}  // namespace glovebox::assembly
