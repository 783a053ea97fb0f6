#include "gateway/gateway.h"

#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <set>

#include "base/random.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "gateway/adoption/handed_runs.h"
#include "gateway/adoption/lost_layer.h"
#include "gateway/privacy/run_privacy.h"
#include "store/database/patience.h"
#include "store/thread/ask_store.h"

namespace glovebox::gateway {
namespace {

using store::RunStatus;

// In polls: gateways rarely die, and old runs do no harm.
constexpr std::uint64_t kAdoptEvery = 5;
constexpr std::uint64_t kPruneEvery = 600;
// A restarting database is back within this time. If it is away for longer, no new run begins.
constexpr std::chrono::seconds kMostAway{12};

}  // namespace

Gateway::Gateway(std::shared_ptr<Services> services)
    : services_(std::move(services)), poll_timer_(services_->executor), watch_timer_(services_->executor) {}

Result<std::shared_ptr<Gateway>> Gateway::open(boost::asio::any_io_executor executor, store::Store& store,
                                               catalog::ToolSource& tools, Runner& runner, GatewayOptions options) {
  if (!options.now) options.now = base::now_ms;
  auto audit = GLOVEBOX_TRY(open_audit(store, options.state_folder, options.audit_log, options.now));
  const std::int64_t last_answer = GLOVEBOX_TRY(store.last_answer());
  std::shared_ptr<Gateway> gateway(
      new Gateway(Services::open(std::move(options), executor, store, std::move(audit), tools, runner)));
  GLOVEBOX_TRY_VOID(gateway->services_->limits.set(gateway->services_->rate_limits));
  gateway->last_answer_ = last_answer;
  GLOVEBOX_TRY_VOID(gateway->join());
  gateway->listener_ = store.listen([weak = gateway->weak_from_this(), executor] {
    boost::asio::post(executor, [weak] {
      if (const auto alive = weak.lock()) alive->poll();
    });
  });
  gateway->adopt();
  gateway->write_rules();
  gateway->poll_regularly();
  gateway->watch_neighbours();
  return gateway;
}

Result<void> Gateway::join() {
  const store::DirectCalls direct;
  const std::string owner = base::random_id("gw_");
  auto lock = GLOVEBOX_TRY(OwnerLock::take(services_->state_folder, owner));
  auto wake_socket =
      GLOVEBOX_TRY(WakeSocket::open(services_->executor, services_->state_folder, owner, [weak = weak_from_this()] {
        if (const auto alive = weak.lock()) alive->poll();
      }));
  store::NodeRecord node;
  node.id = owner;
  char host[256] = {};
  (void)::gethostname(host, sizeof host - 1);
  node.host = host;
  node.pid = ::getpid();
  node.version = services_->version;
  if (services_->store.is_shared()) node.lease = services_->lease;
  GLOVEBOX_TRY_VOID(services_->store.check_version());
  GLOVEBOX_TRY_VOID(services_->store.join(node));
  services_->lock.emplace(std::move(lock));
  services_->owner = owner;
  wake_socket_ = std::move(wake_socket);
  renewed_ = std::chrono::steady_clock::now();
  joined_ = true;
  return {};
}

Gateway::~Gateway() {
  close();
}

void Gateway::close() {
  if (std::exchange(closed_, true)) return;
  const store::DirectCalls direct;
  services_->closing = true;
  poll_timer_.cancel();
  watch_timer_.cancel();
  wake_socket_.reset();
  listener_.reset();
  others_.clear();
  const auto runs = std::exchange(runs_, {});
  for (const auto& [id, run] : runs) run->leave(ManagedRun::Leaving::kEnds);
  (void)services_->audit.write_waiting().ok();
  if (!std::exchange(joined_, false)) return;
  if (services_->audit.head() != services_->anchored) (void)anchor_audit(services_->store, services_->audit).ok();
  // Done here and not with the last guest, which may outlive the store. Until then the lock keeps gateways of this
  // machine away. Those of other machines adopt at once; so this Store continues as a removed node, and late writes are
  // refused.
  auto& store = services_->store;
  (void)(store.is_shared() ? store.remove_node(services_->owner) : store.leave(services_->owner)).ok();
}

std::shared_ptr<ManagedRun> Gateway::find(const std::string& run) const {
  const auto found = runs_.find(run);
  return found == runs_.end() ? nullptr : found->second;
}

std::size_t Gateway::live_runs() const {
  return static_cast<std::size_t>(
      std::count_if(runs_.begin(), runs_.end(), [](const auto& item) { return item.second->has_attempt(); }));
}

std::size_t Gateway::busy_runs_of(const std::string& client) const {
  return static_cast<std::size_t>(std::count_if(runs_.begin(), runs_.end(), [&](const auto& item) {
    const store::RunRecord& record = item.second->record();
    return authenticated_part(record.client) == authenticated_part(client) && record.status == RunStatus::kRunning;
  }));
}

std::optional<std::size_t> Gateway::runs_before(const std::string& run) const {
  const auto found = find(run);
  return found ? found->runs_before() : std::nullopt;
}

// Such a call is under way for as long as the called run waits.
std::size_t Gateway::calls_that_are_runs(const std::string& run) const {
  return static_cast<std::size_t>(
      std::count_if(parents_.begin(), parents_.end(), [&](const auto& child) { return child.second == run; }));
}

bool Gateway::is_quiet() const {
  return std::all_of(runs_.begin(), runs_.end(), [&](const auto& item) {
    return item.second->calls_under_way() <= calls_that_are_runs(item.first);
  });
}

bool Gateway::is_at_rest() const {
  return std::all_of(runs_.begin(), runs_.end(), [&](const auto& item) {
    const std::size_t called = calls_that_are_runs(item.first);
    const bool waits = item.second->record().status == RunStatus::kWaiting || called > 0;
    return waits && item.second->calls_under_way() <= called;
  });
}

void Gateway::park() {
  const auto runs = std::exchange(runs_, {});
  for (const auto& [id, run] : runs) run->leave(ManagedRun::Leaving::kKeeps);
}

std::shared_ptr<ManagedRun> Gateway::manage(store::RunRecord record, RunSettings settings) {
  const std::string id = record.id;
  auto run =
      std::make_shared<ManagedRun>(services_, std::move(record), std::move(settings), [weak = weak_from_this(), id] {
        const auto gateway = weak.lock();
        if (!gateway) return;
        gateway->runs_.erase(id);
        gateway->parents_.erase(id);
      });
  runs_[id] = run;
  return run;
}

std::shared_ptr<RunPrivacy> Gateway::privacy_in(const std::string& conversation) const {
  if (!services_->privacy) return nullptr;
  return std::make_shared<RunPrivacy>(services_->privacy, conversation);
}

std::shared_ptr<RunPrivacy> Gateway::privacy_of_strangers() const {
  return services_->privacy ? RunPrivacy::resumed(services_->privacy, {}) : nullptr;
}

std::shared_ptr<RunPrivacy> Gateway::privacy_for(const ExecuteRequest& request) const {
  if (request.privacy || !services_->privacy) return request.privacy;
  const auto parent = runs_.find(request.parent);
  if (parent != runs_.end() && parent->second->shared_privacy()) return parent->second->shared_privacy();
  return privacy_in("");
}

Result<std::string> Gateway::execute(ExecuteRequest request, RunEvents events) {
  if (closed_) return Failure{ErrorCode::kSandboxUnavailable, "the gateway is closed"};
  if (!joined_) return Failure{ErrorCode::kSystem, "this gateway has lost its lease, and the store is unreachable"};
  // Runs of calls and workflows that are under way still begin.
  if (draining_ && request.parent.empty() && !request.careful) {
    return Failure{ErrorCode::kSandboxUnavailable, std::string(kShuttingDown)};
  }
  if (services_->store.is_away_for() > kMostAway) {
    return Failure{ErrorCode::kSystem, "the store cannot be reached; try again in a few seconds"};
  }
  auto [record, settings] = GLOVEBOX_TRY(new_run(request, *services_));
  AuditEvent started = run_started(record, services_->audit);
  if (!request.parent.empty()) started.text("parent", request.parent);
  if (!settings.chain.empty()) started.text("capability", settings.chain.back());
  GLOVEBOX_TRY_VOID(services_->audit.append(started));
  record.audit_head = services_->audit.head().text();
  services_->bytes_added += record.code.size() + record.context.size();
  std::string id = record.id;
  // The run begins without waiting: whatever of it must not be lost is written after this.
  services_->store.post_write([record = record](store::Store& store) { return store.add_run(record); },
                              [weak = weak_from_this(), executor = services_->executor, id](const Result<void>& added) {
                                if (added || weak.expired()) return;
                                boost::asio::post(executor, [weak, id, why = added.failure().message] {
                                  const auto gateway = weak.lock();
                                  const auto run = gateway ? gateway->find(id) : nullptr;
                                  if (run) return run->end_with("STORE_UNAVAILABLE", why);
                                  const bool notes = gateway && gateway->services_->on_notice;
                                  if (notes)
                                    gateway->services_->on_notice("run " + id + " is not in the store: " + why);
                                });
                              },
                              false, store::Haste::kWithNext);
  if (!request.parent.empty()) parents_[id] = request.parent;
  const auto run = manage(std::move(record), std::move(settings));
  run->share(privacy_for(request));
  run->attach(std::move(events));
  run->start(request.check, request.may_be_cached);
  return id;
}

std::optional<Gateway::Listener> Gateway::attach(const std::string& run, RunEvents events) {
  const auto managed = find(run);
  if (!managed) return std::nullopt;
  const Listener listener{run, managed->attach(std::move(events))};
  for (const std::string& called : called_by(run)) {
    store::ask_store(
        services_->store, services_->executor, [called](store::Store& store) { return store.approvals(called, true); },
        [weak = weak_from_this(), listener](const Result<std::vector<store::ApprovalRecord>>& waiting) {
          const auto gateway = weak.lock();
          const auto asking = gateway ? gateway->find(listener.run) : nullptr;
          if (asking && waiting) asking->tell_again(listener.number, waiting.value());
        });
  }
  return listener;
}

std::vector<std::string> Gateway::called_by(const std::string& run) const {
  std::vector<std::string> all;
  for (const auto& [child, parent] : parents_) {
    if (parent != run) continue;
    all.push_back(child);
    for (std::string& further : called_by(child)) all.push_back(std::move(further));
  }
  return all;
}

RunEvents Gateway::relay_to(const std::string& parent) {
  RunEvents events;
  events.on_waiting = [weak = weak_from_this(), parent](const ApprovalRequest& approval) {
    const auto gateway = weak.lock();
    // The answer goes to the run that the client has asked for.
    ApprovalRequest relayed = approval;
    relayed.run = parent;
    if (const auto run = gateway ? gateway->find(parent) : nullptr) run->called_waits(relayed);
  };
  events.on_progress = [weak = weak_from_this(), parent](std::string_view message) {
    const auto gateway = weak.lock();
    if (const auto run = gateway ? gateway->find(parent) : nullptr) run->tell_progress(message);
  };
  events.on_question = [weak = weak_from_this(), parent](std::string_view method, std::string_view params,
                                                         catalog::AnswerQuestion answer) {
    const auto gateway = weak.lock();
    const auto run = gateway ? gateway->find(parent) : nullptr;
    if (!run || !run->ask_client(method, params, answer))
      answer(Failure{ErrorCode::kNotFound, "there is no client to ask"});
  };
  return events;
}

void Gateway::detach(const Listener& listener) {
  if (const auto run = find(listener.run)) run->detach(listener.number);
}

void Gateway::hand_out(const ExecuteRequest& request, const std::string& to,
                       std::function<void(const Result<std::string>&)> done) {
  if (closed_ || !joined_) return done(Failure{ErrorCode::kSandboxUnavailable, "the gateway is closed"});
  gateway::hand_out(services_, request, to, std::move(done));
}

void Gateway::accept_report(const std::string& run, const std::string& from, const std::string& outcome_json,
                            std::function<void(const Result<void>&)> done) {
  gateway::accept_report(services_, run, from, outcome_json, std::move(done));
}

std::optional<Gateway::Behalf> Gateway::behalf_of(const std::string& run) const {
  const auto managed = find(run);
  if (!managed) return std::nullopt;
  return Behalf{managed->principal(), managed->record().session, managed->profile()};
}

bool Gateway::is_denied(const std::string& server, const std::string& tool) const {
  return services_->rules.decide(server, tool, "{}").verdict == policy::Verdict::kDeny;
}

void Gateway::make_layer_again(const std::string& run,
                               std::function<void(Result<std::shared_ptr<const Outcome>>)> done) {
  gateway::make_layer_again(services_, run, std::move(done));
}

bool Gateway::is_idempotent(const std::string& server, const std::string& tool,
                            const std::string& arguments_json) const {
  return services_->idempotent.decide(server, tool, arguments_json).verdict == policy::Verdict::kAllow;
}

Result<void> Gateway::set_policy(CallPolicy policy) {
  GLOVEBOX_TRY_VOID(services_->limits.set(policy.rate_limits));
  services_->cache->set_limits(policy.cache_limits.value_or(cache::CacheLimits{.entries = 0}));
  static_cast<CallPolicy&>(*services_) = std::move(policy);
  advance_line(*services_);
  const auto runs = runs_;
  for (const auto& [id, run] : runs) run->reconsider();
  return {};
}

void Gateway::poll_regularly() {
  poll_timer_.expires_after(services_->times.poll);
  poll_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto gateway = weak.lock();
    if (error || !gateway || gateway->closed_) return;
    gateway->renew_lease();
    gateway->watch_store();
    gateway->poll();
    const std::uint64_t polls = ++gateway->polls_;
    const auto runs = gateway->runs_;
    for (const auto& [id, run] : runs) run->park_if_idle();
    for (const auto& [id, run] : runs) run->give_up_after(gateway->services_->outage);
    gateway->anchor();
    if (polls % kAdoptEvery == 0) {
      gateway->adopt_later();
    } else if (gateway->services_->store.is_shared()) {
      // A node of another machine is dead when its lease has expired. The gateway that removes it adopts its runs now.
      gateway->services_->store.post([weak, executor = gateway->services_->executor](store::Store& store) {
        const auto removed = store.remove_expired_nodes();
        if (!removed || removed->empty() || weak.expired()) return;
        boost::asio::post(executor, [weak] {
          if (const auto alive = weak.lock(); alive && !alive->closed_) alive->adopt_later();
        });
      });
    }
    gateway->prune(polls % kPruneEvery == 1);
    gateway->poll_regularly();
  });
}

