#include "mcp/server/server_call.h"

#include <cmath>
#include <cstdio>

#include "base/digest.h"
#include "base/text/json_builder.h"
#include "mcp/limits.h"
#include "mcp/server/server_peer.h"
#include "mcp/tasks/server_task.h"

namespace glovebox::mcp {
namespace {

constexpr std::size_t kLargeResult = std::size_t{256} << 10;  // a few milliseconds of filtering

constexpr std::string_view kLevelNames[] = {"debug", "info",     "notice", "warning",
                                            "error", "critical", "alert",  "emergency"};

std::string number_text(double value) {
  if (!std::isfinite(value)) return "0";
  if (value == std::floor(value) && std::abs(value) < 1e15) return std::to_string(static_cast<long long>(value));
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

bool takes_lists(std::string_view method) {
  return method == "tools/list" || method == "prompts/list" || method == "resources/list" ||
         method == "resources/templates/list" || method == "resources/read" || method == "server/discover";
}

// Adds what the modern era requires in a result. By text, so that a result of 10 MB is not parsed for it.
std::string with_result_type(std::string_view method, std::string result) {
  const std::size_t brace = result.find('{');
  base::ObjectText added;
  added.text("resultType", "complete");
  if (takes_lists(method) && result.find("\"ttlMs\"") == result.npos)
    added.number("ttlMs", 0).text("cacheScope", "private");
  std::string head = added.done();
  head.pop_back();
  const bool empty = result.find_first_not_of(" \t\r\n", brace + 1) == result.rfind('}');
  result.replace(brace, 1, head + (empty ? "" : ","));
  return result;
}

std::string text_content(std::string_view text) {
  return base::ListText().json(base::ObjectText().text("type", "text").text("text", text).done()).done();
}

// A URL that a person is to open must not be altered: it works as a whole or not at all.
bool leads_to_url(const InputRequest& request) {
  const auto params = parse_object(request.params);
  return request.method == "elicitation/create" && params.ok() && string_member(params.value(), "mode") == "url";
}

std::string question_digest(const InputRequest& request) {
  return base::sha256_hex(request.method + "\n" + request.params);
}

}  // namespace

ServerCall::ServerCall(CallFacts facts, std::shared_ptr<Outlet> outlet, std::weak_ptr<ServerPeer> peer,
                       const StateSealer* sealer, boost::asio::any_io_executor executor,
                       std::chrono::milliseconds heartbeat)
    : facts_(std::move(facts)),
      outlet_(std::move(outlet)),
      peer_(std::move(peer)),
      sealer_(sealer),
      executor_(std::move(executor)),
      heartbeat_(heartbeat) {}

std::string_view ServerCall::argument(std::string_view name) const {
  const json::value* value = member(facts_.arguments, name);
  if (!value || !value->is_string()) return {};
  return {value->get_string().data(), value->get_string().size()};
}

void ServerCall::end() {
  // Pending notices go out before the answer.
  if (!cancelled_) tell_notices();
  notice_timer_.reset();
  alive_timer_.reset();
  done_ = true;
  on_cancel_.clear();
  on_server_end_ = nullptr;
  if (const auto peer = peer_.lock()) peer->ended(facts_.id);
}

void ServerCall::reply(std::string result) {
  if (done_) return;
  end();
  const auto finish = [self = shared_from_this()](std::string filtered) { self->send(std::move(filtered)); };
  if (!filter_) return finish(std::move(result));
  if (result.size() >= kLargeResult) return filter_->large_result(std::move(result), finish);
  finish(filter_->result(std::move(result)));
}

void ServerCall::reply(std::string result, const base::TwiceSaid& places) {
  if (!filter_ || result.size() >= kLargeResult) return reply(base::with_text(std::move(result), places));
  if (done_) return;
  end();
  send(filter_->result_said_twice(std::move(result), places));
}

void ServerCall::reply_with_own_words(std::string result) {
  if (done_) return;
  end();
  send(std::move(result));
}

void ServerCall::send(std::string result) {
  if (facts_.era == Era::kModern) result = with_result_type(facts_.method, std::move(result));
  finish(result_text(facts_.id, result), 200);
}

// An answer for which there is no room ends only this call. The connection continues, and with it every other call.
void ServerCall::finish(std::string message, int http_status) {
  if (!outlet_->has_room(message.size())) {
    const std::string why = "the answer of " + std::to_string(message.size()) +
                            " bytes was dropped: the client has not read earlier answers. Read them, then ask again; "
                            "for a run, get_run has the outcome";
    message = error_text(facts_.id, {kServerBusy, why, {}});
  }
  outlet_->finish(std::move(message), http_status);
}

void ServerCall::reply_text(std::string_view text) {
  reply(base::ObjectText().json("content", text_content(text)).done());
}

void ServerCall::reply_error(std::string_view text) {
  reply(base::ObjectText().json("content", text_content(text)).flag("isError", true).done());
}

void ServerCall::fail_as_unknown_resource() {
  fail({facts_.era == Era::kModern ? kInvalidParams : kResourceNotFound, "Resource not found",
        base::ObjectText().text("uri", facts_.name).done()});
}

void ServerCall::fail(const RpcError& error) {
  if (done_) return;
  end();
  int status = 200;
  if (facts_.era == Era::kModern) {
    if (error.code == kMethodNotFound) status = 404;
    if (error.code == kInvalidRequest || error.code == kHeaderMismatch || error.code == kMissingCapability ||
        error.code == kUnsupportedVersion)
      status = 400;
  }
  RpcError filtered = error;
  if (filter_) filtered.message = filter_->text(std::move(filtered.message));
  if (filter_ && !filtered.data.empty()) filtered.data = filter_->said(std::move(filtered.data));
  finish(error_text(facts_.id, filtered), status);
}

void ServerCall::progress(double done, std::optional<double> total, std::string_view message) {
  if (done_) return;
  if (!message.empty()) last_message_ = message_beginning(message);
  if (is_task()) tell_status(asking_ > 0);
  tell_progress(done, total, message);
}

void ServerCall::wait_for_person(std::string_view why) {
  if (done_) return;
  last_message_ = message_beginning(why);
  tell_status(true);
}

void ServerCall::tell_status(bool needs_input) {
  outlet_->set_status(needs_input, filter_ ? filter_->text(last_message_) : last_message_);
}

void ServerCall::tell_progress(double done, std::optional<double> total, std::string_view message) {
  if (facts_.progress_token.empty()) return;
  last_progress_ = done;
  notices_.progress(done, total, message);
  tell_notices_soon();
}

void ServerCall::log(NoticeLevel level, std::string_view logger, std::string_view text) {
  std::optional<NoticeLevel> least = facts_.log_level;
  if (const auto peer = peer_.lock(); peer && facts_.era == Era::kLegacy) least = peer->log_level();
  if (done_ || !least || level < *least) return;
  notices_.log(level, logger, text);
  tell_notices_soon();
}

std::string ServerCall::of_task(std::string params) const {
  return is_task() ? with_related_task(params, outlet_->task_id()) : params;
}

void ServerCall::tell_notices_soon() {
  if (!executor_ || notices_.is_full()) return tell_notices();
  if (notice_timer_) return;
  notice_timer_.emplace(executor_, kNoticeTime);
  notice_timer_->async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    if (const auto self = weak.lock(); self && !error) self->tell_notices();
  });
}

