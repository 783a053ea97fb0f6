#include "types/sealed/type_generator.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "base/unique_fd.h"
#include "types/sealed/part_source.h"

namespace glovebox::types {

// The thread that makes texts. It is the process's parent, and the process dies with it.
class TypeGenerator::Worker {
 public:
  Worker(boost::asio::any_io_executor executor, TypeGeneratorOptions options)
      : executor_(std::move(executor)),
        options_(std::move(options)),
        parts_(options_, stop_.get(), [this](std::string text) { tell(std::move(text)); }) {}

  ~Worker() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      jobs_.clear();
    }
    wake_.notify_all();
    const std::uint64_t one = 1;
    (void)!::write(stop_.get(), &one, sizeof one);
    if (thread_.joinable()) thread_.join();
  }

  void add(ComposeText compose, std::function<void(MadeText)> done) {
    {
      const std::lock_guard lock(mutex_);
      if (jobs_.size() < kMostTextsWaiting) {
        jobs_.push_back({std::move(compose), std::move(done), PartSource::Clock::now() + options_.whole_time});
        // Started only when needed: most programs with this object never declare anything.
        if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
        wake_.notify_all();
        return;
      }
    }
    const auto open = [](const PartQuestion& question) { return open_part(question, "too many texts wait"); };
    answer(std::move(done), {compose(open), false});
  }

 private:
  struct Job {
    ComposeText compose;
    std::function<void(MadeText)> done;
    PartSource::Clock::time_point until;
  };

  void answer(std::function<void(MadeText)> done, MadeText made) {
    boost::asio::post(executor_, [done = std::move(done), made = std::move(made)]() mutable { done(std::move(made)); });
  }

  void tell(std::string text) {
    const std::lock_guard lock(mutex_);
    if (!options_.on_notice || ending_) return;
    boost::asio::post(executor_, [notice = options_.on_notice, text = std::move(text)] { notice(text); });
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (!ending_) {
      if (jobs_.empty()) {
        if (wake_.wait_for(lock, options_.idle_time, [this] { return ending_ || !jobs_.empty(); })) continue;
        lock.unlock();  // the end of a process takes milliseconds
        parts_.rest();
        lock.lock();
        continue;
      }
      Job job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      MadeText made = parts_.make(job.compose, job.until);
      lock.lock();
      // While this is being destroyed, no answer is wanted any more.
      if (!ending_) answer(std::move(job.done), std::move(made));
    }
    parts_.rest();
  }

  boost::asio::any_io_executor executor_;
  TypeGeneratorOptions options_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  bool ending_ = false;
  base::UniqueFd stop_{::eventfd(0, EFD_CLOEXEC)};
  PartSource parts_;  // used by the thread only
  std::thread thread_;
};

TypeGenerator::TypeGenerator(boost::asio::any_io_executor executor, TypeGeneratorOptions options)
    : worker_(std::make_unique<Worker>(std::move(executor), std::move(options))) {}

TypeGenerator::~TypeGenerator() = default;

void TypeGenerator::make(ComposeText compose, std::function<void(MadeText)> done) {
  worker_->add(std::move(compose), std::move(done));
}

}  // namespace glovebox::types