void Gateway::lose_everything() {
  joined_ = false;
  if (services_->on_notice) {
    services_->on_notice("this gateway (" + services_->owner +
                         ") missed its lease and was declared dead; other gateways have taken over its runs");
  }
  const auto runs = std::exchange(runs_, {});
  for (const auto& [id, run] : runs) run->lose();
  const auto joined = join();
  if (!joined && services_->on_notice) services_->on_notice(joined.failure().message);
  if (services_->on_lease_lost) services_->on_lease_lost();
}

void Gateway::answer(const ApprovalAnswer& answer, const std::string& run,
                     std::function<void(const Result<void>&)> done) {
  const auto owners = std::make_shared<std::set<std::string>>();  // to be woken when the answer is committed
  const auto write = [answer, runs = with_called(run), workspace = services_->workspace, now = services_->now(), owners,
                      own = services_->owner](store::Store& store) -> Result<void> {
    std::vector<std::string> approvals{answer.approval};
    if (answer.approval.empty()) approvals = GLOVEBOX_TRY(pending_ids(store, runs));
    ApprovalAnswer one = answer;
    for (std::string& approval : approvals) {
      one.approval = std::move(approval);
      const auto receipt = GLOVEBOX_TRY(give_answer(store, one, workspace, now));
      if (receipt.owner != own) owners->insert(receipt.owner);
    }
    return {};
  };
  services_->store.post_write(
      write, [weak = weak_from_this(), executor = services_->executor, owners, folder = services_->state_folder,
              done = std::move(done)](Result<void> written) mutable {
        for (const std::string& owner : *owners) wake_gateway(folder, owner);
        boost::asio::post(executor, [weak, done = std::move(done), written = std::move(written)] {
          if (const auto gateway = weak.lock()) gateway->poll();
          done(written);
        });
      });
}

