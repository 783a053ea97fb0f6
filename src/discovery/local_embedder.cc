#include "discovery/local_embedder.h"

#include <boost/asio/post.hpp>
#include <mutex>

#include "base/lane.h"

namespace glovebox::discovery {
namespace {

// Few enough that a query is soon its turn.
constexpr std::size_t kLocalBatch = 4;

// What the thread touches. It may outlive the embedder by one job.
struct Work {
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

  std::mutex mutex;
  bool closed = false;
  boost::asio::any_io_executor executor;
  OpenEncoder open;
  std::unique_ptr<search::Encoder> encoder;  // the thread's alone
};

class LocalEmbedder final : public Embedder {
 public:
  LocalEmbedder(boost::asio::any_io_executor executor, OpenEncoder open)
      : work_(std::make_shared<Work>(std::move(executor), std::move(open))) {}
  ~LocalEmbedder() override { work_->close(); }

  std::string name() const override { return "the local model"; }
  std::size_t batch() const override { return kLocalBatch; }
  bool is_calibrated() const override { return true; }

  void open(std::function<void(Result<std::string>)> done) override {
    lane_.post([work = work_, done = std::move(done)] {
      Result<std::string> model = std::string();
      if (!work->encoder) {
        if (auto opened = work->open(); opened) {
          work->encoder = std::move(opened).value();
        } else {
          model = std::move(opened).failure();
        }
      }
      if (work->encoder) model = work->encoder->model();
      work->tell([work, done, model = std::move(model)] {
        if (!work->closed) done(model);
      });
    });
  }

  void embed(std::vector<std::string> texts, Purpose, std::function<void(Result<Vectors>)> done) override {
    lane_.post([work = work_, texts = std::move(texts), done = std::move(done)] {
      Result<Vectors> vectors = Failure{ErrorCode::kNotFound, "the model is not open"};
      if (work->encoder) vectors = work->encoder->embed(texts);
      work->tell([work, done, vectors = std::move(vectors)] {
        if (!work->closed) done(vectors);
      });
    });
  }

 private:
  std::shared_ptr<Work> work_;
  base::Lane lane_;
};

}  // namespace

std::unique_ptr<Embedder> make_local_embedder(boost::asio::any_io_executor executor, OpenEncoder open) {
  return std::make_unique<LocalEmbedder>(std::move(executor), std::move(open));
}

}  // namespace glovebox::discovery
