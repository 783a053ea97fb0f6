#include "gateway/gateway.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <set>

#include "base/try.h"
#include "gateway/words.h"

namespace glovebox::gateway {
namespace {

using store::RunStatus;

// In looks: others die seldom, and old runs are in nobody's way.
constexpr std::uint64_t kAdoptEvery = 5;
constexpr std::uint64_t kPruneEvery = 600;

// Of a program, in the log; its hash is that of all of it. The sandbox takes no more anyway.
constexpr std::size_t kMostCode = std::size_t{4} << 20;

std::int64_t system_now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Gateway::Gateway(boost::asio::any_io_executor executor, store::Store& store, AuditLog audit, ToolSource& tools,
                 Runner& runner, GatewayOptions options, OwnerLock lock, std::string owner)
    : options_(std::move(options)),
      services_(std::make_shared<Services>(executor, store, std::move(audit), tools, runner, std::move(lock))),
      look_timer_(executor) {
  services_->rules = options_.rules;
  services_->calls_per_run = options_.calls_per_run;
  services_->concurrent_per_run = options_.concurrent_per_run;
  services_->times = options_.times;
  services_->workspace = options_.workspace;
  services_->owner = std::move(owner);
  services_->now = options_.now;
  services_->plan = options_.plan;
  services_->on_notice = options_.on_notice;
}

Result<std::shared_ptr<Gateway>> Gateway::open(boost::asio::any_io_executor executor, store::Store& store,
                                               ToolSource& tools, Runner& runner, GatewayOptions options) {
  if (!options.now) options.now = system_now;
  auto audit = GLOVEBOX_TRY(AuditLog::open(options.state_folder + "/audit.log", options.now));
  const std::string owner = random_id("gw_");
  auto lock = GLOVEBOX_TRY(OwnerLock::take(options.state_folder, owner));
  const std::int64_t last_answer = GLOVEBOX_TRY(store.last_answer());
  const auto limits = options.limits;
  const std::string state_folder = options.state_folder;
  std::shared_ptr<Gateway> gateway(
      new Gateway(executor, store, std::move(audit), tools, runner, std::move(options), std::move(lock), owner));
  GLOVEBOX_TRY_VOID(gateway->services_->limits.set(limits));
  gateway->last_answer_ = last_answer;
  gateway->poke_ = GLOVEBOX_TRY(PokeSocket::open(executor, state_folder, owner, [weak = gateway->weak_from_this()] {
    if (const auto alive = weak.lock()) alive->look();
  }));
  gateway->adopt();
  gateway->write_rules();
  gateway->look_regularly();
  return gateway;
}

Gateway::~Gateway() {
  close();
}

void Gateway::close() {
  if (std::exchange(closed_, true)) return;
  look_timer_.cancel();
  poke_.reset();
  const auto runs = std::exchange(runs_, {});
  for (const auto& [id, run] : runs) run->leave();
}

std::shared_ptr<ManagedRun> Gateway::find(const std::string& run) const {
  const auto found = runs_.find(run);
  return found == runs_.end() ? nullptr : found->second;
}

std::size_t Gateway::live_runs() const {
  return static_cast<std::size_t>(
      std::count_if(runs_.begin(), runs_.end(), [](const auto& item) { return item.second->has_life(); }));
}

std::shared_ptr<ManagedRun> Gateway::manage(store::RunRecord record, RunSettings settings) {
  const std::string id = record.id;
  auto run =
      std::make_shared<ManagedRun>(services_, std::move(record), std::move(settings), [weak = weak_from_this(), id] {
        if (const auto gateway = weak.lock()) gateway->runs_.erase(id);
      });
  runs_[id] = run;
  return run;
}

Result<std::string> Gateway::execute(ExecuteRequest request, RunEvents events) {
  if (closed_) return Failure{ErrorCode::kSandboxUnavailable, "the gateway is closed"};
  RunSettings settings{std::move(request.config), std::move(request.tools)};
  if (services_->calls_per_run) {
    settings.sandbox.max_tool_calls = std::min(settings.sandbox.max_tool_calls, *services_->calls_per_run);
  }
  for (const std::string& pattern : settings.tools.value_or(std::vector<std::string>())) {
    GLOVEBOX_TRY(policy::ToolPattern::parse(pattern, services_->workspace));
  }
  store::RunRecord record;
  record.id = random_id("run_");
  record.created = services_->now();
  record.code = std::move(request.code);
  record.language = request.language == Language::kJavaScript ? "js" : "ts";
  record.name = std::move(request.name);
  record.context = std::move(request.context_json);
  record.config = to_json(settings);
  // Chosen here, so that a later life has the same.
  record.seed = request.seed ? std::move(*request.seed) : random_id("");
  record.now = request.now_ms.value_or(record.created);
  record.client = std::move(request.client);
  record.session = request.session.empty() ? services_->owner : std::move(request.session);
  record.owner = services_->owner;
  record.intent = std::move(request.intent);
  GLOVEBOX_TRY_VOID(services_->audit.append(AuditEvent("run.started")
                                                .text("run", record.id)
                                                .text("client", record.client)
                                                .text("session", record.session)
                                                .text("intent", record.intent)
                                                .text("language", record.language)
                                                .text("codeHash", sha256_hex(record.code))
                                                .number("codeBytes", static_cast<std::int64_t>(record.code.size()))
                                                .text("code", record.code.substr(0, kMostCode))));
  GLOVEBOX_TRY_VOID(services_->store.add_run(record));
  std::string id = record.id;
  const auto run = manage(std::move(record), std::move(settings));
  run->attach(std::move(events));
  run->start();
  return id;
}

std::optional<Gateway::Listener> Gateway::attach(const std::string& run, RunEvents events) {
  const auto managed = find(run);
  if (!managed) return std::nullopt;
  return Listener{run, managed->attach(std::move(events))};
}

void Gateway::detach(const Listener& listener) {
  if (const auto run = find(listener.run)) run->detach(listener.number);
}

Result<AnswerReceipt> Gateway::answer(const ApprovalAnswer& answer) {
  auto receipt = GLOVEBOX_TRY(give_answer(services_->store, answer, services_->workspace, services_->now()));
  if (receipt.owner != services_->owner) poke(options_.state_folder, receipt.owner);
  look();
  return receipt;
}

Result<std::optional<Gateway::Listener>> Gateway::continue_run(const std::string& run, const Continuation& with,
                                                               RunEvents events) {
  adopt();  // its gateway may have ended since the last look
  const auto record = GLOVEBOX_TRY(services_->store.find_run(run));
  if (!record) return Failure{ErrorCode::kNotFound, "there is no run " + run};
  if (has_ended(record->status)) {
    if (events.on_end) events.on_end({run, record->status, record->outcome, nullptr});
    return std::optional<Listener>();
  }
  for (const store::ApprovalRecord& approval : GLOVEBOX_TRY(services_->store.approvals(run, true))) {
    GLOVEBOX_TRY(give_answer(services_->store,
                             {approval.id, {}, with.approved, with.scope, with.reason, {}, with.who, with.channel},
                             services_->workspace, services_->now()));
  }
  auto listener = attach(run, std::move(events));
  if (!listener) {
    poke(options_.state_folder, record->owner);
    return Failure{ErrorCode::kConflict, "run " + run + " belongs to another gateway, which goes on with it"};
  }
  look();
  return listener;
}

Result<std::vector<store::RunRecord>> Gateway::list_runs(std::optional<RunStatus> status, std::size_t most) {
  return services_->store.list_runs(status, most);
}

Result<std::optional<store::RunRecord>> Gateway::get_run(const std::string& run) {
  return services_->store.find_run(run);
}

Result<std::vector<store::ApprovalRecord>> Gateway::pending(const std::string& run) {
  return services_->store.approvals(run, true);
}

Result<bool> Gateway::cancel_run(const std::string& run) {
  if (const auto managed = find(run)) {
    managed->cancel();
    return true;
  }
  const bool asked = GLOVEBOX_TRY(services_->store.ask_to_cancel(run));
  if (!asked) return false;
  const auto record = GLOVEBOX_TRY(services_->store.find_run(run));
  if (record) poke(options_.state_folder, record->owner);
  return true;
}

bool Gateway::is_denied(const std::string& server, const std::string& tool) const {
  return services_->rules.decide(server, tool, "{}").verdict == policy::Verdict::kDeny;
}

void Gateway::set_rules(policy::ToolRules rules) {
  services_->rules = std::move(rules);
  const auto runs = runs_;
  for (const auto& [id, run] : runs) run->reconsider();
}

Result<void> Gateway::set_limits(const std::map<std::string, policy::RateLimit>& limits,
                                 std::optional<std::size_t> calls_per_run,
                                 std::optional<std::size_t> concurrent_per_run) {
  GLOVEBOX_TRY_VOID(services_->limits.set(limits));
  services_->calls_per_run = calls_per_run;
  services_->concurrent_per_run = concurrent_per_run;
  advance_line(*services_);
  return {};
}

void Gateway::look_regularly() {
  look_timer_.expires_after(services_->times.look);
  look_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto gateway = weak.lock();
    if (error || !gateway || gateway->closed_) return;
    gateway->look();
    const std::uint64_t looks = ++gateway->looks_;
    const auto runs = gateway->runs_;
    for (const auto& [id, run] : runs) run->park_if_idle();
    if (looks % kAdoptEvery == 0) gateway->adopt();
    if (looks % kPruneEvery == 1) {
      const std::int64_t before =
          gateway->services_->now() - std::chrono::milliseconds(gateway->options_.keep_for).count();
      (void)gateway->services_->store.prune(gateway->options_.keep_runs, before).ok();
    }
    gateway->look_regularly();
  });
}

