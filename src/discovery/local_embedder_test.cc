#include "discovery/local_embedder.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <map>
#include <mutex>

namespace glovebox::discovery {
namespace {

using Clock = std::chrono::steady_clock;

// How the encoder was called with a text.
struct SeenText {
  int niceness = 0;
  std::size_t together = 0;  // texts of the same call
  Clock::time_point at;
};

struct SeenTexts {
  std::mutex mutex;
  std::map<std::string, SeenText> texts;

  SeenText of(const std::string& text) {
    const std::lock_guard lock(mutex);
    return texts.at(text);
  }
};

class WatchedEncoder final : public search::Encoder {
 public:
  explicit WatchedEncoder(std::shared_ptr<SeenTexts> seen) : seen_(std::move(seen)) {}

  std::string model() const override { return "watched"; }
  std::size_t dimensions() const override { return 1; }
  std::unique_ptr<search::Encoder> another() const override { return std::make_unique<WatchedEncoder>(seen_); }
  Result<Vectors> embed(std::span<const std::string> texts) override {
    const std::lock_guard lock(seen_->mutex);
    Vectors vectors;
    for (const std::string& text : texts) {
      const int niceness = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()));
      seen_->texts[text] = {niceness, texts.size(), Clock::now()};
      vectors.push_back({static_cast<float>(text.size())});
    }
    return vectors;
  }

 private:
  std::shared_ptr<SeenTexts> seen_;
};

class LocalEmbedderTest : public ::testing::Test {
 protected:
  LocalEmbedderTest() {
    bool opened = false;
    embedder_->open([&](const Result<std::string>& model) { opened = model.ok(); });
    run_until([&] { return opened; });
  }
  void run_until(const std::function<bool()>& done) {
    while (!done()) io_.run_one();
  }
  void embed(std::vector<std::string> texts, Embedder::Purpose purpose) {
    embedder_->embed(std::move(texts), purpose, [this](Result<Vectors> vectors) {
      ASSERT_TRUE(vectors.ok());
      made_.push_back(std::move(vectors).value());
    });
  }

  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{io_.get_executor()};
  std::shared_ptr<SeenTexts> seen_ = std::make_shared<SeenTexts>();
  std::unique_ptr<Embedder> embedder_ = make_local_embedder(
      io_.get_executor(),
      [seen = seen_]() -> Result<std::unique_ptr<search::Encoder>> {
        return std::unique_ptr<search::Encoder>(std::make_unique<WatchedEncoder>(seen));
      },
      true);
  std::vector<Vectors> made_;
};

TEST_F(LocalEmbedderTest, ToolsComeAfterAllOtherWork) {
  embed({"a query"}, Embedder::Purpose::kQuery);
  for (const char* text : {"first", "second"}) embed({text}, Embedder::Purpose::kTools);
  run_until([&] { return made_.size() == 3; });
  EXPECT_EQ(seen_->of("a query").niceness, ::getpriority(PRIO_PROCESS, 0));
  for (const char* text : {"first", "second"}) EXPECT_GE(seen_->of(text).niceness, 10) << text;
}

TEST_F(LocalEmbedderTest, ToolsPauseForAQuery) {
  const Clock::time_point asked = Clock::now();
  embed({"a query"}, Embedder::Purpose::kQuery);
  embed({"first"}, Embedder::Purpose::kTools);
  run_until([&] { return made_.size() == 2; });
  EXPECT_GE(seen_->of("first").at - asked, std::chrono::milliseconds(50));
}

TEST_F(LocalEmbedderTest, VectorsOfABatchComeInOrderAlthoughItIsEmbeddedInParts) {
  std::vector<std::string> texts;
  Vectors expected;
  for (std::size_t i = 1; i <= 10; ++i) {
    texts.emplace_back(i, 'x');
    expected.push_back({static_cast<float>(i)});
  }
  embed(texts, Embedder::Purpose::kTools);
  run_until([&] { return made_.size() == 1; });
  EXPECT_EQ(made_[0], expected);
  for (const std::string& text : texts) EXPECT_LE(seen_->of(text).together, 2u);
}

}  // namespace
}  // namespace glovebox::discovery
