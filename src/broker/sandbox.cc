// The public Sandbox: checks requests, owns the loop thread, and hands everything else to SandboxCore.
#include "glovebox/sandbox.h"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <future>
#include <thread>

#include "base/cores/slice.h"
#include "base/program_part.h"
#include "base/random.h"
#include "base/text/json_slice.h"
#include "base/text/utf8.h"
#include "base/wall_clock.h"
#include "broker/sandbox_core.h"
#include "replay/tool_plan.h"
#include "vfs/commit/recovery.h"
#include "wire/limits.h"

namespace glovebox {
namespace {

namespace asio = boost::asio;
using broker::SandboxCore;

// Long enough that two runs never draw the same one, short enough to be retyped.
std::string fresh_seed() {
  return base::random_hex(16);
}

// Recovers commits that were interrupted when their process was killed.
void recover_commits(const std::function<void(const std::string&)>& on_notice) {
  const vfs::RecoveryReport report = vfs::recover();
  const auto tell = [&](const std::string& text) {
    if (on_notice) on_notice(text);
  };
  if (report.finished > 0) {
    tell("finished " + std::to_string(report.finished) + " commit(s) of file changes that had been interrupted");
  }
  for (const std::string& text : report.kept) tell(text);
  for (const std::string& text : report.failed) tell(text);
}

// The range of ECMAScript's Date, in both directions from 1970.
constexpr std::int64_t kLatestInstantMs = 8'640'000'000'000'000;

// Longer than any real timeout, and short enough that adding it to a clock cannot overflow.
constexpr std::chrono::hours kLongestTime{24 * 365 * 100};

constexpr base::SliceOptions kContextForm{.max_depth = wire::kMaxValueDepth + 1, .finite_numbers = true};

RunError misuse(std::string message) {
  return {ErrorType::kSandboxError, "INVALID_REQUEST", std::move(message), "", {}};
}

std::optional<RunError> refuse(const RunRequest& request) {
  const auto limit = [](FailureCode code, std::string message) {
    return RunError{ErrorType::kLimitError, code, std::move(message), "", {}};
  };
  if (request.code.size() > wire::kMaxSourceBytes) {
    return limit("SOURCE_TOO_LARGE", "the code has " + std::to_string(request.code.size()) + " bytes; the limit is " +
                                         std::to_string(wire::kMaxSourceBytes));
  }
  if (request.context_json.size() > wire::kMaxFrameBytes - 8 * wire::kMaxSourceBytes) {
    return limit("CONTEXT_TOO_LARGE", "the context has " + std::to_string(request.context_json.size()) +
                                          " bytes; the limit is " +
                                          std::to_string(wire::kMaxFrameBytes - 8 * wire::kMaxSourceBytes));
  }
  if (!base::is_utf8(request.code)) {
    return RunError{ErrorType::kSyntaxError, "SYNTAX_ERROR", "SyntaxError: the code is not valid UTF-8", "", {}};
  }
  if (const auto valid = base::check_json(request.context_json, kContextForm); !valid)
    return misuse("context: " + valid.failure().message);
  if (!base::is_utf8(request.name) || request.name.size() > wire::kMaxNameBytes)
    return misuse("name: too long or not UTF-8");
  if (request.seed && (!base::is_utf8(*request.seed) || request.seed->size() > wire::kMaxSeedBytes)) {
    return misuse("seed: longer than " + std::to_string(wire::kMaxSeedBytes) + " bytes or not UTF-8");
  }
  const SandboxConfig& config = request.config;
  if (request.now_ms && (*request.now_ms > kLatestInstantMs || *request.now_ms < -kLatestInstantMs)) {
    return misuse("now: outside the range of a Date");
  }
  if (!request.history.empty() && (!request.seed || !request.now_ms)) {
    return misuse("history: replaying a run needs its seed and its clock");
  }
  if (config.timeout.count() <= 0) return misuse("timeout: must be above zero");
  if (config.total_timeout && config.total_timeout->count() <= 0) return misuse("total timeout: must be above zero");
  if (config.rpc_timeout.count() <= 0) return misuse("rpc timeout: must be above zero");
  if (config.cpu && config.cpu->count() <= 0) return misuse("cpu: must be above zero");
  if (config.memory_bytes < wire::kMinMemoryBytes) {
    return misuse("memory: at least " + std::to_string(wire::kMinMemoryBytes >> 20) + " MB are needed");
  }
  if (config.memory_bytes > std::size_t{1} << 40) return misuse("memory: more than a terabyte");
  if (config.max_output_bytes > wire::kMaxFrameBytes - wire::kFrameOverheadBytes) {
    return misuse("max output: at most " + std::to_string((wire::kMaxFrameBytes >> 20) - 1) + " MB");
  }
  return std::nullopt;
}

Ending ending_of_refusal(RunError error) {
  if (error.type == ErrorType::kLimitError) return LimitHit{std::move(error)};
  if (error.type == ErrorType::kSyntaxError) return Failed{std::move(error)};
  return Crashed{std::move(error)};
}

}  // namespace

class Sandbox::Impl {
 public:
  explicit Impl(SandboxOptions options) : work_(io_->get_executor()) {
    if (options.engine_path.empty()) options.engine_path = base::program_part("glovebox-engine");
    if (options.guest_library_path.empty()) options.guest_library_path = base::program_part("libglovebox-guest.so");
    if (options.net_library_path.empty()) options.net_library_path = base::program_part("libglovebox-net.so");
    // With no place at all, every run would wait forever.
    options.max_concurrent_runs = std::max<std::size_t>(options.max_concurrent_runs, 1);
    if (options.python_pack_path.empty()) options.python_pack_path = base::program_part("glovebox-python.pack");
    if (options.cache_folder.empty()) options.cache_folder = jail::user_cache_folder();
    const auto http = std::make_shared<calls::HttpLoader>(options.net_library_path);
    max_total_memory_ = options.max_total_memory_bytes;
    const auto places = std::make_shared<broker::RunPlaces>(
        broker::RunPlaces::Limits{options.max_concurrent_runs, max_total_memory_, options.max_client_memory_bytes});
    core_ = std::make_shared<SandboxCore>(io_, options, jail::ZygoteKind::kJavaScript, http, places);
    const bool warm_javascript = options.warm_javascript;
    const bool warm_python = options.warm_python;
    const auto on_notice = options.on_notice;
    python_ = std::make_shared<SandboxCore>(io_, std::move(options), jail::ZygoteKind::kPython, http, places);
    for (const auto& core : {core_, python_}) {
      places->when_free([weak = std::weak_ptr(core)] {
        if (const auto alive = weak.lock()) alive->post_advance();
      });
    }
    // What keeps it from starting, the first run finds again and reports.
    if (warm_javascript) asio::post(*io_, [core = core_] { (void)core->ensure_zygote(); });
    if (warm_python) {
      asio::post(*io_, [python = python_] { python->when_warm([](const Result<void>&) {}); });
    }
    // The zygote dies with the thread that started it, so that thread lives as long as the Sandbox.
    thread_ = std::thread([this] {
      base::answer_soon();
      io_->run();
    });
    recover_commits(on_notice);  // before the first run, and while a zygote boots
  }

