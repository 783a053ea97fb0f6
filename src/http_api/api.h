// The HTTP API for people's programs and for the page: everything under /api/v1. The table is in routes.cc, and GET
// /api/v1/openapi.json describes it.
//
// It works on stores, not on a gateway: what it receives goes into the store, and the gateway that drives a run is
// woken. So it is the same in `serve --http` and in `glovebox ui`, which has no gateway.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "http_api/changes.h"
#include "http_api/role.h"
#include "http_api/routes.h"
#include "http_api/workspace_access.h"
#include "mcp/http/http_server.h"

namespace glovebox::http_api {

inline constexpr std::string_view kApiPath = "/api/v1";

struct ApiOptions {
  std::string version;
  std::vector<WorkspaceAccess> workspaces;
  // What a viewer may be shown of a body, or why nothing of it. Without it viewers see nothing.
  std::function<Result<std::string>(const std::string& principal, std::string body)> filter;
  // A token for a code that counts once. Without it there are no sessions.
  std::function<std::optional<std::string>(std::string_view code)> open_session;
  // Whether a request may take seconds: not where runs share the thread.
  bool may_take_long = false;
};

class Api {
 public:
  Api(const boost::asio::any_io_executor& executor, ApiOptions options);
  ~Api();
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;

  static bool has(std::string_view target);
  // What is answered without a token: the description, and the exchange of a code for one.
  static bool is_public(std::string_view method, std::string_view target);

  mcp::PlainResponse respond(const mcp::PlainRequest& request) const;
  // Takes the request if it is for the stream of changes or about a workspace: that is answered later.
  bool stream(const mcp::PlainRequest& request, const std::shared_ptr<mcp::HttpReply>& reply) const;

 private:
  mcp::PlainResponse respond_to(const mcp::PlainRequest& request, std::string_view path, ApiRole role) const;
  // A request that may be made, with its route; or the response that says why not.
  struct Ready {
    const Route* route = nullptr;
    std::unique_ptr<LoopRequest> request;
  };
  std::variant<mcp::PlainResponse, Ready> prepare(const mcp::PlainRequest& request, std::string_view path,
                                                  ApiRole role) const;
  mcp::PlainResponse for_role(const mcp::Caller& caller, mcp::PlainResponse response) const;
  mcp::PlainResponse about(ApiRole role) const;
  mcp::PlainResponse open_session(const mcp::PlainRequest& request) const;

  ApiOptions options_;
  boost::asio::any_io_executor executor_;
  std::shared_ptr<Changes> changes_;
};

}  // namespace glovebox::http_api
