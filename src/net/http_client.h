// HTTP on behalf of untrusted runs. One thread does all of it, with curl; it starts with the first request.
//
//   auto client = make_http_client();
//   auto session = client->open(grants, limits);           // one for each run
//   auto exchange = session->fetch(request, on_head);     // FetchResult<ResponseHead>
//   exchange->read(on_chunk);                             // FetchResult<Chunk>: bytes, or the end
//
// A session binds grants and connections together: connections and resolved names are never shared between sessions, so
// no run can use what was vetted for another. Every hop is checked twice: by name before it is resolved, and by address
// when curl is about to connect, on the very address that is passed to the kernel.
//
// What is sent is HTTP/1.1 only. Proxies, cookies, netrc, Alt-Svc, HSTS and upgrades are not used.
//
// Every callback is called exactly once, on the client's thread, where it must not block; requests to a client that is
// gone fail at once, on the caller's thread. All member functions may be called from any thread, also from callbacks,
// except that a client is not destroyed in one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "net/fetch_error.h"
#include "net/http_message.h"
#include "net/limits.h"
#include "net/resolver.h"
#include "policy/net_grants.h"

namespace glovebox::net {

struct Chunk {
  std::string bytes;  // at most kReadBytes, and never empty before the end
  bool done = false;  // end of the body; `bytes` is empty
};

using HeadCallback = std::function<void(FetchResult<ResponseHead>)>;
using ReadCallback = std::function<void(FetchResult<Chunk>)>;
// True: send the next piece. False: the rest of the body is not wanted, because the response is complete without it.
using WriteCallback = std::function<void(FetchResult<bool>)>;

struct ClientOptions {
  std::size_t max_concurrent = 256;  // of all sessions together; further requests are queued
  LookUp look_up;                    // instead of the system's resolver
  std::string ca_file;               // certificates to trust instead of the system's
};

// The client's thread, as what is below sees it: code that uses a client need not be linked with the thread
// (net/http_library.h). Exchanges and sessions are known by number.
class HttpThread {
 public:
  virtual ~HttpThread() = default;
  virtual std::uint64_t new_id() = 0;
  virtual void open(std::uint64_t session, policy::NetGrants grants, SessionLimits limits) = 0;
  virtual void close(std::uint64_t session, std::function<void()> closed) = 0;
  virtual void fetch(std::uint64_t id, std::uint64_t session, HttpRequest request, HeadCallback done) = 0;
  virtual void read(std::uint64_t id, ReadCallback done) = 0;
  virtual void write(std::uint64_t id, std::string bytes, bool last, WriteCallback done) = 0;
  virtual void cancel(std::uint64_t id) = 0;
  virtual void drop(std::uint64_t id) = 0;
  // Not from the thread itself. All pending callbacks run before it returns.
  virtual void stop() = 0;
};

// One request and its response. Dropping it cancels it.
class Exchange {
 public:
  Exchange(std::shared_ptr<HttpThread> thread, std::uint64_t id) : thread_(std::move(thread)), id_(id) {}
  ~Exchange() { thread_->drop(id_); }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // The next bytes of the response, after its head. One call at a time. Without a reader nothing is received beyond a
  // small buffer.
  void read(ReadCallback done) { thread_->read(id_, std::move(done)); }
  // The next bytes of a StreamedBody, at most kMaxWriteBytes. One call at a time; it completes when they have been
  // passed on.
  void write(std::string bytes, bool last, WriteCallback done) {
    thread_->write(id_, std::move(bytes), last, std::move(done));
  }
  // Pending callbacks get kCancelled.
  void cancel() { thread_->cancel(id_); }
  std::uint64_t id() const { return id_; }

 private:
  std::shared_ptr<HttpThread> thread_;
  std::uint64_t id_;
};

// What one run may reach, and its connections. Dropping it cancels its exchanges and closes its connections.
class HttpSession {
 public:
  HttpSession(std::shared_ptr<HttpThread> thread, policy::NetGrants grants, SessionLimits limits)
      : thread_(std::move(thread)), id_(thread_->new_id()), grants_(std::move(grants)), limits_(limits) {}
  ~HttpSession() {
    close([] {});
  }

  std::unique_ptr<Exchange> fetch(HttpRequest request, HeadCallback done) {
    std::call_once(opened_, [this] { thread_->open(id_, std::move(grants_), limits_); });
    auto exchange = std::make_unique<Exchange>(thread_, thread_->new_id());
    thread_->fetch(exchange->id(), id_, std::move(request), std::move(done));
    return exchange;
  }
  // The same as dropping it, but reports when nothing of it is left. No fetches after this.
  void close(std::function<void()> closed) {
    bool unused = false;
    std::call_once(opened_, [&unused] { unused = true; });
    if (unused) return closed();
    thread_->close(id_, std::move(closed));
  }

 private:
  std::shared_ptr<HttpThread> thread_;
  std::uint64_t id_;
  policy::NetGrants grants_;
  SessionLimits limits_;
  std::once_flag opened_;  // a run that fetches nothing costs nothing
};

class HttpClient {
 public:
  explicit HttpClient(std::shared_ptr<HttpThread> thread) : thread_(std::move(thread)) {}
  // Cancels everything, completes pending callbacks, and ends the thread.
  ~HttpClient() { thread_->stop(); }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  std::unique_ptr<HttpSession> open(policy::NetGrants grants, SessionLimits limits = {}) {
    return std::make_unique<HttpSession>(thread_, std::move(grants), limits);
  }

 private:
  std::shared_ptr<HttpThread> thread_;
};

std::unique_ptr<HttpClient> make_http_client(ClientOptions options = {});

}  // namespace glovebox::net