void ServerCall::tell_notices() {
  notice_timer_.reset();
  const auto filtered = [&](std::string text) { return filter_ ? filter_->text(std::move(text)) : text; };
  for (const CallNotices::Log& log : notices_.take_logs()) {
    base::ObjectText params;
    params.text("level", kLevelNames[static_cast<int>(log.level)])
        .text_if("logger", log.logger)
        .text("data", filtered(log.text.text()));
    outlet_->notify(notification_text("notifications/message", of_task(params.done())));
  }
  if (const auto progress = notices_.take_progress()) {
    base::ObjectText params;
    params.json("progressToken", facts_.progress_token).json("progress", number_text(progress->done));
    if (progress->total) params.json("total", number_text(*progress->total));
    const std::string message = progress->message.text();
    if (!message.empty()) params.text("message", filtered(message));
    outlet_->notify(notification_text("notifications/progress", of_task(params.done())));
  }
}

// A client that hears nothing for long abandons its request, and with it the form that its user is filling in.
void ServerCall::stay_alive() {
  if (!executor_ || facts_.progress_token.empty() || done_) return;
  alive_timer_.emplace(executor_, heartbeat_);
  alive_timer_->async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (error || !self || self->done_) return;
    self->tell_progress(self->last_progress_ + 1, std::nullopt,
                        self->asking_ > 0 ? "waiting for a person's answer" : self->last_message_);
    self->stay_alive();
  });
}

