// EmbedderChoice: the first of several embedders that works. One that fails is replaced by the next, and tried again
// from time to time; the last resort is none at all. On one thread, the executor's.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "discovery/embedder.h"

namespace glovebox::discovery {

class EmbedderChoice {
 public:
  struct Events {
    // Another one is in use, or none: earlier vectors do not fit model() any more.
    std::function<void()> on_change;
    std::function<void(const std::string&)> on_notice;  // what the owner should know, one line each
  };
  EmbedderChoice(boost::asio::any_io_executor executor, std::vector<std::unique_ptr<Embedder>> embedders,
                 std::chrono::milliseconds retry_interval, Events events);
  ~EmbedderChoice();

  void start();
  // Whether it is known which one is in use; false while one is being opened.
  bool is_settled() const { return settled_; }
  // Of the one in use; empty: none.
  const std::string& model() const { return model_; }
  bool is_calibrated() const;
  std::size_t batch() const;
  std::size_t lanes() const;
  // Why the first is not in use; empty: it is, or nothing is known yet.
  const std::string& trouble() const { return trouble_; }

  // The vectors of the one in use are unusable: as if it had failed.
  void refuse(const Failure& why);
  // By the one in use. If it fails, another one is in use or being opened by the time that `done` is called.
  void embed(std::vector<std::string> texts, Embedder::Purpose purpose, std::function<void(Result<Vectors>)> done);

 private:
  void open(std::size_t which);
  void opened(std::size_t which, Result<std::string> model);
  void leave(std::size_t which, const Failure& why);
  void retry_later();
  void retry();
  void notice(const std::string& text);

  boost::asio::any_io_executor executor_;
  std::vector<std::unique_ptr<Embedder>> embedders_;
  std::chrono::milliseconds retry_interval_;
  Events events_;
  boost::asio::steady_timer timer_;
  std::size_t used_ = 0;  // into embedders_, or their number: none
  bool settled_ = false;
  std::string model_;
  std::string trouble_;
  std::string last_notice_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace glovebox::discovery
