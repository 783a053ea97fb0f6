#include "catalog/upstream/upstream.h"

#include <boost/asio/post.hpp>

#include "base/text/json_slice.h"
#include "base/text/json_text.h"
#include "catalog/call/call_failure.h"
#include "catalog/offers/built_in_tools.h"
#include "catalog/offers/roots.h"
#include "catalog/offers/server_message.h"
#include "catalog/plain_text.h"
#include "catalog/upstream/server_transport.h"

namespace glovebox::catalog {
namespace {

using State = ServerHealth::State;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A server that has run for this long counts as successfully started.
constexpr std::chrono::seconds kProven{30};

// A server's list_changed notifications are acted on no more often than this.
constexpr milliseconds kRelistPause{1000};
constexpr milliseconds kSubscribePause{5000};

// The window of CatalogLimits::most_notifications.
constexpr std::chrono::seconds kNotificationTime{10};

constexpr milliseconds kSignInTime{10 * 60'000};
constexpr std::size_t kMostRemarks = 20;
constexpr std::size_t kMostProblemBytes = 1 << 20;

std::string seconds_text(milliseconds time) {
  std::string text;
  base::append_json_millis(text, std::chrono::duration<double>(time).count());
  return text + " s";
}

bool has_member(std::string_view object, std::string_view key, std::string_view inner = {}) {
  const auto members = base::JsonSlices::of(object);
  if (!members || !members->has(key)) return false;
  if (inner.empty()) return true;
  const auto below = base::JsonSlices::of(members->raw(key));
  return below && below->raw(inner) == "true";
}

}  // namespace

std::string_view to_string(ServerHealth::State state) {
  switch (state) {
    case State::kIdle: return "idle";
    case State::kStarting: return "starting";
    case State::kReady: return "ready";
    case State::kBackingOff: return "backing-off";
    case State::kBroken: return "broken";
    case State::kDisabled: return "disabled";
  }
  return "";
}

std::shared_ptr<Upstream> Upstream::create(std::shared_ptr<const UpstreamContext> context, ServerSpec spec,
                                           Events events) {
  return std::shared_ptr<Upstream>(new Upstream(std::move(context), std::move(spec), std::move(events)));
}

Upstream::Upstream(std::shared_ptr<const UpstreamContext> context, ServerSpec spec, Events events)
    : context_(std::move(context)),
      spec_(std::move(spec)),
      events_(std::move(events)),
      log_(context_->options.state_folder.empty() || spec_.is_http() ? "" : context_->options.state_folder + "/logs",
           spec_.name),
      deadline_(context_->executor),
      idle_(context_->executor),
      relist_(context_->executor) {
  if (spec_.disabled) state_ = State::kDisabled;
  if (!spec_.disabled && !spec_.problem.empty()) {
    state_ = State::kBroken;
    error_ = spec_.problem;
  }
  if (auto listing = read_listing(context_->options.state_folder, spec_)) {
    remembered_era_ = std::move(listing->era);
    remarks_ = std::move(listing->problems);
  }
}

Upstream::~Upstream() {
  if (client_) client_->close();
}

ServerHealth Upstream::health() const {
  ServerHealth health;
  health.name = spec_.name;
  health.classes = spec_.classes;
  health.transport = spec_.is_http() ? "http" : "stdio";
  health.state = state_;
  health.error = error_;
  health.tools = tool_count_;
  health.restarts = std::max(0, starts_ - 1);
  health.calls_under_way = calls_.size();
  if (state_ == State::kBackingOff)
    // Rounded up: zero means that it may be tried now.
    health.retry_in = std::max(milliseconds(0), std::chrono::ceil<milliseconds>(retry_at_ - steady_clock::now()));
  health.era = remembered_era_;
  health.revision = description_.revision;
  health.info = description_.info;
  health.instructions = description_.instructions;
  health.log_file = log_.path();
  health.remarks = remarks_;
  return health;
}

void Upstream::set_state(ServerHealth::State state) {
  if (state_ == state) return;
  state_ = state;
  if (events_.on_change) events_.on_change();
}

CallFailure Upstream::unavailable() const {
  if (closed_) return {"SERVER_UNAVAILABLE", spec_.name + ": " + error_, false};
  if (state_ == State::kDisabled) return {"SERVER_DISABLED", spec_.name + " is disabled in the config", false};
  std::string message = spec_.name + ": " + (error_.empty() ? "the server is not ready" : error_);
  if (state_ == State::kBackingOff) message += " (next attempt in " + seconds_text(health().retry_in) + ")";
  return {"SERVER_UNAVAILABLE", std::move(message), false};
}

// --- starting

void Upstream::want(Ready ready) {
  const auto answer = [&](std::optional<CallFailure> failure) {
    boost::asio::post(context_->executor, [ready = std::move(ready), failure = std::move(failure)] { ready(failure); });
  };
  if (closed_) return answer(unavailable());
  switch (state_) {
    case State::kReady: return answer(std::nullopt);
    case State::kBroken:
    case State::kDisabled: return answer(unavailable());
    case State::kBackingOff:
      if (steady_clock::now() < retry_at_) return answer(unavailable());
      break;
    case State::kIdle:
    case State::kStarting: break;
  }
  waiting_.push_back(std::move(ready));
  if (state_ == State::kStarting) return;
  set_state(State::kStarting);
  boost::asio::post(context_->executor, [weak = weak_from_this()] {
    if (const auto self = weak.lock(); self && self->state_ == State::kStarting && !self->client_) self->start();
  });
}

milliseconds Upstream::start_time() const {
  // A person may have to sign in first.
  return spec_.is_http() && context_->options.visit ? std::max(spec_.start_timeout, kSignInTime) : spec_.start_timeout;
}

void Upstream::start() {
  ++starts_;
  log_.note("started");
  // A server may exit on a method that it does not know, so the era that it is known to use is tried first. But it may
  // have been replaced by a newer one.
  eras_ = {mcp::EraChoice::kAuto};
  if (remembered_era_ == "legacy") eras_.insert(eras_.begin(), mcp::EraChoice::kLegacy);
  deadline_.expires_after(start_time());
  deadline_.async_wait([weak = weak_from_this(), start = starts_](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (error || !self || self->starts_ != start || self->state_ != State::kStarting) return;
    self->failed({"SERVER_UNAVAILABLE",
                  self->spec_.name + ": the server was not ready within " + seconds_text(self->start_time()), false});
  });
  const mcp::EraChoice first = eras_.front();
  eras_.erase(eras_.begin());
  connect(first);
}

void Upstream::connect(mcp::EraChoice era) {
  auto transport = open_transport(*context_, spec_, [weak = weak_from_this()](std::string_view text) {
    if (const auto self = weak.lock()) self->log_.write(text);
  });
  if (!transport) return failed({"SERVER_UNAVAILABLE", spec_.name + ": " + transport.failure().message, false});
  const std::uint64_t generation = ++generation_;
  left_.clear();
  const auto weak = weak_from_this();
  const auto alive = [weak, generation]() -> std::shared_ptr<Upstream> {
    auto self = weak.lock();
    return self && self->generation_ == generation ? self : nullptr;
  };
  mcp::ConnectionOptions options;
  options.info = {"glovebox", context_->options.client_version, {}};
  options.capabilities = with_roots(context_->options.capabilities, spec_);
  options.era = era;
  options.connect_timeout = start_time();
  options.on_question = [alive](std::string_view method, std::string_view params, mcp::AnswerCallback answer) {
    if (const auto self = alive()) return self->asked(method, params, std::move(answer));
    answer(mcp::RpcError{mcp::kInternalError, "there is no client to ask", {}});
  };
  options.on_notification = [alive](std::string_view method, std::string_view params) {
    if (const auto self = alive()) self->notified(method, params);
  };
  options.on_closed = [alive, generation](mcp::RequestFailure failure) {
    if (const auto self = alive()) self->ended(generation, failure);
  };
  client_ = mcp::Client::create(context_->executor, std::move(transport).value(), std::move(options));
  client_->connect([alive, generation, era](Result<mcp::ServerDescription, mcp::RequestFailure> server) {
    if (const auto self = alive()) self->connected(generation, era, std::move(server));
  });
}

void Upstream::connected(std::uint64_t generation, mcp::EraChoice era,
                         Result<mcp::ServerDescription, mcp::RequestFailure> server) {
  if (state_ != State::kStarting) return;
  if (server) {
    description_ = std::move(server).value();
    remembered_era_ = description_.era == mcp::Era::kModern ? "modern" : "legacy";
    return list(generation);
  }
  const mcp::RequestFailure& failure = server.failure();
  const bool ended_at_the_question = era == mcp::EraChoice::kAuto && !spec_.is_http() &&
                                     failure.kind == mcp::RequestFailureKind::kClosed && remembered_era_ != "legacy";
  if (ended_at_the_question) eras_.push_back(mcp::EraChoice::kLegacy);
  // A server that requires authorization does so in either era.
  if (eras_.empty() || failure.kind == mcp::RequestFailureKind::kUnauthorized ||
      failure.kind == mcp::RequestFailureKind::kUnreachable)
    return failed(call_failure(spec_.name, failure));
  if (ended_at_the_question) remembered_era_ = "legacy";
  const mcp::EraChoice next = eras_.front();
  eras_.erase(eras_.begin());
  drop_client();
  log_.note(std::string("restarted to negotiate another protocol version: ") + failure.message);
  connect(next);
}

void Upstream::list(std::uint64_t generation) {
  if (!has_member(description_.capabilities, "tools")) return listed(mcp::Client::Tools{});
  if (spec_.classes) return list_problems(generation);
  list_usable(generation);
}

// A server with classes is our own program, and reports what it has left out.
void Upstream::list_problems(std::uint64_t generation) {
  client_->list("glovebox/problems", "problems", kMostProblemBytes,
                [weak = weak_from_this(), generation](Result<std::vector<std::string>, mcp::RequestFailure> problems) {
                  const auto self = weak.lock();
                  if (!self || self->generation_ != generation) return;
                  self->problems_.clear();
                  if (problems) {
                    for (const std::string& problem : *problems) {
                      if (const auto text = base::unquote(problem)) self->problems_.push_back(plain_text(*text, 300));
                    }
                  }
                  self->list_usable(generation);
                });
}

void Upstream::list_usable(std::uint64_t generation) {
  client_->list_tools(context_->options.limits.max_listing_bytes,
                      [weak = weak_from_this(), generation](Result<mcp::Client::Tools, mcp::RequestFailure> tools) {
                        const auto self = weak.lock();
                        if (self && self->generation_ == generation) self->listed(std::move(tools));
                      });
}

void Upstream::listed(Result<mcp::Client::Tools, mcp::RequestFailure> tools) {
  relisting_ = false;
  if (!tools) {
    if (state_ == State::kStarting) return failed(call_failure(spec_.name, tools.failure()));
    error_ = plain_text(tools.failure().message);
    return;
  }
  remarks_ = std::move(tools->refused);
  for (std::string& remark : remarks_) remark = "refused: " + plain_text(remark, 300);
  tools->usable = with_built_ins(std::move(tools->usable), description_.capabilities, remarks_);
  remarks_.insert(remarks_.begin(), problems_.begin(), problems_.end());
  if (remarks_.size() > kMostRemarks) {
    const std::size_t more = remarks_.size() - kMostRemarks;
    remarks_.resize(kMostRemarks);
    remarks_.push_back("and " + std::to_string(more) + " more");
  }
  const Listing listing{remembered_era_, std::move(tools->usable),
                        spec_.classes ? remarks_ : std::vector<std::string>{}};
  tool_count_ = listing.tools.size();
  keep_listing(context_->options.state_folder, spec_, listing);
  if (events_.on_listed) events_.on_listed(listing);
  if (state_ == State::kStarting) {
    deadline_.cancel();
    ready_since_ = steady_clock::now();
    set_state(State::kReady);
    subscribe();
    tell(std::nullopt);
    arm_idle();
  }
  if (std::exchange(relist_wanted_, false)) list_again();
}

void Upstream::tell(std::optional<CallFailure> failure) {
  const auto waiting = std::move(waiting_);
  waiting_.clear();
  for (const Ready& ready : waiting) ready(failure);
}

// --- while it runs

void Upstream::subscribe() {
  if (description_.era != mcp::Era::kModern || !has_member(description_.capabilities, "tools", "listChanged")) return;
  client_->listen(R"({"toolsListChanged":true})",
                  [weak = weak_from_this(), generation = generation_](mcp::RequestFailure failure) {
                    const auto self = weak.lock();
                    if (!self || self->generation_ != generation || self->state_ != State::kReady || !self->client_ ||
                        self->client_->closed())
                      return;
                    if (failure.kind == mcp::RequestFailureKind::kAnswered) return;  // it does not support it
                    auto timer = std::make_shared<boost::asio::steady_timer>(self->context_->executor, kSubscribePause);
                    timer->async_wait([weak, generation, timer](const boost::system::error_code&) {
                      const auto still = weak.lock();
                      if (still && still->generation_ == generation && still->state_ == State::kReady)
                        still->subscribe();
                    });
                  });
}

void Upstream::notified(std::string_view method, std::string_view params) {
  const auto now = steady_clock::now();
  if (now - notifications_since_ > kNotificationTime) {
    notifications_since_ = now;
    notifications_ = 0;
  }
  if (++notifications_ > context_->options.limits.most_notifications) {
    const std::uint64_t generation = generation_;
    const auto keep = shared_from_this();
    const auto client = client_;
    // Its calls end first, with the same reason.
    ended(generation, {mcp::RequestFailureKind::kProtocol, "the server floods the gateway with notifications", {}, 0});
    return;
  }
  if (method == "notifications/tools/list_changed") list_again();
  if (method == "notifications/message") said(params);
  if (events_.on_offers_changed && method == "notifications/prompts/list_changed") events_.on_offers_changed("prompts");
  if (events_.on_offers_changed && method == "notifications/resources/list_changed")
    events_.on_offers_changed("resources");
}

// A server does not say which call a log message is about. It goes to the run that alone uses the server now, and else
// to none: a run of one client must not see another's.
void Upstream::said(std::string_view params) {
  const std::function<void(const ServerMessage&)>* listener = nullptr;
  const std::string* run = nullptr;
  for (const auto& [id, call] : calls_) {
    if (!call.under_way) continue;
    if (run && *run != call.options.caller.id) return;
    if (may_mean_another(call.options.caller.principal)) return;
    run = &call.options.caller.id;
    listener = &call.options.on_message;
  }
  const auto message = listener && *listener ? read_message(params) : std::nullopt;
  if (message) (*listener)(*message);
}

void Upstream::list_again() {
  if (state_ != State::kReady) {
    relist_wanted_ = state_ == State::kStarting;
    return;
  }
  if (std::exchange(relist_wanted_, true)) return;
  relist_.expires_after(relisting_ ? 2 * kRelistPause : kRelistPause);
  relist_.async_wait([weak = weak_from_this(), generation = generation_](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (error || !self) return;
    self->relist_wanted_ = false;
    if (self->generation_ != generation || self->state_ != State::kReady) return;
    if (self->relisting_) return self->list_again();
    self->relisting_ = true;
    self->list(generation);
  });
}

// One timer for many calls: if it expires too early for the last of them, it continues for what is left.
void Upstream::arm_idle() {
  if (state_ != State::kReady || !calls_.empty() || spec_.idle_timeout.count() == 0) return;
  idle_since_ = steady_clock::now();
  if (!idle_is_watched_) watch_idle();
}

void Upstream::watch_idle() {
  idle_is_watched_ = true;
  idle_.expires_at(idle_since_ + spec_.idle_timeout);
  idle_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (!self) return;
    self->idle_is_watched_ = false;
    if (error || self->state_ != State::kReady || !self->calls_.empty()) return;
    if (steady_clock::now() < self->idle_since_ + self->spec_.idle_timeout) return self->watch_idle();
    self->log_.note("stopped because it was idle");
    self->drop_client();
    self->failures_ = 0;
    self->set_state(State::kIdle);
  });
}

