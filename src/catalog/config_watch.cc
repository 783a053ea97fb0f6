#include "catalog/config_watch.h"

#include <sys/stat.h>

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
  struct stat seen {};      // what was read last
  struct stat glimpsed {};  // what was there at the last look

  struct stat look() const {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    return status;
  }
  static bool same(const struct stat& a, const struct stat& b) {
    return a.st_ino == b.st_ino && a.st_dev == b.st_dev && a.st_size == b.st_size &&
           a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
  }

  void wait() {
    timer.expires_after(pause);
    timer.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
      const auto self = weak.lock();
      if (error || !self) return;
      const struct stat now = self->look();
      // Two looks at the same thing: nobody is just writing it.
      const bool settled = same(now, self->glimpsed);
      self->glimpsed = now;
      if (settled && now.st_ino != 0 && !same(now, self->seen)) {
        self->seen = now;
        self->changed(config::read_config_file(self->path));
      }
      self->wait();
    });
  }
};

ConfigWatch::ConfigWatch(boost::asio::any_io_executor executor, std::string path, Changed changed,
                         std::chrono::milliseconds pause)
    : state_(std::make_shared<State>(executor, std::move(path), std::move(changed), pause)) {
  state_->seen = state_->glimpsed = state_->look();
  state_->wait();
}

ConfigWatch::~ConfigWatch() {
  state_->timer.cancel();
}

}  // namespace glovebox::catalog