struct Gateway::Seen {
  Result<std::vector<std::string>> cancelled;
  Result<std::vector<store::AnswerRecord>> answers;
  std::vector<OthersRuns::News> others;
};

void Gateway::poll() {
  if (closed_) return;
  if (std::exchange(polls_now_, true)) {
    polls_again_ = true;
    return;
  }
  services_->store.post([weak = weak_from_this(), executor = services_->executor, owner = services_->owner,
                         last = last_answer_, wanted = others_.wanted()](store::Store& store) {
    if (weak.expired()) return;
    auto cancelled = store.runs_to_cancel(owner);
    auto answers =
        cancelled ? store.answers_after(last) : Result<std::vector<store::AnswerRecord>>(cancelled.failure());
    auto others = answers ? OthersRuns::read(store, wanted) : std::vector<OthersRuns::News>();
    const auto seen = std::make_shared<const Seen>(Seen{std::move(cancelled), std::move(answers), std::move(others)});
    boost::asio::post(executor, [weak, seen] {
      if (const auto gateway = weak.lock()) gateway->on_seen(*seen);
    });
  });
}

void Gateway::on_seen(const Seen& seen) {
  polls_now_ = false;
  if (closed_) return;
  // On failure the store is away, and the next poll is soon.
  poll_failure_ = seen.answers ? "" : seen.answers.failure().message;
  if (!seen.answers) return;
  apply(seen.answers.value());
  others_.tell(seen.others);
  for (const std::string& id : seen.cancelled.value()) {
    if (const auto run = find(id)) run->cancel();
  }
  if (services_->on_poll) services_->on_poll();
  if (std::exchange(polls_again_, false)) poll();
}

