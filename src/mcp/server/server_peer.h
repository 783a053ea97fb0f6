// ServerPeer: one counterpart of a server, however it is connected.
//
// Over stdio that is the process at the other end; over HTTP a session of the 2025 era, or a single request of the 2026
// era. A peer may use both eras: each request shows which one it belongs to.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/http/caller.h"
#include "mcp/json/json_tree.h"
#include "mcp/message.h"
#include "mcp/outlet.h"
#include "mcp/revision.h"
#include "mcp/server/server_types.h"

namespace glovebox::mcp {

class ServerCall;
class ServerCore;

class ServerPeer : public std::enable_shared_from_this<ServerPeer> {
 public:
  // A conversation of its own ends with the peer.
  ServerPeer(ServerCore& core, Caller caller, std::string conversation, bool owns_conversation);

  // A text from the client that should be a message. What its request leads to goes to `outlet`.
  void receive_text(std::string text, const std::shared_ptr<Outlet>& outlet);
  // A message from the client. `outlet` receives what a request leads to and may be null for anything else.
  // `traceparent` is the trace context of the transport.
  void receive(Message message, std::shared_ptr<Outlet> outlet, std::string traceparent = {});

  // Where messages go that belong to no request. Null while there is no such stream; they are dropped then.
  void set_background(std::shared_ptr<Outlet> background) { background_ = std::move(background); }

  // The server is about to end: whatever is under way is answered now.
  void end_calls();
  // The client is gone, or the server ends: whatever is under way is cancelled.
  void close();
  bool closed() const { return core_ == nullptr; }

  bool initialized() const { return !revision_.empty(); }
  const std::string& revision() const { return revision_; }  // of the 2025 era; empty before the handshake
  const std::string& principal() const { return caller_.principal; }
  NoticeLevel log_level() const { return log_level_; }
  std::size_t calls_under_way() const { return calls_.size() + listeners_.size(); }
  bool is_at_work() const;

  // A request of ours (2025 era). `call_id` is the client's request that it belongs to.
  void request(std::string_view call_id, std::string_view method, std::string_view params,
               const std::shared_ptr<Outlet>& outlet, std::function<void(Result<json::object, RpcError>)> arrived);

  // A notification that belongs to no request.
  void tell(std::string notification) {
    if (background_) background_->notify(std::move(notification));
  }
  // Something that the core offers has changed: "tools", "prompts" or "resources".
  void list_changed(std::string_view list);
  void resource_updated(std::string_view uri);

  void ended(const std::string& call_id);

 private:
  struct Listener {
    std::shared_ptr<Outlet> outlet;
    std::set<std::string, std::less<>> lists;
    std::set<std::string, std::less<>> uris;
  };
  struct Question {
    std::string call_id;
    std::shared_ptr<Outlet> outlet;
    std::function<void(Result<json::object, RpcError>)> arrived;
  };

  void receive_request(const Message& message, const std::shared_ptr<Outlet>& outlet, std::string traceparent);
  void receive_notification(const Message& message);
  void receive_answer(const Message& message);
  void initialize(const Message& message, const json::object& params, const std::shared_ptr<Outlet>& outlet);
  void listen(const Message& message, const json::object& params, const std::shared_ptr<Outlet>& outlet);
  void cancel(const std::string& call_id);
  bool serve_session_method(const Message& message, const json::object& params, const std::shared_ptr<Outlet>& outlet);

  ServerCore* core_;
  Caller caller_;
  std::string conversation_;
  bool owns_conversation_;
  std::shared_ptr<Outlet> background_;
  std::string revision_;
  std::string client_name_;
  json::object capabilities_;
  NoticeLevel log_level_ = NoticeLevel::kInfo;
  std::set<std::string, std::less<>> subscriptions_;
  std::map<std::string, std::shared_ptr<ServerCall>, std::less<>> calls_;
  std::map<std::string, Listener, std::less<>> listeners_;
  std::map<std::string, Question, std::less<>> questions_;
};

}  // namespace glovebox::mcp
