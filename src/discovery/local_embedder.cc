#include "discovery/local_embedder.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <chrono>
#include <mutex>
#include <span>
#include <thread>

#include "base/lane.h"
#include "base/try.h"

namespace glovebox::discovery {
namespace {

// Enough that storing the vectors costs little compared to computing them.
constexpr std::size_t kLocalBatch = 16;
// When a query comes, tools pause for so long. A low priority is not enough: the rest of a search wakes other threads
// and processes a dozen times, which would each share a core and its cache with them.
constexpr std::chrono::milliseconds kPause{50};
// Texts of a batch that are embedded between two pauses: a few milliseconds.
constexpr std::size_t kTextsAtOnce = 2;
// Threads that embed tools. More would be faster, and slow down everything else.
constexpr std::size_t kMostLanes = 2;
// Of those threads: all other work on the machine comes first.
constexpr int kNiceness = 10;

// Shared by the threads. It may outlive the embedder by one job of each.
struct Work {
  using Clock = std::chrono::steady_clock;

  Work(boost::asio::any_io_executor on, OpenEncoder how) : executor(std::move(on)), open(std::move(how)) {}

  // The executor's loop may be gone with the embedder, and nothing is posted to it then.
  void tell(std::function<void()> what) {
    const std::lock_guard lock(mutex);
    if (!closed) boost::asio::post(executor, std::move(what));
  }
  void close() {
    const std::lock_guard lock(mutex);
    closed = true;
  }
  void pause_tools() { paused_until = Clock::now() + kPause; }
  // Once per call, so that tools advance however many queries come.
  void wait_for_queries() const { std::this_thread::sleep_until(paused_until.load()); }

  std::mutex mutex;
  bool closed = false;
  std::atomic<Clock::time_point> paused_until{Clock::time_point()};
  boost::asio::any_io_executor executor;
  OpenEncoder open;
};

Result<Vectors> embed_with_pauses(const Work& work, search::Encoder& encoder, std::span<const std::string> texts) {
  Vectors all;
  while (!texts.empty()) {
    work.wait_for_queries();
    const auto some = texts.first(std::min(texts.size(), kTextsAtOnce));
    for (std::vector<float>& vector : GLOVEBOX_TRY(encoder.embed(some))) all.push_back(std::move(vector));
    texts = texts.subspan(some.size());
  }
  return all;
}

using EncoderOfThread = std::shared_ptr<std::unique_ptr<search::Encoder>>;

class LocalEmbedder final : public Embedder {
 public:
  LocalEmbedder(boost::asio::any_io_executor executor, OpenEncoder open, bool calibrated)
      : work_(std::make_shared<Work>(std::move(executor), std::move(open))), calibrated_(calibrated) {}
  ~LocalEmbedder() override { work_->close(); }

  std::string name() const override { return "the local model"; }
  std::size_t batch() const override { return kLocalBatch; }
  std::size_t lanes() const override { return tools_.size(); }
  bool is_calibrated() const override { return calibrated_; }

  void open(std::function<void(Result<std::string>)> done) override {
    queries_.lane.post([work = work_, own = queries_.encoder, tools = encoders_of_tools(), done = std::move(done)] {
      Result<std::string> model = std::string();
      if (!*own) {
        if (auto opened = work->open(); opened) {
          *own = std::move(opened).value();
          // They are not used before `done` is called.
          for (const EncoderOfThread& tool : tools) *tool = (*own)->another();
        } else {
          model = std::move(opened).failure();
        }
      }
      if (*own) model = (*own)->model();
      work->tell([work, done, model = std::move(model)] {
        if (!work->closed) done(model);
      });
    });
  }

  void embed(std::vector<std::string> texts, Purpose purpose, std::function<void(Result<Vectors>)> done) override {
    const bool query = purpose == Purpose::kQuery;
    if (query) work_->pause_tools();
    Thread& thread = query ? queries_ : tools_[next_++ % tools_.size()];
    thread.lane.post([work = work_, encoder = thread.encoder, query, texts = std::move(texts), done = std::move(done)] {
      if (!query) ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNiceness);
      Result<Vectors> vectors = Failure{ErrorCode::kNotFound, "the model is not open"};
      if (*encoder) vectors = query ? (*encoder)->embed(texts) : embed_with_pauses(*work, **encoder, texts);
      work->tell([work, done, vectors = std::move(vectors)] {
        if (!work->closed) done(vectors);
      });
    });
  }

 private:
  struct Thread {
    base::Lane lane;
    EncoderOfThread encoder = std::make_shared<std::unique_ptr<search::Encoder>>();
  };

  std::vector<EncoderOfThread> encoders_of_tools() const {
    std::vector<EncoderOfThread> encoders;
    for (const Thread& thread : tools_) encoders.push_back(thread.encoder);
    return encoders;
  }

  std::shared_ptr<Work> work_;
  bool calibrated_;
  Thread queries_;
  std::vector<Thread> tools_ =
      std::vector<Thread>(std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMostLanes));
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Embedder> make_local_embedder(boost::asio::any_io_executor executor, OpenEncoder open,
                                              bool calibrated) {
  return std::make_unique<LocalEmbedder>(std::move(executor), std::move(open), calibrated);
}

}  // namespace glovebox::discovery
