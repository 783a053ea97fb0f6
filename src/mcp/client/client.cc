#include "mcp/client/client.h"

#include <boost/asio/post.hpp>
#include <set>

#include "base/text/json_builder.h"
#include "base/text/json_text.h"
#include "mcp/limits.h"
#include "mcp/tasks/client_tasks.h"

namespace glovebox::mcp {
namespace {

constexpr int kMaxOpenQuestions = 64;

std::string info_json(const Implementation& info) {
  return base::ObjectText().text("name", info.name).text("version", info.version).text_if("title", info.title).done();
}

// A view either way: of its argument, or of a constant.
std::string_view text_or(std::string_view raw, std::string_view otherwise) {
  return raw.empty() ? otherwise : raw;
}

// Errors that only a server of the modern era returns.
bool is_modern_error(const RequestFailure& failure) {
  return failure.error && (failure.error->code == kHeaderMismatch || failure.error->code == kMissingCapability ||
                           failure.error->code == kUnsupportedVersion);
}

bool supports_modern(const RpcError& error) {
  return error.data.find("\"" + std::string(kModernRevision) + "\"") != error.data.npos;
}

}  // namespace

std::shared_ptr<Client> Client::create(boost::asio::any_io_executor executor,
                                       std::unique_ptr<ClientTransport> transport, ConnectionOptions options) {
  std::shared_ptr<Client> client(new Client(std::move(executor), std::move(transport), std::move(options)));
  const std::weak_ptr<Client> weak = client;
  client->transport_->start({.on_message =
                                 [weak](Message message) {
                                   if (const auto held = weak.lock()) held->received(std::move(message));
                                 },
                             .on_failed =
                                 [weak](const std::string& id, RequestFailure failure) {
                                   if (const auto held = weak.lock()) held->end(id, std::move(failure));
                                 },
                             .on_closed =
                                 [weak](RequestFailure failure) {
                                   if (const auto held = weak.lock()) held->transport_closed(std::move(failure));
                                 }});
  return client;
}

Client::Client(boost::asio::any_io_executor executor, std::unique_ptr<ClientTransport> transport,
               ConnectionOptions options)
    : executor_(std::move(executor)), transport_(std::move(transport)), options_(std::move(options)) {
  if (auto capabilities = parse_object(options_.capabilities)) capabilities_ = std::move(capabilities).value();
}

Client::~Client() {
  transport_->close();
}

void Client::connect(std::function<void(Result<ServerDescription, RequestFailure>)> done) {
  if (options_.era == EraChoice::kLegacy) return initialize(std::move(done));
  discover(std::move(done), false);
}

void Client::discover(std::function<void(Result<ServerDescription, RequestFailure>)> done, bool retried) {
  era_ = Era::kModern;
  revision_in_use_ = std::string(kModernRevision);
  const bool may_fall_back = options_.era == EraChoice::kAuto;
  RequestOptions options{.timeout = may_fall_back ? options_.discover_timeout : options_.connect_timeout};
  call("server/discover", "", options,
       [self = shared_from_this(), done, retried, may_fall_back](Result<CallReply, RequestFailure> reply) {
         if (!reply) {
           const RequestFailure& failure = reply.failure();
           const bool answered = failure.kind == RequestFailureKind::kAnswered;
           if (answered && failure.error->code == kUnsupportedVersion && supports_modern(*failure.error) && !retried)
             return self->discover(done, true);
           const bool silent = failure.kind == RequestFailureKind::kTimeout;
           const bool refused =
               failure.kind == RequestFailureKind::kHttp && failure.http_status >= 400 && failure.http_status < 500;
           const bool old = (answered && (!is_modern_error(failure) || failure.error->code == kUnsupportedVersion)) ||
                            silent || refused;
           if (may_fall_back && old) return self->initialize(done);
           return done(failure);
         }
         const auto slices = base::JsonSlices::of(reply->result(), {.max_depth = kMaxMessageDepth});
         if (!slices) return done(protocol_failure(slices.failure().message));
         if (slices->raw("supportedVersions").find("\"" + std::string(kModernRevision) + "\"") ==
             std::string_view::npos) {
           if (may_fall_back) return self->initialize(done);
           return done(RequestFailure{
               RequestFailureKind::kNotSupported, "the server does not speak " + std::string(kModernRevision), {}, 0});
         }
         ServerDescription& server = self->server_;
         server = {Era::kModern, std::string(kModernRevision), std::string(text_or(slices->raw("capabilities"), "{}")),
                   std::string(text_or(slices->raw("serverInfo"), "{}")), slices->text("instructions")};
         if (const auto meta =
                 base::JsonSlices::of(text_or(slices->raw("_meta"), "{}"), {.max_depth = kMaxMessageDepth});
             meta && meta->has(kMetaServerInfo))
           server.info = std::string(meta->raw(kMetaServerInfo));
         done(server);
       });
}

void Client::initialize(std::function<void(Result<ServerDescription, RequestFailure>)> done) {
  era_ = Era::kLegacy;
  revision_in_use_.clear();
  std::string params = base::ObjectText()
                           .text("protocolVersion", kNewestLegacyRevision)
                           .json("capabilities", options_.capabilities)
                           .json("clientInfo", info_json(options_.info))
                           .done();
  call("initialize", std::move(params), {.timeout = options_.connect_timeout},
       [self = shared_from_this(), done](Result<CallReply, RequestFailure> reply) {
         if (!reply) return done(reply.failure());
         const auto slices = base::JsonSlices::of(reply->result(), {.max_depth = kMaxMessageDepth});
         if (!slices) return done(protocol_failure(slices.failure().message));
         const auto revision = base::unquote(slices->raw("protocolVersion"));
         if (!revision) return done(protocol_failure("the server did not say which revision it speaks"));
         if (!is_legacy_revision(*revision))
           return done(RequestFailure{RequestFailureKind::kNotSupported,
                                      "the server speaks " + *revision + ", which this client does not support",
                                      {},
                                      0});
         self->server_ = {Era::kLegacy, *revision, std::string(text_or(slices->raw("capabilities"), "{}")),
                          std::string(text_or(slices->raw("serverInfo"), "{}")), slices->text("instructions")};
         self->revision_in_use_ = *revision;
         self->notify("notifications/initialized", "");
         self->transport_->established([self, done] { done(self->server_); });
       });
}

CallId Client::call(std::string method, std::string params, RequestOptions options, CallCallback done) {
  Pending pending;
  pending.method = std::move(method);
  pending.params = std::move(params);
  pending.options = std::move(options);
  pending.done = std::move(done);
  return start(std::move(pending));
}

CallId Client::call_tool(const std::string& name, std::string arguments, RequestOptions options, CallCallback done) {
  Pending pending;
  pending.method = "tools/call";
  base::ObjectText params, meta;
  params.text("name", name).json("arguments", text_or(arguments, "{}"));
  meta.text_if("glovebox/idempotencyKey", options.idempotency_key).text_if("traceparent", options.traceparent);
  if (!meta.empty()) params.json("_meta", meta.done());
  if (!options.traceparent.empty()) pending.fields.emplace_back("traceparent", options.traceparent);
  pending.begins_task = can_be_task(name);
  if (pending.begins_task) params.json("task", base::ObjectText().number("ttl", kTaskTime.count()).done());
  pending.params = params.done();
  pending.options = std::move(options);
  pending.done = std::move(done);
  const auto mirrored = mirrored_.find(name);
  if (era_ == Era::kModern && mirrored != mirrored_.end() && !mirrored->second.empty()) {
    if (const auto tree = parse_object(text_or(arguments, "{}"))) {
      for (const MirroredArgument& argument : mirrored->second)
        if (const auto value = mirrored_value(argument, *tree))
          pending.fields.emplace_back("Mcp-Param-" + argument.header, header_value(*value));
    }
  }
  return start(std::move(pending));
}

CallId Client::start(Pending pending) {
  const CallId call = pending.call ? pending.call : next_call_++;
  pending.call = call;
  const std::string id = std::to_string(next_id_++);
  const bool full = pending_.size() >= kMaxConcurrentRequests * 8;
  auto& kept = pending_[id] = std::move(pending);
  kept.timer = std::make_unique<AnswerTimer>(executor_);
  boost::asio::post(executor_, [self = shared_from_this(), id, full] {
    const auto found = self->pending_.find(id);
    if (found == self->pending_.end()) return;
    if (self->closed_) return self->end(id, {RequestFailureKind::kClosed, "the connection is closed", {}, 0});
    if (full) return self->end(id, {RequestFailureKind::kProtocol, "too many calls at once", {}, 0});
    self->send(id, found->second);
  });
  return call;
}

void Client::send(const std::string& id, Pending& pending) {
  const auto slices = base::JsonSlices::of(text_or(pending.params, "{}"), {.max_depth = kMaxMessageDepth});
  if (!slices) return end(id, protocol_failure("the parameters are not an object: " + slices.failure().message));
  OutgoingMessage message;
  message.id = id;
  message.method = pending.method;
  message.era = era_;
  message.revision = revision_in_use_;
  message.fields = pending.fields;
  const bool by_uri = pending.method == "resources/read";
  if (by_uri || pending.method == "tools/call" || pending.method == "prompts/get")
    if (auto name = base::unquote(text_or(slices->raw(by_uri ? "uri" : "name"), "")))
      message.name = std::move(name).value();
  message.text = request_text(id, pending.method, with_meta(pending, id, *slices));
  arm(id);
  transport_->send(std::move(message));
}

std::string Client::with_meta(const Pending& pending, const std::string& id, const base::JsonSlices& slices) const {
  const bool wants_progress = static_cast<bool>(pending.options.on_progress);
  if (era_ == Era::kLegacy && !wants_progress) return pending.params;
  base::ObjectText out, meta;
  for (const auto& [key, value] : slices.all())
    if (key != "_meta") out.json(key, value);
  std::set<std::string_view> ours = {"progressToken"};
  if (era_ == Era::kModern) ours.insert({kMetaVersion, kMetaClientInfo, kMetaCapabilities});
  if (const auto given = base::JsonSlices::of(text_or(slices.raw("_meta"), "{}"), {.max_depth = kMaxMessageDepth}))
    for (const auto& [key, value] : given->all())
      if (!ours.contains(key)) meta.json(key, value);
  if (era_ == Era::kModern)
    meta.text(kMetaVersion, revision_in_use_)
        .json(kMetaClientInfo, info_json(options_.info))
        .json(kMetaCapabilities, options_.capabilities);
  if (wants_progress) meta.json("progressToken", id);
  return out.json("_meta", meta.done()).done();
}

void Client::arm(const std::string& id) {
  const auto found = pending_.find(id);
  if (found == pending_.end() || found->second.endless) return;
  found->second.timer->start(found->second.options.timeout, [weak = weak_from_this(), id] {
    const auto self = weak.lock();
    if (!self) return;
    const auto late = self->pending_.find(id);
    if (late == self->pending_.end()) return;
    // The server waits for a person, and so do we.
    if (self->open_questions_ > 0 && late->second.waited < self->options_.question_timeout) {
      late->second.waited += late->second.options.timeout;
      return self->arm(id);
    }
    const auto seconds = std::chrono::duration<double>(late->second.options.timeout).count();
    std::string text;
    base::append_json_millis(text, seconds);
    self->give_up_task(id, late->second);
    const bool is_notified = self->transport_->forget(id);
    if (!is_notified && late->second.method != "initialize")
      self->notify("notifications/cancelled",
                   base::ObjectText().json("requestId", id).text("reason", "timeout").done());
    self->end(id,
              {RequestFailureKind::kTimeout, "no answer to " + late->second.method + " within " + text + " s", {}, 0});
  });
}

void Client::end(const std::string& id, RequestFailure failure) {
  const auto found = pending_.find(id);
  if (found == pending_.end()) return;
  const CallCallback done = std::move(found->second.done);
  pending_.erase(found);
  if (done) done(std::move(failure));
}

void Client::cancel(CallId call) {
  for (const auto& [id, pending] : pending_) {
    if (pending.call != call) continue;
    const std::string held = id;
    give_up_task(held, pending);
    if (!transport_->forget(held)) notify("notifications/cancelled", base::ObjectText().json("requestId", held).done());
    return end(held, {RequestFailureKind::kCancelled, "cancelled", {}, 0});
  }
}

void Client::notify(std::string_view method, std::string_view params) {
  if (closed_) return;
  OutgoingMessage message;
  message.method = std::string(method);
  message.era = era_;
  message.revision = revision_in_use_;
  message.text = notification_text(method, params);
  transport_->send(std::move(message));
}

void Client::received(Message message) {
  const auto keep = shared_from_this();
  switch (message.kind()) {
    case MessageKind::kRequest: return asked(message);
    case MessageKind::kNotification:
      if (message.params().size() <= kMaxServerNoticeBytes) notified(message);
      return;
    default: return answered(std::move(message));
  }
}

void Client::answered(Message message) {
  const auto found = pending_.find(message.id());
  // A response to no pending request: late, repeated or made up.
  if (found == pending_.end()) return answered_too_late(message);
  if (message.kind() == MessageKind::kError) {
    auto error = parse_error(message.error());
    if (!error) return end(message.id(), protocol_failure(error.failure().message));
    const std::string text = error->message;
    return end(message.id(), {RequestFailureKind::kAnswered, text, std::move(error).value(), 0});
  }
  Pending pending = std::move(found->second);
  pending_.erase(found);
  pending.timer->cancel();
  if (era_ == Era::kModern && pending.options.answer_questions &&
      message.result().find("\"input_required\"") != std::string_view::npos) {
    const auto slices = base::JsonSlices::of(message.result(), {.max_depth = kMaxMessageDepth});
    if (slices && slices->raw("resultType") == "\"input_required\"") return input_required(std::move(pending), message);
  }
  if (pending.begins_task && follow_task(pending, message)) return;
  if (pending.done) pending.done(CallReply(std::move(message)));
}

void Client::input_required(Pending pending, const Message& message) {
  const auto refuse = [&](std::string why) {
    if (pending.done) pending.done(RequestFailure{RequestFailureKind::kProtocol, std::move(why), {}, 0});
  };
  if (++pending.rounds > kMaxInputRounds) return refuse("the server asks too many questions");
  if (message.result().size() > kMaxServerQuestionBytes) return refuse("the server's questions are too long");
  auto result = parse_object(message.result());
  if (!result) return refuse(result.failure().message);
  const json::value* state = member(*result, "requestState");
  const json::object* requests = object_member(*result, "inputRequests");
  if ((!state && !requests) ||
      (state && (!state->is_string() || state->get_string().size() > 2 * kMaxRequestStateBytes)) ||
      (requests && requests->size() > kMaxInputRequests))
    return refuse("the server's questions cannot be read");

  // It is pending under its next id, so that it can be cancelled like any other.
  const std::string id = std::to_string(next_id_++);
  struct Gathering {
    std::map<std::string, std::string> answers;
    std::size_t missing = 0;
  };
  auto gathering = std::make_shared<Gathering>();
  gathering->missing = requests ? requests->size() : 0;
  const std::string sealed = state ? json::serialize(*state) : "";
  const bool asks = requests != nullptr;
  const QuestionHandler ask = pending.options.on_question ? pending.options.on_question : options_.on_question;
  Pending& asking = pending_[id] = std::move(pending);
  asking.timer->start(options_.question_timeout, [weak = weak_from_this(), id] {
    if (const auto self = weak.lock())
      self->end(id, {RequestFailureKind::kTimeout, "no answer to the server's question in time", {}, 0});
  });
  const auto go_on = [self = shared_from_this(), id, gathering, sealed, asks] {
    const auto waiting = self->pending_.find(id);
    if (waiting == self->pending_.end()) return;
    const base::JsonSlices slices =
        base::JsonSlices::of(text_or(waiting->second.params, "{}"), {.max_depth = kMaxMessageDepth}).value();
    base::ObjectText params, responses;
    for (const auto& [key, value] : slices.all())
      if (key != "inputResponses" && key != "requestState") params.json(key, value);
    for (const auto& [key, answer] : gathering->answers) responses.json(key, answer);
    if (asks) params.json("inputResponses", responses.done());
    waiting->second.params = params.json_if("requestState", sealed).done();
    self->send(id, waiting->second);
  };
  if (gathering->missing == 0) return boost::asio::post(executor_, go_on);
  const json::object questions = *requests;
  const auto method_of = [](const json::value& question) {
    const json::object* object = question.if_object();
    return object ? string_member(*object, "method").value_or("") : std::string();
  };
  for (const auto& [key, question] : questions) {
    const std::string method = method_of(question);
    if (!declares(method) || !ask)
      return end(id, {RequestFailureKind::kNotSupported,
                      "the server asks for " + method.substr(0, 100) + ", which this client does not offer",
                      {},
                      0});
  }
  for (const auto& [raw_key, question] : questions) {
    const std::string key(raw_key.data(), raw_key.size());
    const std::string method = method_of(question);
    const json::value* params = member(question.get_object(), "params");
    ask(method, params ? json::serialize(*params) : "{}",
        [self = shared_from_this(), id, key, gathering, go_on,
         once = std::make_shared<bool>(false)](Result<std::string, RpcError> answer) {
          if (std::exchange(*once, true)) return;
          if (!answer)
            return self->end(id, {RequestFailureKind::kNotSupported, answer.failure().message, answer.failure(), 0});
          gathering->answers[key] = *answer;
          if (--gathering->missing == 0) go_on();
        });
  }
}

bool Client::declares(std::string_view method) const {
  if (method == "roots/list") return object_member(capabilities_, "roots");
  if (method == "sampling/createMessage") return object_member(capabilities_, "sampling");
  return method == "elicitation/create" && object_member(capabilities_, "elicitation");
}

void Client::asked(const Message& message) {
  const auto reply = [weak = weak_from_this(), id = message.id()](std::string text) {
    const auto self = weak.lock();
    if (!self || self->closed_) return;
    OutgoingMessage answer;
    answer.text = std::move(text);
    answer.revision = self->revision_in_use_;
    answer.era = self->era_;
    self->transport_->send(std::move(answer));
  };
  const std::string& id = message.id();
  if (message.method() == "ping") return reply(result_text(id, "{}"));
  if (era_ == Era::kModern || !declares(message.method()) || !options_.on_question)
    return reply(error_text(id, {kMethodNotFound, "this client does not offer " + message.method(), {}}));
  if (message.params().size() > kMaxServerQuestionBytes)
    return reply(error_text(id, {kInvalidParams, "the question is too long", {}}));
  if (open_questions_ >= kMaxOpenQuestions)
    return reply(error_text(id, {kServerBusy, "too many questions at once", {}}));
  ++open_questions_;
  options_.on_question(
      message.method(), text_or(message.params(), "{}"),
      [weak = weak_from_this(), reply, id, once = std::make_shared<bool>(false)](Result<std::string, RpcError> answer) {
        if (std::exchange(*once, true)) return;
        if (const auto self = weak.lock()) --self->open_questions_;
        reply(answer ? result_text(id, *answer) : error_text(id, answer.failure()));
      });
}

void Client::notified(const Message& message) {
  if (message.method() == "notifications/progress") {
    const auto params = parse_object(message.params());
    if (!params) return;
    const json::value* token = member(*params, "progressToken");
    const auto found = token ? with_progress_token(json::serialize(*token)) : pending_.end();
    const auto progress = number_member(*params, "progress");
    if (found == pending_.end() || !found->second.options.on_progress || !progress) return;
    const std::string id = found->first;
    const auto on_progress = found->second.options.on_progress;
    arm(id);
    return on_progress(*progress, number_member(*params, "total"), string_member(*params, "message").value_or(""));
  }
  if (message.method() == "notifications/cancelled") {
    // A subscription that the server ends; requests of the server's own have no id of ours.
    const auto slices = base::JsonSlices::of(message.params(), {.max_depth = kMaxMessageDepth});
    const auto found = slices ? pending_.find(slices->raw("requestId")) : pending_.end();
    if (found != pending_.end() && found->second.endless)
      end(found->first, {RequestFailureKind::kClosed, "the server has ended the subscription", {}, 0});
    return;
  }
  if (options_.on_notification) options_.on_notification(message.method(), message.params());
}

CallId Client::listen(std::string filter, std::function<void(RequestFailure)> done) {
  Pending pending;
  pending.method = "subscriptions/listen";
  pending.params = base::ObjectText().json("notifications", filter).done();
  pending.endless = true;
  pending.done = [done = std::move(done)](Result<CallReply, RequestFailure> reply) {
    done(reply ? RequestFailure{RequestFailureKind::kClosed, "the server has ended the subscription", {}, 0}
               : reply.failure());
  };
  return start(std::move(pending));
}

void Client::transport_closed(RequestFailure failure) {
  if (closed_) return;
  closed_ = true;
  const auto keep = shared_from_this();
  const auto pending = std::move(pending_);
  pending_.clear();
  for (const auto& [id, call] : pending)
    if (call.done) call.done(failure);
  if (options_.on_closed) options_.on_closed(std::move(failure));
}

void Client::close() {
  if (closed_) return;
  closed_ = true;
  transport_->close();
  const auto keep = shared_from_this();
  const auto pending = std::move(pending_);
  pending_.clear();
  for (const auto& [id, call] : pending)
    if (call.done) call.done(RequestFailure{RequestFailureKind::kClosed, "the connection was closed", {}, 0});
}

}  // namespace glovebox::mcp
