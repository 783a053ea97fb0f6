// A database that is further away than it is: TCP on the loopback to a unix socket, and every byte takes half of the
// round trip in each direction. In a process of its own, which ends with its parent.
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>

namespace glovebox::bench {

class DelayProxy {
 public:
  DelayProxy(const std::string& unix_socket, std::chrono::microseconds round_trip) {
    boost::asio::io_context io;
    boost::asio::ip::tcp::acceptor acceptor(io, {boost::asio::ip::address_v4::loopback(), 0});
    port_ = acceptor.local_endpoint().port();
    io.notify_fork(boost::asio::io_context::fork_prepare);
    process_ = ::fork();
    if (process_ != 0) {
      io.notify_fork(boost::asio::io_context::fork_parent);
      return;
    }
    io.notify_fork(boost::asio::io_context::fork_child);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    accept(acceptor, unix_socket, round_trip / 2);
    io.run();
    ::_exit(0);
  }
  ~DelayProxy() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  DelayProxy(const DelayProxy&) = delete;
  DelayProxy& operator=(const DelayProxy&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Near = boost::asio::ip::tcp::socket;
  using Far = boost::asio::local::stream_protocol::socket;

  struct Pair {
    Near near;
    Far far;
  };

  // What is read is written when its time has come. Reading continues meanwhile: it adds delay, and does not limit
  // throughput.
  template <typename From, typename To>
  struct Way : std::enable_shared_from_this<Way<From, To>> {
    Way(std::shared_ptr<Pair> both, From& source, To& sink, std::chrono::microseconds time)
        : pair(std::move(both)), from(source), to(sink), delay(time), timer(source.get_executor()) {}

    void read() {
      from.async_read_some(boost::asio::buffer(bytes),
                           [self = this->shared_from_this()](const boost::system::error_code& error, std::size_t size) {
                             if (error) return self->end();
                             self->waiting.push_back({Clock::now() + self->delay, {self->bytes.data(), size}});
                             if (self->waiting.size() == 1) self->write();
                             self->read();
                           });
    }
    void write() {
      timer.expires_at(waiting.front().due);
      timer.async_wait([self = this->shared_from_this()](const boost::system::error_code&) {
        boost::asio::async_write(self->to, boost::asio::buffer(self->waiting.front().bytes),
                                 [self](const boost::system::error_code& error, std::size_t) {
                                   if (error) return self->end();
                                   self->waiting.pop_front();
                                   if (!self->waiting.empty()) self->write();
                                 });
      });
    }
    void end() {
      boost::system::error_code ignored;
      pair->near.close(ignored);
      pair->far.close(ignored);
    }

    struct Piece {
      Clock::time_point due;
      std::string bytes;
    };
    std::shared_ptr<Pair> pair;
    From& from;
    To& to;
    std::chrono::microseconds delay;
    boost::asio::steady_timer timer;
    std::deque<Piece> waiting;
    std::array<char, 65536> bytes{};
  };

  static void accept(boost::asio::ip::tcp::acceptor& acceptor, const std::string& unix_socket,
                     std::chrono::microseconds delay) {
    acceptor.async_accept([&acceptor, unix_socket, delay](const boost::system::error_code& error, Near near) {
      if (error) ::_exit(1);
      Far far(acceptor.get_executor());
      boost::system::error_code refused;
      far.connect(unix_socket, refused);
      if (!refused) {
        near.set_option(boost::asio::ip::tcp::no_delay(true));
        const auto pair = std::make_shared<Pair>(Pair{std::move(near), std::move(far)});
        std::make_shared<Way<Near, Far>>(pair, pair->near, pair->far, delay)->read();
        std::make_shared<Way<Far, Near>>(pair, pair->far, pair->near, delay)->read();
      }
      accept(acceptor, unix_socket, delay);
    });
  }

  std::uint16_t port_ = 0;
  pid_t process_ = 0;
};

}  // namespace glovebox::bench
