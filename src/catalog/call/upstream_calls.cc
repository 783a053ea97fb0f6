// Upstream's calls: queued, sent, answered.
#include <algorithm>
#include <boost/asio/post.hpp>

#include "catalog/call/call_failure.h"
#include "catalog/call/call_time.h"
#include "catalog/call/reported_failure.h"
#include "catalog/call/tool_result.h"
#include "catalog/entry/server_entry.h"
#include "catalog/offers/built_in_tools.h"
#include "catalog/offers/roots.h"
#include "catalog/upstream/upstream.h"

namespace glovebox::catalog {
namespace {

Result<ToolResult, CallFailure> value_of(mcp::CallReply reply, const Tool& tool, const mcp::Schema* output) {
  auto result = is_built_in(tool.name) ? built_in_result(tool.name, std::move(reply))
                                       : tool_result(std::move(reply), text_form(tool.output_schema));
  if (result) result->mismatch = mismatch_of(output, result->json);
  return result;
}

}  // namespace

Upstream::CallId Upstream::call(PermittedCall permitted, CallOptions options, std::shared_ptr<const mcp::Schema> output,
                                ToolSource::Called done) {
  const CallId id = next_call_++;
  calls_[id] = {id, std::make_unique<const PermittedCall>(std::move(permitted)), std::move(options), std::move(output),
                std::move(done)};
  send_next_soon();
  return id;
}

void Upstream::send_next_soon() {
  boost::asio::post(context_->executor, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->send_next();
  });
}

// Queued calls have not been sent, so they may wait for a server that has to be started, or started again.
void Upstream::send_next() {
  const auto in_line = [this] {
    std::vector<CallId> ids;
    for (const auto& [id, call] : calls_)
      if (!call.under_way && !call.cancelled) ids.push_back(id);
    return ids;
  };
  if (can_send()) {
    for (const CallId id : in_line()) {
      // A call that is refused now ends, and its caller may have changed anything by then.
      if (!can_send() || under_way_ >= context_->options.limits.max_calls_per_server) return;
      if (const auto call = calls_.find(id); call != calls_.end()) send(call->second);
    }
    return;
  }
  if (line_waits_ || in_line().empty()) return;
  line_waits_ = true;
  want([weak = weak_from_this(), in_line](const std::optional<CallFailure>& failure) {
    const auto self = weak.lock();
    if (!self) return;
    self->line_waits_ = false;
    if (!failure) return self->send_next();
    for (const CallId id : in_line()) self->finish(id, *failure);
  });
}

void Upstream::send(Call& call) {
  if (call.cancelled) return;
  const auto name = events_.on_send(*call.permitted);
  if (!name) return finish(call.id, name.failure());
  ++under_way_;
  mcp::RequestOptions options;
  options.timeout = call_time(spec_, call.options).limit;
  options.on_progress = call.options.on_progress;
  options.idempotency_key = call.options.idempotency_key;
  options.traceparent = call.options.caller.traceparent;
  options.on_question = [weak = weak_from_this(), id = call.id](std::string_view method, std::string_view params,
                                                                mcp::AnswerCallback answer) {
    const auto self = weak.lock();
    if (!self) return answer(mcp::RpcError{mcp::kInternalError, "there is no client to ask", {}});
    const auto found = self->calls_.find(id);
    self->ask(found == self->calls_.end() ? nullptr : &found->second, method, params, answer);
  };
  auto done = [weak = weak_from_this(), id = call.id](auto reply) {
    if (const auto self = weak.lock()) self->answered(id, std::move(reply));
  };
  const std::string_view method = built_in_method(*name);
  const std::string& arguments = call.permitted->arguments();
  call.under_way = method.empty() ? client_->call_tool(*name, arguments, std::move(options), std::move(done))
                                  : client_->call(std::string(method), arguments, std::move(options), std::move(done));
}