void ServerCall::on_cancel(std::function<void()> action) {
  if (cancelled_) return action();
  if (!done_) on_cancel_.push_back(std::move(action));
}

void ServerCall::cancel(bool client_left) {
  if (done_) return;
  const auto keep = shared_from_this();
  cancelled_ = true;
  client_left_ = client_left;
  const auto actions = std::move(on_cancel_);
  end();
  outlet_->abandon();
  for (const auto& action : actions) action();
}

void ServerCall::server_ends() {
  const auto keep = shared_from_this();
  if (const auto action = std::exchange(on_server_end_, nullptr)) action();
  if (!done_) fail({kServerBusy, std::string(kServerEnds), {}});
}

void ServerCall::release_connection() {
  if (!done_) outlet_->release();
}

void ServerCall::ask(std::vector<InputRequest> requests, std::function<void(Result<Answers, RpcError>)> next) {
  if (done_) return;
  tell_notices();
  if (requests.size() > kMaxInputRequests) return next(RpcError{kInternalError, "too many questions at once", {}});
  for (const InputRequest& request : requests) {
    if (const auto missing = missing_capability(request, facts_.capabilities))
      return next(RpcError{facts_.era == Era::kModern ? kMissingCapability : kInvalidRequest,
                           "the client cannot answer " + request.method,
                           base::ObjectText().json("requiredCapabilities", *missing).done()});
  }
  if (filter_) {
    for (InputRequest& request : requests)
      if (!leads_to_url(request)) request.params = filter_->said(std::move(request.params));
  }
  if (facts_.era == Era::kModern) return ask_by_retry(requests, next);
  ask_now(std::move(requests), std::move(next));
}

void ServerCall::ask_now(std::vector<InputRequest> requests, std::function<void(Result<Answers, RpcError>)> next) {
  const auto peer = peer_.lock();
  if (!peer) return next(RpcError{kInternalError, "the client is gone", {}});
  struct Gathering {
    Answers answers;
    std::size_t missing = 0;
    bool failed = false;
  };
  auto gathering = std::make_shared<Gathering>();
  gathering->missing = requests.size();
  if (requests.empty()) return next(Answers{});
  const auto self = shared_from_this();
  asking_ += requests.size();
  tell_status(true);
  for (InputRequest& request : requests) {
    // A client of a revision without modes assumes a form and may refuse members that it does not know.
    std::string params = request.params;
    if (facts_.revision < "2025-11-25" && params.starts_with(R"({"mode":"form",)")) params.erase(1, 14);
    params = of_task(std::move(params));
    auto arrived = [self, gathering, next, request](Result<json::object, RpcError> answer) {
      --self->asking_;
      if (self->done_ || gathering->failed) return;
      self->tell_status(self->asking_ > 0);
      if (answer) {
        if (const auto fits = check_answer(request, json::value(*answer)); !fits)
          answer = RpcError{kInvalidParams, fits.failure().message, {}};
      }
      if (!answer) {
        gathering->failed = true;
        return next(answer.failure());
      }
      gathering->answers.emplace(request.key, std::move(answer).value());
      if (--gathering->missing == 0) next(std::move(gathering->answers));
    };
    peer->request(facts_.id, request.method, params, outlet_, std::move(arrived));
  }
}