void Gateway::apply(const std::vector<store::AnswerRecord>& answers) {
  bool always = false;
  for (const store::AnswerRecord& answer : answers) {
    last_answer_ = answer.id;
    const auto run = find(answer.run);
    if (!run) continue;  // another gateway's
    run->apply(answer);
    if (answer.scope == store::Scope::kOnce) continue;
    // A denial has another scope only if it revokes an approval of that scope: those rules are gone.
    always = always || (answer.approved && answer.scope == store::Scope::kAlways);
    const auto runs = runs_;
    for (const auto& [id, other] : runs) {
      const bool same =
          answer.scope == store::Scope::kRun ? id == answer.run : other->record().session == run->record().session;
      if (same) other->reconsider();
    }
  }
  if (always) write_rules();
}

void Gateway::write_rules() {
  if (!services_->remember_rule) return;
  store::ask_store(
      services_->store, services_->executor, [](store::Store& store) { return store.rules_to_write(); },
      [weak = weak_from_this()](const Result<std::vector<store::RememberedRule>>& rules) {
        const auto gateway = weak.lock();
        if (gateway && rules) gateway->write_rules(rules.value());
      });
}

void Gateway::write_rules(const std::vector<store::RememberedRule>& rules) {
  for (const store::RememberedRule& rule : rules) {
    // One that was read twice is written once.
    if (!written_rules_.insert(rule.id).second) continue;
    const auto written = services_->remember_rule(rule.pattern);
    if (!written) {
      written_rules_.erase(rule.id);
      if (services_->on_notice) {
        services_->on_notice("the rule \"" + rule.pattern + "\" cannot be written: " + written.failure().message);
      }
      continue;
    }
    services_->note(AuditEvent("rule.remembered").text("rule", rule.pattern));
    services_->store.post_write([id = rule.id](store::Store& store) { return store.set_written(id); }, nullptr);
  }
}

}  // namespace glovebox::gateway