void Upstream::drop_client() {
  ++generation_;
  relist_.cancel();
  relisting_ = relist_wanted_ = false;
  said_cancelled_ = false;
  if (const auto client = std::move(client_)) client->close();
  client_.reset();
}

// --- its end

void Upstream::ended(std::uint64_t generation, const mcp::RequestFailure& failure) {
  if (generation != generation_) return;
  // While it starts, the callers that wait for it get the same failure.
  if (state_ == State::kStarting) return;
  if (failure.kind == mcp::RequestFailureKind::kSessionLost) {
    drop_client();
    return set_state(State::kIdle);
  }
  if (steady_clock::now() - ready_since_ > kProven) failures_ = 0;
  failed(call_failure(spec_.name, failure));
}

void Upstream::failed(const CallFailure& failure) {
  const auto keep = shared_from_this();
  deadline_.cancel();
  error_ = failure.message;
  if (error_.starts_with(spec_.name + ": ")) error_.erase(0, spec_.name.size() + 2);
  log_.note(error_);
  ++failures_;
  const CatalogLimits& limits = context_->options.limits;
  // The calls in progress end with the client, which reports their failure.
  if (client_) {
    ++generation_;
    relist_.cancel();
    relisting_ = relist_wanted_ = false;
    said_cancelled_ = false;
    const auto client = std::move(client_);
    client_.reset();
    if (!client->closed()) client->close();
  }
  if (!spec_.restart && state_ == State::kReady) {
    error_ += "; it is not restarted (\"restart\": false)";
    set_state(State::kBroken);
  } else if (failures_ >= limits.most_failures) {
    error_ += "; it has failed " + std::to_string(failures_) + " times and is not retried";
    set_state(State::kBroken);
  } else if (failures_ == 1) {
    set_state(State::kIdle);
  } else {
    milliseconds pause = limits.first_pause;
    for (int i = 2; i < failures_ && pause < limits.longest_pause; ++i) pause *= 2;
    retry_at_ = steady_clock::now() + std::min(pause, limits.longest_pause);
    set_state(State::kBackingOff);
  }
  CallFailure reported = failure;
  reported.sent = false;
  tell(reported);
}

void Upstream::retry() {
  if (closed_ || state_ == State::kReady || state_ == State::kStarting || spec_.disabled || !spec_.problem.empty())
    return;
  failures_ = 0;
  set_state(State::kIdle);
}

void Upstream::close(const std::string& why) {
  if (std::exchange(closed_, true)) return;
  const auto keep = shared_from_this();
  deadline_.cancel();
  idle_.cancel();
  error_ = why;
  events_ = {};
  if (client_) log_.note("stopped: " + why);
  drop_client();
  state_ = State::kIdle;
  tell(unavailable());
  // Queued calls have not been sent.
  const auto calls = std::move(calls_);
  calls_.clear();
  for (const auto& [id, call] : calls) report(call, CallFailure{"SERVER_UNAVAILABLE", spec_.name + ": " + why, false});
}

}  // namespace glovebox::catalog