void Gateway::look() {
  if (closed_) return;
  read_answers();
  const auto cancelled = services_->store.runs_to_cancel(services_->owner);
  for (const std::string& id : cancelled ? cancelled.value() : std::vector<std::string>()) {
    if (const auto run = find(id)) run->cancel();
  }
}

void Gateway::read_answers() {
  const auto answers = services_->store.answers_after(last_answer_);
  if (!answers) {
    if (options_.on_notice) options_.on_notice(answers.failure().message);
    return;
  }
  bool always = false;
  for (const store::AnswerRecord& answer : answers.value()) {
    last_answer_ = answer.id;
    const auto run = find(answer.run);
    if (!run) continue;  // another gateway's
    run->apply(answer);
    if (!answer.approved || answer.scope == store::Scope::kOnce) continue;
    always = always || answer.scope == store::Scope::kAlways;
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
  if (!options_.remember_rule) return;
  const auto rules = services_->store.rules_to_write();
  for (const store::RememberedRule& rule : rules ? rules.value() : std::vector<store::RememberedRule>()) {
    const auto written = options_.remember_rule(rule.pattern);
    if (!written) {
      if (options_.on_notice) {
        options_.on_notice("the rule \"" + rule.pattern + "\" cannot be written: " + written.failure().message);
      }
      continue;
    }
    services_->note(AuditEvent("rule.remembered").text("rule", rule.pattern));
    (void)services_->store.set_written(rule.id).ok();
  }
}

void Gateway::adopt() {
  if (closed_) return;
  const auto unended = services_->store.unended_runs();
  if (!unended) {
    if (options_.on_notice) options_.on_notice(unended.failure().message);
    return;
  }
  std::map<std::string, bool> alive{{services_->owner, true}};
  for (const store::RunRecord& listed : unended.value()) {
    const auto known = alive.find(listed.owner);
    const bool lives = known != alive.end() ? known->second : owner_is_alive(options_.state_folder, listed.owner);
    alive[listed.owner] = lives;
    if (!lives) adopt_run(listed);
  }
  for (const auto& [owner, lives] : alive) {
    if (!lives) forget_owner(options_.state_folder, owner);
  }
}

void Gateway::adopt_run(const store::RunRecord& listed) {
  const auto taken = services_->store.take_over(listed.id, listed.owner, services_->owner);
  if (!taken || !taken.value()) return;  // another was quicker
  auto record = services_->store.find_run(listed.id);
  if (!record || !record.value()) return;
  services_->note(AuditEvent("run.adopted").text("run", listed.id).text("from", listed.owner));
  auto settings = run_settings_of(record.value()->config);
  const bool journaled = record.value()->journaled;
  const bool cancelled = record.value()->cancel_asked;
  const auto run = manage(std::move(*record.value()), settings ? std::move(settings).value() : RunSettings());
  if (cancelled) return run->cancel();
  if (!settings) return run->end_with("STORE_UNAVAILABLE", settings.failure().message);
  if (!journaled)
    return run->end_with("GATEWAY_DIED", "the gateway ended while the code ran; what it did is in the audit log");
  if (const auto up = run->take_up(); !up) run->end_with("STORE_UNAVAILABLE", up.failure().message);
}

}  // namespace glovebox::gateway
