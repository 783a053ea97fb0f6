// For tests: a server that sends exactly the bytes that a test wants, and keeps what it received.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/try.h"
#include "base/unique_fd.h"

namespace glovebox::net::testing {

// One accepted connection, on a thread of its own.
class Connection {
 public:
  Connection(base::UniqueFd socket, const std::atomic<bool>& stopping)
      : socket_(std::move(socket)), stopping_(stopping) {}

  // False: the client is gone, or the server is stopping.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      if (!wait_for(POLLOUT)) return false;
      const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && errno == EAGAIN) continue;
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      sent_ += static_cast<std::size_t>(sent);
    }
    return true;
  }

  // Up to and including `end`; empty when the client disconnects before.
  std::string read_until(std::string_view end) {
    while (true) {
      const auto found = buffer_.find(end);
      if (found != std::string::npos) return take(found + end.size());
      if (!read_more()) return "";
    }
  }
  std::string read_request_head() { return read_until("\r\n\r\n"); }
  std::string read_exactly(std::size_t count) {
    while (buffer_.size() < count) {
      if (!read_more()) return "";
    }
    return take(count);
  }
  // True when the client has closed its side.
  bool wait_until_closed() {
    while (read_more()) buffer_.clear();
    return !stopping_;
  }
  std::size_t sent_bytes() const { return sent_; }
  int fd() const { return socket_.get(); }
  bool wait_for(short events) {
    while (!stopping_) {
      pollfd waiting{socket_.get(), events, 0};
      if (::poll(&waiting, 1, 20) > 0) return true;
    }
    return false;
  }

 private:
  bool read_more() {
    if (!wait_for(POLLIN)) return false;
    char chunk[65536];
    const ssize_t count = ::recv(socket_.get(), chunk, sizeof chunk, 0);
    if (count <= 0) return false;
    buffer_.append(chunk, static_cast<std::size_t>(count));
    return true;
  }
  std::string take(std::size_t count) {
    std::string taken = buffer_.substr(0, count);
    buffer_.erase(0, count);
    return taken;
  }

  base::UniqueFd socket_;
  const std::atomic<bool>& stopping_;
  std::string buffer_;
  std::size_t sent_ = 0;
};

class ScriptedServer {
 public:
  using Script = std::function<void(Connection&)>;

  explicit ScriptedServer(Script script, const char* address = "127.0.0.1", std::uint16_t port = 0)
      : script_(std::move(script)), socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_port = htons(port);
    GLOVEBOX_CHECK(::inet_pton(AF_INET, address, &name.sin_addr) == 1);
    const int yes = 1;
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    GLOVEBOX_CHECK(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&name), sizeof name) == 0);
    GLOVEBOX_CHECK(::listen(socket_.get(), 512) == 0);
    socklen_t size = sizeof name;
    ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&name), &size);
    port_ = ntohs(name.sin_port);
    address_ = address;
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~ScriptedServer() {
    stopping_ = true;
    acceptor_.join();
    for (std::thread& thread : threads_) thread.join();
  }

  std::uint16_t port() const { return port_; }
  std::string target() const { return address_ + ":" + std::to_string(port_); }
  std::string url(std::string_view path = "/") const { return "http://" + target() + std::string(path); }
  int connections() const { return connections_; }

  // What scripts observed, for the test to examine.
  void record(std::string text) {
    const std::lock_guard lock(mutex_);
    records_.push_back(std::move(text));
  }
  std::vector<std::string> records() {
    const std::lock_guard lock(mutex_);
    return records_;
  }

 private:
  void accept_all() {
    while (!stopping_) {
      pollfd waiting{socket_.get(), POLLIN, 0};
      if (::poll(&waiting, 1, 20) <= 0) continue;
      base::UniqueFd accepted(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!accepted.valid()) continue;
      ++connections_;
      threads_.emplace_back([this, fd = accepted.release()] {
        // OpenSSL writes without MSG_NOSIGNAL, and the client may be gone.
        sigset_t pipe;
        ::sigemptyset(&pipe);
        ::sigaddset(&pipe, SIGPIPE);
        ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
        Connection connection(base::UniqueFd(fd), stopping_);
        script_(connection);
      });
    }
  }

  Script script_;
  base::UniqueFd socket_;
  std::string address_;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopping_ = false;
  std::atomic<int> connections_ = 0;
  std::mutex mutex_;
  std::vector<std::string> records_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

// Answers every request on a connection with the same bytes.
inline ScriptedServer::Script always(std::string response) {
  return [response = std::move(response)](Connection& connection) {
    while (!connection.read_request_head().empty()) {
      if (!connection.send(response)) return;
    }
  };
}

inline std::string ok_response(std::string_view body, std::string_view headers = "") {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + std::string(headers) + "\r\n" +
         std::string(body);
}

}  // namespace glovebox::net::testing
