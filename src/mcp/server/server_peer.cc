#include "mcp/server/server_peer.h"

#include <algorithm>
#include <vector>

#include "base/characters/ascii.h"
#include "base/text/json_builder.h"
#include "mcp/limits.h"
#include "mcp/server/server_call.h"
#include "mcp/server/server_core.h"

namespace glovebox::mcp {
namespace {

std::string list_notification(std::string_view list) {
  return "notifications/" + std::string(list) + "/list_changed";
}

// Parameters that name the subscription; others may follow.
base::ObjectText of_subscription(std::string_view id) {
  base::ObjectText params;
  params.json("_meta", base::ObjectText().json(kMetaSubscriptionId, id).done());
  return params;
}

bool speaks_modern(const json::object& params) {
  const json::object* meta = object_member(params, "_meta");
  return meta && (member(*meta, kMetaVersion) || member(*meta, kMetaCapabilities));
}

// The client's name, if it consists of plain characters: it is shown beside verified facts.
std::string name_in(const json::object* info) {
  constexpr std::size_t kMostNameBytes = 40;
  std::string name = info ? string_member(*info, "name").value_or("") : "";
  return base::is_word(name, " ._-/@") && name.size() <= kMostNameBytes ? name : "";
}

// Checks what a request of the modern era must say about itself, and fills in the facts.
std::optional<RpcError> read_modern_meta(const json::object& params, CallFacts& facts) {
  const json::object* meta = object_member(params, "_meta");
  const auto version = meta ? string_member(*meta, kMetaVersion) : std::nullopt;
  if (!version)
    return RpcError{
        kInvalidParams, "_meta must contain " + std::string(kMetaVersion) + "; or begin with initialize", {}};
  if (*version != kModernRevision)
    return RpcError{kUnsupportedVersion, "Unsupported protocol version",
                    base::ObjectText()
                        .json("supported", base::ListText().text(kModernRevision).done())
                        .text("requested", *version)
                        .done()};
  const json::object* capabilities = object_member(*meta, kMetaCapabilities);
  if (!capabilities) return RpcError{kInvalidParams, "_meta must contain " + std::string(kMetaCapabilities), {}};
  facts.era = Era::kModern;
  facts.revision = *version;
  facts.capabilities = *capabilities;
  facts.client_name = name_in(object_member(*meta, kMetaClientInfo));
  if (const auto level = string_member(*meta, kMetaLogLevel)) facts.log_level = log_level_named(*level);
  return std::nullopt;
}

int status_of(const RpcError& error) {
  return error.code == kMethodNotFound ? 404 : 400;
}

}  // namespace

std::optional<NoticeLevel> log_level_named(std::string_view name) {
  constexpr std::string_view kNames[] = {"debug", "info",     "notice", "warning",
                                         "error", "critical", "alert",  "emergency"};
  for (int i = 0; i < 8; ++i)
    if (kNames[i] == name) return static_cast<NoticeLevel>(i);
  return std::nullopt;
}

ServerPeer::ServerPeer(ServerCore& core, Caller caller, std::string conversation, bool owns_conversation)
    : core_(&core),
      caller_(std::move(caller)),
      conversation_(std::move(conversation)),
      owns_conversation_(owns_conversation) {}

void ServerPeer::receive_text(std::string text, const std::shared_ptr<Outlet>& outlet) {
  constexpr base::SliceOptions kOptions{.max_depth = kMaxMessageDepth, .unique_keys = true};
  auto held = std::make_unique<std::string>(std::move(text));
  auto message = Message::parse(held, kOptions);
  if (message) return receive(std::move(message).value(), outlet);
  // No one must wait for ever because of a message that could not be parsed: neither the client for its request, nor we
  // for its answer.
  const Salvaged salvaged = salvage(*held);
  std::string error = error_text(salvaged.id, {kParseError, message.failure().message, {}});
  if (!salvaged.is_answer) return outlet->send(std::move(error));
  auto in_its_place = Message::parse(std::move(error), kOptions);
  if (in_its_place) receive(std::move(in_its_place).value(), outlet);
}

void ServerPeer::receive(Message message, std::shared_ptr<Outlet> outlet, std::string traceparent) {
  if (!core_) return;
  const auto keep = shared_from_this();
  switch (message.kind()) {
    case MessageKind::kRequest: return receive_request(message, outlet, std::move(traceparent));
    case MessageKind::kNotification: return receive_notification(message);
    default: return receive_answer(message);
  }
}

void ServerPeer::receive_request(const Message& message, const std::shared_ptr<Outlet>& outlet,
                                 std::string traceparent) {
  auto parsed = message.params().empty() ? Result<json::object>(json::object()) : parse_object(message.params());
  if (!parsed) return outlet->finish(error_text(message.id(), {kInvalidParams, parsed.failure().message, {}}), 400);
  json::object params = std::move(parsed).value();
  if (calls_.contains(message.id()) || listeners_.contains(message.id()))
    return outlet->finish(
        error_text(message.id(), {kInvalidRequest, "a request with this id is already in progress", {}}), 400);
  if (calls_under_way() >= kMaxConcurrentRequests)
    return outlet->finish(error_text(message.id(), {kServerBusy, "too many requests at once", {}}), 429);

  CallFacts facts;
  facts.id = message.id();
  facts.method = message.method();
  facts.principal = caller_.principal;
  facts.conversation = conversation_;
  facts.profile = caller_.profile;
  facts.asks_owner = caller_.asks_owner;
  facts.traceparent = std::move(traceparent);
  if (speaks_modern(params) || (!initialized() && message.method() != "initialize" && message.method() != "ping")) {
    if (const auto error = read_modern_meta(params, facts))
      return outlet->finish(error_text(message.id(), *error), status_of(*error));
    if (message.method() == "subscriptions/listen") return listen(message, params, outlet);
  } else {
    if (message.method() == "initialize") return initialize(message, params, outlet);
    if (serve_session_method(message, params, outlet)) return;
    facts.revision = revision_;
    facts.capabilities = capabilities_;
    facts.client_name = client_name_;
  }
  if (const json::object* meta = object_member(params, "_meta")) {
    const json::value* token = member(*meta, "progressToken");
    if (token && (token->is_string() || token->is_int64() || token->is_uint64()))
      facts.progress_token = json::serialize(*token);
    if (facts.progress_token.size() > kMaxIdBytes) facts.progress_token.clear();
    if (auto trace = string_member(*meta, "traceparent")) facts.traceparent = std::move(*trace);
  }
  if (facts.traceparent.size() > kMaxTraceparentBytes) facts.traceparent.clear();
  facts.params = std::move(params);
  auto call = std::make_shared<ServerCall>(std::move(facts), outlet, weak_from_this(), &core_->sealer(),
                                           core_->executor(), core_->heartbeat());
  calls_.emplace(message.id(), call);
  if (call->facts().era == Era::kModern) {
    if (const auto taken = call->take_answers(); !taken) return call->fail(taken.failure());
  }
  core_->dispatch(call);
}

void ServerPeer::initialize(const Message& message, const json::object& params, const std::shared_ptr<Outlet>& outlet) {
  if (initialized()) return outlet->finish(error_text(message.id(), {kInvalidRequest, "already initialized", {}}), 400);
  const auto version = string_member(params, "protocolVersion");
  if (!version)
    return outlet->finish(error_text(message.id(), {kInvalidParams, "protocolVersion is missing", {}}), 400);
  // An unknown version is answered with the newest that has a handshake; the client decides.
  revision_ = is_legacy_revision(*version) ? *version : std::string(kNewestLegacyRevision);
  if (const json::object* capabilities = object_member(params, "capabilities")) capabilities_ = *capabilities;
  client_name_ = name_in(object_member(params, "clientInfo"));
  outlet->finish(result_text(message.id(), core_->initialize_result(revision_)), 200);
}

bool ServerPeer::serve_session_method(const Message& message, const json::object& params,
                                      const std::shared_ptr<Outlet>& outlet) {
  const auto accept = [&] { outlet->finish(result_text(message.id(), "{}"), 200); };
  const auto refuse = [&](std::string why) {
    outlet->finish(error_text(message.id(), {kInvalidParams, std::move(why), {}}), 200);
  };
  const std::string& method = message.method();
  if (method == "ping") {
    accept();
  } else if (method == "logging/setLevel") {
    const auto level = log_level_named(string_member(params, "level").value_or(""));
    if (!level) return refuse("level is not a log level"), true;
    log_level_ = *level;
    accept();
  } else if ((method == "resources/subscribe" || method == "resources/unsubscribe") && core_->offers_updates()) {
    const auto uri = string_member(params, "uri");
    if (!uri || uri->size() > kMaxNameBytes) return refuse("uri is missing or too long"), true;
    if (method == "resources/unsubscribe") {
      subscriptions_.erase(*uri);
    } else if (subscriptions_.size() >= kMaxSubscriptions) {
      return refuse("too many subscriptions"), true;
    } else {
      subscriptions_.insert(*uri);
    }
    accept();
  } else {
    return false;
  }
  return true;
}

void ServerPeer::listen(const Message& message, const json::object& params, const std::shared_ptr<Outlet>& outlet) {
  const json::object* wanted = object_member(params, "notifications");
  if (!wanted) return outlet->finish(error_text(message.id(), {kInvalidParams, "notifications is missing", {}}), 400);
  Listener listener{outlet, {}, {}};
  base::ObjectText agreed;
  for (const std::string_view list : {"tools", "prompts", "resources"}) {
    const std::string key = std::string(list) + "ListChanged";
    if (!true_member(*wanted, key) || !core_->offers(list)) continue;
    listener.lists.emplace(list);
    agreed.flag(key, true);
  }
  if (const json::array* uris = array_member(*wanted, "resourceSubscriptions"); uris && core_->offers_updates()) {
    base::ListText texts;
    for (const json::value& uri : *uris) {
      if (!uri.is_string() || uri.get_string().size() > kMaxNameBytes || listener.uris.size() >= kMaxSubscriptions)
        continue;
      listener.uris.emplace(uri.get_string().data(), uri.get_string().size());
      texts.json(json::serialize(uri));
    }
    agreed.json("resourceSubscriptions", texts.done());
  }
  listeners_.emplace(message.id(), std::move(listener));
  outlet->send(notification_text("notifications/subscriptions/acknowledged",
                                 of_subscription(message.id()).json("notifications", agreed.done()).done()));
}

void ServerPeer::receive_notification(const Message& message) {
  if (message.method() != "notifications/cancelled") return;
  const auto slices = base::JsonSlices::of(message.params(), {.max_depth = kMaxMessageDepth});
  if (slices) cancel(std::string(slices.value().raw("requestId")));
}

void ServerPeer::cancel(const std::string& call_id) {
  if (const auto call = calls_.find(call_id); call != calls_.end()) {
    const auto held = call->second;
    return held->cancel();
  }
  if (const auto listener = listeners_.find(call_id); listener != listeners_.end()) {
    const auto outlet = listener->second.outlet;
    listeners_.erase(listener);
    outlet->abandon();
  }
}

void ServerPeer::receive_answer(const Message& message) {
  const auto question = questions_.find(message.id());
  if (question == questions_.end()) return;  // late, or made up
  const auto arrived = std::move(question->second.arrived);
  questions_.erase(question);
  if (message.kind() == MessageKind::kError) {
    auto error = parse_error(message.error());
    return arrived(error ? std::move(error).value()
                         : RpcError{kInternalError, "the client's error cannot be read", {}});
  }
  auto result = parse_object(message.result());
  if (!result) return arrived(RpcError{kInvalidParams, result.failure().message, {}});
  arrived(std::move(result).value());
}

void ServerPeer::request(std::string_view call_id, std::string_view method, std::string_view params,
                         const std::shared_ptr<Outlet>& outlet,
                         std::function<void(Result<json::object, RpcError>)> arrived) {
  if (!core_) return arrived(RpcError{kInternalError, "the client is gone", {}});
  if (questions_.size() >= kMaxConcurrentRequests)
    return arrived(RpcError{kServerBusy, "too many questions at once", {}});
  if (!outlet->has_room(params.size()))
    return arrived(RpcError{kServerBusy, "the client does not read what it is sent", {}});
  const std::string id = core_->next_question_id();
  questions_.emplace(id, Question{std::string(call_id), outlet, std::move(arrived)});
  outlet->send(request_text(id, method, params));
}

void ServerPeer::ended(const std::string& call_id) {
  calls_.erase(call_id);
  // No call waits for these answers any more.
  for (auto it = questions_.begin(); it != questions_.end();) {
    if (it->second.call_id != call_id) {
      ++it;
      continue;
    }
    it->second.outlet->send(
        notification_text("notifications/cancelled", base::ObjectText().json("requestId", it->first).done()));
    it = questions_.erase(it);
  }
}

void ServerPeer::list_changed(std::string_view list) {
  if (initialized() && background_) background_->send(notification_text(list_notification(list), ""));
  for (const auto& [id, listener] : listeners_)
    if (listener.lists.contains(list))
      listener.outlet->send(notification_text(list_notification(list), of_subscription(id).done()));
}

void ServerPeer::resource_updated(std::string_view uri) {
  if (background_ && subscriptions_.contains(uri))
    background_->send(notification_text("notifications/resources/updated", base::ObjectText().text("uri", uri).done()));
  for (const auto& [id, listener] : listeners_)
    if (listener.uris.contains(uri))
      listener.outlet->send(
          notification_text("notifications/resources/updated", of_subscription(id).text("uri", uri).done()));
}

bool ServerPeer::is_at_work() const {
  return std::any_of(calls_.begin(), calls_.end(), [](const auto& item) { return item.second->is_at_work(); });
}

void ServerPeer::end_calls() {
  const auto keep = shared_from_this();
  const auto calls = calls_;
  for (const auto& [id, call] : calls)
    if (!call->done()) call->server_ends();
}

void ServerPeer::close() {
  if (!core_) return;
  const auto keep = shared_from_this();
  if (owns_conversation_) core_->conversation_ended(conversation_);
  core_ = nullptr;
  background_.reset();
  const auto questions = std::move(questions_);
  questions_.clear();
  const auto calls = std::move(calls_);
  calls_.clear();
  for (const auto& [id, call] : calls) call->cancel(true);
  // Questions of tasks, which outlive this peer.
  for (const auto& [id, question] : questions) question.arrived(RpcError{kInternalError, "the client is gone", {}});
  const auto listeners = std::move(listeners_);
  listeners_.clear();
  for (const auto& [id, listener] : listeners)
    listener.outlet->finish(
        result_text(id, base::ObjectText().text("resultType", "complete").members(of_subscription(id).done()).done()),
        200);
}

}  // namespace glovebox::mcp
