#include "types/sealed/type_generator.h"

#include <boost/asio/post.hpp>

#include "base/threads/job_thread.h"
#include "types/sealed/part_source.h"

namespace glovebox::types {

// Its thread makes texts. It is the process's parent, and the process dies with it.
class TypeGenerator::Worker {
 public:
  Worker(boost::asio::any_io_executor executor, TypeGeneratorOptions options)
      : executor_(std::move(executor)),
        options_(std::move(options)),
        thread_({kMostTextsWaiting, options_.idle_time, [this] { parts_.rest(); }}),
        parts_(options_, thread_.stop(), [this](std::string text) { tell(std::move(text)); }) {}

  ~Worker() { thread_.end(); }

  void add(ComposeText compose, std::function<void(MadeText)> done) {
    const auto until = PartSource::Clock::now() + options_.whole_time;
    const auto job = std::make_shared<Job>(Job{std::move(compose), std::move(done)});
    const bool waits = thread_.post([this, job, until] {
      MadeText made = parts_.make(job->compose, until);
      // While this is being destroyed, no answer is wanted any more.
      if (!thread_.is_ending()) answer(*job, std::move(made));
    });
    if (waits) return;
    const auto open = [](const PartQuestion& question) { return open_part(question, "too many texts wait"); };
    answer(*job, {job->compose(open), false});
  }

 private:
  struct Job {
    ComposeText compose;
    std::function<void(MadeText)> done;
  };

  void answer(Job& job, MadeText made) {
    boost::asio::post(executor_,
                      [done = std::move(job.done), made = std::move(made)]() mutable { done(std::move(made)); });
  }

  void tell(std::string text) {
    if (!options_.on_notice || thread_.is_ending()) return;
    boost::asio::post(executor_, [notice = options_.on_notice, text = std::move(text)] { notice(text); });
  }

  boost::asio::any_io_executor executor_;
  TypeGeneratorOptions options_;
  base::JobThread thread_;
  PartSource parts_;  // used by the thread only
};

TypeGenerator::TypeGenerator(boost::asio::any_io_executor executor, TypeGeneratorOptions options)
    : worker_(std::make_unique<Worker>(std::move(executor), std::move(options))) {}

TypeGenerator::~TypeGenerator() = default;

void TypeGenerator::make(ComposeText compose, std::function<void(MadeText)> done) {
  worker_->add(std::move(compose), std::move(done));
}

}  // namespace glovebox::types
