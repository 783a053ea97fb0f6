#include "catalog/config_watch.h"

#include <boost/asio/steady_timer.hpp>

namespace glovebox::catalog {

struct ConfigWatch::State : std::enable_shared_from_this<State> {
  State(const boost::asio::any_io_executor& executor, std::string path, Changed changed,
        std::chrono::milliseconds pause)
      : timer(executor), path(std::move(path)), changed(std::move(changed)), pause(pause) {}

  boost::asio::steady_timer timer;
  std::string path;
  Changed changed;
  std::chrono::milliseconds pause;
  config::FileStamp seen;      // what was read last
  config::FileStamp glimpsed;  // what was there at the last poll

  void wait() {
    timer.expires_after(pause);
    timer.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
      const auto self = weak.lock();
      if (error || !self) return;
      const config::FileStamp now = config::stamp_of(self->path);
      // The same in two polls: it is not being written.
      const bool settled = now == self->glimpsed;
      self->glimpsed = now;
      if (settled && now.inode != 0 && now != self->seen) {
        self->seen = now;
        self->changed(config::read_config_file(self->path));
      }
      self->wait();
    });
  }
};

ConfigWatch::ConfigWatch(boost::asio::any_io_executor executor, std::string path, config::FileStamp known,
                         Changed changed, std::chrono::milliseconds pause)
    : state_(std::make_shared<State>(executor, std::move(path), std::move(changed), pause)) {
  state_->seen = state_->glimpsed = known;
  state_->wait();
}

ConfigWatch::~ConfigWatch() {
  state_->timer.cancel();
}

}  // namespace glovebox::catalog
