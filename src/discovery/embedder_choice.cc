#include "discovery/embedder_choice.h"

#include <boost/asio/post.hpp>

namespace glovebox::discovery {

EmbedderChoice::EmbedderChoice(boost::asio::any_io_executor executor, std::vector<std::unique_ptr<Embedder>> embedders,
                               std::chrono::milliseconds retry_interval, Events events)
    : executor_(executor),
      embedders_(std::move(embedders)),
      retry_interval_(retry_interval),
      events_(std::move(events)),
      timer_(executor) {}

EmbedderChoice::~EmbedderChoice() {
  *alive_ = false;
}

void EmbedderChoice::start() {
  open(0);
}

bool EmbedderChoice::is_calibrated() const {
  return used_ < embedders_.size() && embedders_[used_]->is_calibrated();
}

std::size_t EmbedderChoice::batch() const {
  return used_ < embedders_.size() ? embedders_[used_]->batch() : 1;
}

std::size_t EmbedderChoice::lanes() const {
  return used_ < embedders_.size() ? embedders_[used_]->lanes() : 1;
}

void EmbedderChoice::open(std::size_t which) {
  used_ = which;
  settled_ = false;
  model_.clear();
  if (which < embedders_.size()) {
    return embedders_[which]->open([this, alive = alive_, which](Result<std::string> model) {
      if (*alive && used_ == which && !settled_) opened(which, std::move(model));
    });
  }
  boost::asio::post(executor_, [this, alive = alive_] {
    if (!*alive || used_ != embedders_.size() || settled_) return;
    settled_ = true;
    events_.on_change();
  });
}

void EmbedderChoice::opened(std::size_t which, Result<std::string> model) {
  if (!model) return leave(which, model.failure());
  settled_ = true;
  model_ = std::move(model).value();
  if (which == 0) trouble_.clear();
  events_.on_change();
}

void EmbedderChoice::leave(std::size_t which, const Failure& why) {
  const bool is_last = which + 1 == embedders_.size();
  std::string text = embedders_[which]->name() + " cannot be used (" + why.message + "); ";
  text += is_last ? "tools are searched by keywords only" : embedders_[which + 1]->name() + " is used instead";
  if (which == 0) trouble_ = text;
  notice(text);
  open(which + 1);
  if (which == 0 && !is_last) retry_later();
}

void EmbedderChoice::refuse(const Failure& why) {
  if (settled_ && used_ < embedders_.size()) leave(used_, why);
}

void EmbedderChoice::retry_later() {
  timer_.expires_after(retry_interval_);
  timer_.async_wait([this, alive = alive_](const boost::system::error_code& error) {
    if (!error && *alive) retry();
  });
}

// With a dummy text, and while another one is in use: no search waits for this.
void EmbedderChoice::retry() {
  if (used_ == 0) return;
  const auto tried = [this, alive = alive_](const Result<Vectors>& vectors) {
    if (!*alive || used_ == 0) return;
    if (!vectors) return retry_later();
    notice(embedders_[0]->name() + " is back in use");
    open(0);
  };
  embedders_[0]->open([this, alive = alive_, tried](const Result<std::string>& model) {
    if (!*alive || used_ == 0) return;
    if (!model) return retry_later();
    embedders_[0]->embed({"tool"}, Embedder::Purpose::kQuery, tried);
  });
}

void EmbedderChoice::notice(const std::string& text) {
  if (text == last_notice_) return;
  last_notice_ = text;
  if (events_.on_notice) events_.on_notice(text);
}

void EmbedderChoice::embed(std::vector<std::string> texts, Embedder::Purpose purpose,
                           std::function<void(Result<Vectors>)> done) {
  if (!settled_ || model_.empty()) {
    return boost::asio::post(executor_, [alive = alive_, done = std::move(done)] {
      if (*alive) done(Failure{ErrorCode::kNotFound, "no model is in use"});
    });
  }
  embedders_[used_]->embed(std::move(texts), purpose,
                           [this, alive = alive_, which = used_, done = std::move(done)](Result<Vectors> vectors) {
                             if (!*alive) return;
                             if (!vectors && settled_ && used_ == which) leave(which, vectors.failure());
                             done(std::move(vectors));
                           });
}

}  // namespace glovebox::discovery