std::string ServerCall::binding() const {
  json::object salient = facts_.params;
  salient.erase("_meta");
  salient.erase("inputResponses");
  salient.erase("requestState");
  return facts_.method + "\n" + base::sha256_hex(sorted_json(json::value(std::move(salient))));
}

Result<void, RpcError> ServerCall::take_answers() {
  const json::value* state = member(facts_.params, "requestState");
  const json::value* responses = member(facts_.params, "inputResponses");
  if (state) {
    if (!state->is_string()) return RpcError{kInvalidParams, "requestState is not a string", {}};
    const std::string bound = binding();
    auto opened = sealer_->open({state->get_string().data(), state->get_string().size()}, {facts_.principal, bound},
                                std::chrono::system_clock::now());
    if (!opened) return RpcError{kInvalidParams, opened.failure().message, {}};
    auto payload = parse_object(opened.value());
    if (!payload) return RpcError{kInvalidParams, "requestState was not issued here", {}};
    if (const json::object* asked = object_member(*payload, "asked")) asked_ = *asked;
    if (const json::object* answers = object_member(*payload, "answers")) answers_ = *answers;
    note_ = string_member(*payload, "note").value_or("");
    round_ = static_cast<int>(number_member(*payload, "round").value_or(0));
  }
  if (!responses) return {};
  if (!responses->is_object()) return RpcError{kInvalidParams, "inputResponses is not an object", {}};
  for (const auto& [key, answer] : responses->get_object()) {
    if (!answer.is_object()) return RpcError{kInvalidParams, "an answer in inputResponses is not an object", {}};
    // Answers of an earlier round stay as they were sealed.
    answers_.emplace(key, answer);
  }
  return {};
}

void ServerCall::ask_by_retry(const std::vector<InputRequest>& requests,
                              const std::function<void(Result<Answers, RpcError>)>& next) {
  Answers answers;
  base::ObjectText open;
  json::object sealed;
  for (const InputRequest& request : requests) {
    const json::value* answer = member(answers_, request.key);
    const std::string digest = question_digest(request);
    const bool was_asked = string_member(asked_, request.key) == digest;
    if (answer && (was_asked || request.accepts_unasked) && check_answer(request, *answer)) {
      answers.emplace(request.key, answer->get_object());
      asked_[request.key] = digest;
      continue;
    }
    answers_.erase(request.key);
    asked_[request.key] = digest;
    open.json(request.key, base::ObjectText().text("method", request.method).json("params", request.params).done());
  }
  if (open.empty()) return next(std::move(answers));
  if (round_ >= kMaxInputRounds) return next(RpcError{kInvalidRequest, "too many rounds of questions", {}});
  // Only answers to asked questions are kept: a client cannot answer the questions of later rounds in advance.
  for (auto it = answers_.begin(); it != answers_.end();) it = asked_.contains(it->key()) ? it + 1 : answers_.erase(it);
  sealed["asked"] = asked_;
  sealed["answers"] = answers_;
  sealed["note"] = note_;
  sealed["round"] = round_ + 1;
  const std::string payload = json::serialize(sealed);
  if (payload.size() > kMaxRequestStateBytes) return next(RpcError{kInvalidRequest, "the answers are too long", {}});
  const std::string bound = binding();
  const std::string state =
      sealer_->seal(payload, {facts_.principal, bound}, std::chrono::system_clock::now() + kRequestStateLifetime);
  end();
  base::ObjectText result;
  result.text("resultType", "input_required").json("inputRequests", open.done()).text("requestState", state);
  finish(result_text(facts_.id, result.done()), 200);
}

}  // namespace glovebox::mcp
