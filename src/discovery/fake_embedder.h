// For tests: an embedder whose vectors count words, that records its queries, and that fails on request.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "discovery/embedder.h"
#include "search/words.h"

namespace glovebox::discovery::testing {

// The test's view of it: the embedder itself is owned elsewhere.
struct FakeModel {
  std::string model = "fake";
  std::size_t dimensions = 64;
  bool opens = true;
  bool works = true;
  bool calibrated = true;
  bool answers = true;
  bool answers_about_tools = true;
  std::vector<std::string> tools;    // texts, in order
  std::vector<std::string> queries;  // likewise
};

class FakeEmbedder final : public Embedder {
 public:
  FakeEmbedder(boost::asio::any_io_executor executor, std::shared_ptr<FakeModel> fake)
      : executor_(std::move(executor)), fake_(std::move(fake)) {}
  ~FakeEmbedder() override { *alive_ = false; }

  std::string name() const override { return fake_->model; }
  std::size_t batch() const override { return 3; }
  bool is_calibrated() const override { return fake_->calibrated; }

  void open(std::function<void(Result<std::string>)> done) override {
    boost::asio::post(executor_, [alive = alive_, fake = fake_, done] {
      if (!*alive) return;
      done(fake->opens ? Result<std::string>(fake->model) : Failure{ErrorCode::kNotFound, "no weights"});
    });
  }

  void embed(std::vector<std::string> texts, Purpose purpose, std::function<void(Result<Vectors>)> done) override {
    auto& seen = purpose == Purpose::kTools ? fake_->tools : fake_->queries;
    seen.insert(seen.end(), texts.begin(), texts.end());
    if (!fake_->answers || (purpose == Purpose::kTools && !fake_->answers_about_tools)) return;
    boost::asio::post(executor_, [alive = alive_, fake = fake_, texts, done] {
      if (!*alive) return;
      if (!fake->works) return done(Failure{ErrorCode::kSystem, "out of order"});
      Vectors vectors;
      for (const std::string& text : texts) vectors.push_back(vector_of_words(text, fake->dimensions));
      done(vectors);
    });
  }

 private:
  static std::vector<float> vector_of_words(const std::string& text, std::size_t dimensions) {
    std::vector<float> vector(dimensions, 0.0F);
    for (const std::string& word : search::Words().stems(text))
      vector[std::hash<std::string>()(word) % dimensions] += 1;
    float squares = 0.0001F;
    for (const float number : vector) squares += number * number;
    for (float& number : vector) number /= std::sqrt(squares);
    return vector;
  }

  boost::asio::any_io_executor executor_;
  std::shared_ptr<FakeModel> fake_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace glovebox::discovery::testing