void Upstream::answered(CallId id, Result<mcp::CallReply, mcp::RequestFailure> reply) {
  const bool lost = !reply && reply.failure().kind == mcp::RequestFailureKind::kSessionLost;
  // All calls of a lost session end one after the other; at the first of them it is known how many there were.
  if (lost && lost_generation_ != generation_) {
    lost_generation_ = generation_;
    lost_alone_ = under_way_ == 1 && !said_cancelled_;
  }
  --under_way_;
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  Call& call = found->second;
  const bool is_answered = reply || reply.failure().kind == mcp::RequestFailureKind::kAnswered;
  if (!is_answered && left_.size() < 2) left_.insert(call.options.caller.principal);
  if (reply) {
    failures_ = 0;
    return finish(id, value_of(std::move(reply).value(), call.permitted->tool(), call.output.get()));
  }
  // A server that has forgotten our session has refused this request unseen. That is certain only if it was the only
  // one in progress.
  if (lost && lost_alone_ && !call.repeated) {
    call.repeated = true;
    call.under_way = 0;
    return send_next_soon();
  }
  const CallFailure failure = call_failure(spec_.name, reply.failure(), call_time(spec_, call.options).key);
  // A server that cannot be reached is reconnected with the next use.
  if (reply.failure().kind == mcp::RequestFailureKind::kUnreachable && under_way_ == 0)
    boost::asio::post(context_->executor, [weak = weak_from_this(), generation = generation_, failure] {
      const auto self = weak.lock();
      if (self && self->generation_ == generation && self->state_ == ServerHealth::State::kReady &&
          self->under_way_ == 0)
        self->failed(failure);
    });
  finish(id, failure);
}

void Upstream::finish(CallId id, Result<ToolResult, CallFailure> result) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  const auto keep = shared_from_this();
  const Call call = std::move(found->second);
  calls_.erase(found);
  arm_idle();
  if (!calls_.empty()) send_next_soon();
  report(call, std::move(result));
}

// Failures of skills may name files of this machine.
void Upstream::report(const Call& call, Result<ToolResult, CallFailure> result) {
  const bool is_skill = !call.permitted->tool().owner.empty();
  call.done(result || !is_skill ? std::move(result) : reported_failure(std::move(result).failure()));
}

void Upstream::cancel(CallId id) {
  const auto found = calls_.find(id);
  if (found == calls_.end() || std::exchange(found->second.cancelled, true)) return;
  boost::asio::post(context_->executor, [weak = weak_from_this(), id] {
    const auto self = weak.lock();
    if (!self) return;
    const auto call = self->calls_.find(id);
    if (call == self->calls_.end()) return;
    if (!call->second.under_way || !self->client_)
      return self->finish(id, CallFailure{"CANCELLED", "the call was cancelled", false});
    self->said_cancelled_ = true;
    self->client_->cancel(call->second.under_way);
  });
}

void Upstream::list_offers(std::string method, std::string items, Offered done) {
  want([weak = weak_from_this(), method = std::move(method), items = std::move(items),
        done = std::move(done)](const std::optional<CallFailure>& failure) {
    const auto self = weak.lock();
    if (failure || !self || !self->client_)
      return done(failure.value_or(CallFailure{"SERVER_UNAVAILABLE", "the server is not ready", false}));
    self->client_->list(method, items, self->context_->options.limits.max_listing_bytes,
                        [name = self->spec_.name, done](Result<std::vector<std::string>, mcp::RequestFailure> listed) {
                          if (listed) return done(std::move(listed).value());
                          done(call_failure(name, listed.failure()));
                        });
  });
}

// One client's person must neither see nor answer what another's call is about. Where the calls of several are under
// way, or that of another was left without an answer, and the server does not say which it means, no one is asked.
void Upstream::asked(std::string_view method, std::string_view params, mcp::AnswerCallback answer) {
  const Call* oldest = nullptr;
  const std::string* principal = nullptr;
  bool is_clear = true;
  for (const auto& [id, call] : calls_) {
    if (!call.under_way) continue;
    if (!principal) principal = &call.options.caller.principal;
    is_clear = is_clear && *principal == call.options.caller.principal;
    if (!oldest && call.options.on_question) oldest = &call;
  }
  ask(is_clear && oldest && !may_mean_another(*principal) ? oldest : nullptr, method, params, answer);
}

bool Upstream::may_mean_another(const std::string& principal) const {
  return std::any_of(left_.begin(), left_.end(), [&](const std::string& other) { return other != principal; });
}

void Upstream::ask(const Call* call, std::string_view method, std::string_view params,
                   const mcp::AnswerCallback& answer) {
  if (method == "roots/list") return answer(roots_result(context_->options.workspace));
  const auto on_question = call ? call->options.on_question : nullptr;
  if (!on_question) return answer(mcp::RpcError{mcp::kInternalError, "there is no client to answer", {}});
  on_question(method, params, [answer](Result<std::string> said) {
    if (said) return answer(std::move(said).value());
    answer(mcp::RpcError{mcp::kInternalError, said.failure().message, {}});
  });
}

}  // namespace glovebox::catalog
