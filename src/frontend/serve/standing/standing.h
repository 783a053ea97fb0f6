// How this gateway stands, in the store: servers, pool, rates. `glovebox ui` is another process and reads it there;
// what people ask of the gateway's servers comes back the same way.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <string>

#include "frontend/serve/gateway_process.h"

namespace glovebox::frontend {

// JSON: {"servers":[…]}.
std::string standing_of(const GatewayProcess& process);

class Standing {
 public:
  // Begins at once. The process outlives it.
  explicit Standing(GatewayProcess& process);
  ~Standing();
  Standing(const Standing&) = delete;
  Standing& operator=(const Standing&) = delete;

  // Whether somebody asks something of this gateway.
  void look();

 private:
  void tell();
  void sample(std::int64_t now);

  GatewayProcess& process_;
  boost::asio::steady_timer timer_;
  std::string told_;
  std::string sampled_;
  std::int64_t sampled_at_ = 0;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

// What requests are called in the store.
inline constexpr const char* kRetryServer = "retry_server";

}  // namespace glovebox::frontend
