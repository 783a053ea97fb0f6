#include "check/type_checker.h"

#include <stdlib.h>

#include <algorithm>
#include <boost/asio/post.hpp>

#include "base/program_part.h"
#include "base/text/utf8.h"
#include "base/threads/job_thread.h"
#include "base/try.h"
#include "check/check_session.h"

namespace glovebox::check {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPauseAfterFailure{30};

// The file beside the program is a link; the language's declarations are where it leads.
std::string real_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), ::free);
  return real ? real.get() : "";
}

}  // namespace

// Its thread owns the server. It is the server's parent, and the server dies with it.
class TypeChecker::Worker {
 public:
  Worker(boost::asio::any_io_executor executor, TypeCheckerOptions options)
      : executor_(std::move(executor)),
        options_(std::move(options)),
        thread_({kMostWaiting, options_.idle_time, [this] { session_.reset(); }}) {}

  ~Worker() { thread_.end(); }

  void add(CheckRequest request, std::function<void(CheckReport)> done) {
    const auto now = Clock::now();
    const auto until = std::min(request.until, now + options_.whole_time);
    const auto job = std::make_shared<Job>(Job{std::move(request), std::move(done), now, until});
    const auto& declarations = job->request.declarations;
    if (!base::is_utf8(job->request.code)) return answer(*job, {}, "the program is not UTF-8");
    if (job->request.code.size() > kMostCodeBytes) return answer(*job, {}, "the program is too long");
    if (declarations && declarations->size() > kMostDeclarationBytes)
      return answer(*job, {}, "there are too many tools");
    if (!thread_.post([this, job] { serve(*job); })) answer(*job, {}, "too many programs wait to be checked");
  }

 private:
  struct Job {
    CheckRequest request;
    std::function<void(CheckReport)> done;
    Clock::time_point asked;
    Clock::time_point until;
  };

  void answer(Job& job, std::vector<Diagnostic> diagnostics, std::string note) {
    CheckReport report{std::move(diagnostics), std::move(note), 0};
    report.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - job.asked).count();
    boost::asio::post(executor_,
                      [done = std::move(job.done), report = std::move(report)]() mutable { done(std::move(report)); });
  }

  void serve(Job& job) {
    const auto begun = Clock::now();
    if (begun >= std::min(job.asked + 2 * options_.check_time, job.until)) {
      return answer(job, {}, "the type checker is busy");
    }
    auto diagnostics = check(job);
    if (!diagnostics) {
      session_.reset();
      std::string note = diagnostics.failure().message;
      if (Clock::now() >= job.until) note += time_spent(job, begun);
      return answer(job, {}, std::move(note));
    }
    answer(job, std::move(diagnostics).value(), "");
  }

  static std::string time_spent(const Job& job, Clock::time_point begun) {
    const auto milliseconds = [](Clock::duration time) {
      return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count()) + " ms";
    };
    return ": " + milliseconds(begun - job.asked) + " in the queue, " + milliseconds(Clock::now() - begun) +
           " to start and check";
  }

  Result<std::vector<Diagnostic>> check(const Job& job) {
    if (!session_) GLOVEBOX_TRY_VOID(start(job));
    const auto until = std::min(Clock::now() + options_.check_time, job.until);
    return session_->check(job.request.code, job.request.declarations, until);
  }

  // A start that fails is independent of the program: for a while, the next one fails at once.
  Result<void> start(const Job& job) {
    const bool same = failed_with_ == job.request.declarations;
    if (start_failure_ && same && Clock::now() < failed_at_ + kPauseAfterFailure) return *start_failure_;
    // One that is cut short because the program has waited says nothing about the next.
    const bool is_short = job.until < Clock::now() + options_.start_time;
    auto session = open_session(job);
    if (session) {
      start_failure_.reset();
      session_ = std::move(session).value();
      return {};
    }
    if (is_short && Clock::now() >= job.until) return session.failure();
    start_failure_ = session.failure();
    failed_with_ = job.request.declarations;
    failed_at_ = Clock::now();
    return *start_failure_;
  }

  Result<std::unique_ptr<CheckSession>> open_session(const Job& job) const {
    const std::string given = options_.program.empty() ? base::program_part("glovebox-tsc") : options_.program;
    const std::string program = real_path(given);
    if (program.empty()) return Failure{ErrorCode::kNotFound, "the type checker is not installed (" + given + ")"};
    return CheckSession::start({program, options_.memory_bytes, options_.missing_layers}, job.request.declarations,
                               thread_.stop(), std::min(Clock::now() + options_.start_time, job.until));
  }

  boost::asio::any_io_executor executor_;
  TypeCheckerOptions options_;
  base::JobThread thread_;
  // Used by the thread only.
  std::unique_ptr<CheckSession> session_;
  std::optional<Failure> start_failure_;
  std::shared_ptr<const std::string> failed_with_;
  Clock::time_point failed_at_;
};

TypeChecker::TypeChecker(boost::asio::any_io_executor executor, TypeCheckerOptions options)
    : worker_(std::make_shared<Worker>(std::move(executor), std::move(options))) {}

TypeChecker::~TypeChecker() = default;

void TypeChecker::check(CheckRequest request, std::function<void(CheckReport)> done) {
  worker_->add(std::move(request), std::move(done));
}

}  // namespace glovebox::check