  ~Impl() {  // NOLINT(bugprone-exception-escape): nothing here throws while there is memory
    asio::post(*io_, [this] {
      core_->stop();
      python_->stop();
      work_.reset();
    });
    thread_.join();
  }

  const std::shared_ptr<SandboxCore>& core_for(Language language) const {
    return language == Language::kPython ? python_ : core_;
  }
  Run submit(RunRequest request, std::optional<std::vector<std::string>> plan, std::function<void(Outcome)> done);

  // Shared with threads that may be posting a cancel right now.
  std::shared_ptr<asio::io_context> io_ = std::make_shared<asio::io_context>(1);
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::shared_ptr<SandboxCore> core_;
  std::shared_ptr<SandboxCore> python_;  // has no process before its first run
  std::atomic<std::uint64_t> last_run_id_{0};
  std::size_t max_total_memory_ = 0;
  std::thread thread_;
};

struct Run::State {
  std::function<void()> cancel;
};

void Run::cancel() const {
  if (state_ && state_->cancel) state_->cancel();
}

Sandbox::Sandbox(SandboxOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Sandbox::Sandbox(Sandbox&&) noexcept = default;
Sandbox& Sandbox::operator=(Sandbox&&) noexcept = default;
Sandbox::~Sandbox() = default;

Result<Sandbox> Sandbox::start(SandboxOptions options) {
  Sandbox sandbox(std::move(options));
  std::promise<Result<void>> started;
  asio::post(*sandbox.impl_->io_, [&] { started.set_value(sandbox.impl_->core_->ensure_zygote()); });
  if (auto result = started.get_future().get(); !result) return std::move(result).failure();
  return sandbox;
}

Run Sandbox::Impl::submit(RunRequest request, std::optional<std::vector<std::string>> plan,
                          std::function<void(Outcome)> done) {
  const auto submitted = SandboxCore::Clock::now();
  request.config.timeout = std::min<std::chrono::milliseconds>(request.config.timeout, kLongestTime);
  request.config.total_timeout = std::min<std::chrono::milliseconds>(request.config.most_time(), kLongestTime);
  request.config.rpc_timeout = std::min<std::chrono::milliseconds>(request.config.rpc_timeout, kLongestTime);
  if (request.language == Language::kPython) {
    SandboxConfig& config = request.config;
    config.cpu = std::min(config.cpu.value_or(config.timeout), config.python_cpu);
    config.memory_bytes = std::min(config.memory_bytes, config.python_memory_bytes);
  }
  if (request.config.cpu) request.config.cpu = std::min<std::chrono::milliseconds>(*request.config.cpu, kLongestTime);
  const std::uint64_t run_id = ++last_run_id_;
  Run run;
  run.state_ = std::make_shared<Run::State>();
  run.state_->cancel = [io = std::weak_ptr(io_), core = std::weak_ptr(core_for(request.language)), run_id] {
    // Both may be gone. The locks keep them only while the cancel is posted, and the loop longer than the core, which
    // refers to it.
    const auto loop = io.lock();
    if (const auto alive = core.lock()) alive->post_cancel(run_id);
  };
  auto refusal = refuse(request);
  if (!refusal && max_total_memory_ > 0 && request.config.memory_bytes > max_total_memory_) {
    refusal = misuse("memory: more than the " + std::to_string(max_total_memory_ >> 20) +
                     " MB that all runs may have together");
  }
  if (!request.seed) request.seed = fresh_seed();
  if (!request.now_ms) request.now_ms = base::now_ms();
  auto grants = calls::GrantSet::parse(request.config);
  if (!refusal && !grants) refusal = misuse(grants.failure().message);
  // NOLINTNEXTLINE(bugprone-use-after-move): captures are made in their order
  asio::post(*io_, [core = core_for(request.language), run_id, request = std::move(request), grants = std::move(grants),
                    submitted, plan = std::move(plan), done = std::move(done), refusal = std::move(refusal)]() mutable {
    if (!refusal) {
      return core->submit(run_id, std::move(request), std::move(grants).value(), submitted, std::move(plan),
                          std::move(done));
    }
    if (request.tools) request.tools->end();
    Outcome outcome;
    outcome.metrics.seed = *request.seed;
    outcome.metrics.now_ms = *request.now_ms;
    outcome.ending = ending_of_refusal(std::move(*refusal));
    done(std::move(outcome));
  });
  return run;
}

Run Sandbox::submit(RunRequest request, std::function<void(Outcome)> done) {
  return impl_->submit(std::move(request), std::nullopt, std::move(done));
}

void Sandbox::plan(PlanRequest request, std::function<void(Result<ToolPlan>)> done) {
  RunRequest reading;
  reading.code = std::move(request.code);
  reading.language = request.language;
  reading.name = std::move(request.name);
  std::erase_if(request.servers, [](const std::string& server) { return !base::is_utf8(server); });
  impl_->submit(std::move(reading), std::move(request.servers),
                [done = std::move(done)](Outcome outcome) { done(replay::plan_of(std::move(outcome))); });
}

Result<ToolPlan> Sandbox::plan(PlanRequest request) {
  std::promise<Result<ToolPlan>> planned;
  plan(std::move(request), [&](Result<ToolPlan> plan) { planned.set_value(std::move(plan)); });
  return planned.get_future().get();
}

Outcome Sandbox::run(RunRequest request) {
  std::promise<Outcome> ended;
  submit(std::move(request), [&](Outcome outcome) { ended.set_value(std::move(outcome)); });
  return ended.get_future().get();
}

PoolFigures Sandbox::pool(Language language) const {
  return impl_->core_for(language)->figures();
}

Result<void> Sandbox::wait_until_warm(Language language) {
  std::promise<Result<void>> warm;
  asio::post(*impl_->io_, [&] {
    impl_->core_for(language)->when_warm([&](Result<void> result) { warm.set_value(std::move(result)); });
  });
  return warm.get_future().get();
}

}  // namespace glovebox
