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
#include <string>

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

// One request and its response. Dropping it cancels it.
class Exchange {
 public:
  virtual ~Exchange() = default;

  // The next bytes of the response, after its head. One call at a time. Without a reader nothing is received beyond a
  // small buffer.
  virtual void read(ReadCallback done) = 0;
  // The next bytes of a StreamedBody, at most kMaxWriteBytes. One call at a time; it completes when they have been
  // passed on.
  virtual void write(std::string bytes, bool last, WriteCallback done) = 0;
  // Pending callbacks get kCancelled.
  virtual void cancel() = 0;
};

// What one run may reach, and its connections. Dropping it cancels its exchanges and closes its connections.
class HttpSession {
 public:
  virtual ~HttpSession() = default;

  virtual std::unique_ptr<Exchange> fetch(HttpRequest request, HeadCallback done) = 0;
  // The same as dropping it, but reports when nothing of it is left. No fetches after this.
  virtual void close(std::function<void()> closed) = 0;
};

// Only interfaces are above: code that uses a client need not be linked with its implementation (net/http_library.h).
class HttpClient {
 public:
  // Cancels everything, completes pending callbacks, and ends the thread.
  virtual ~HttpClient() = default;
  virtual std::unique_ptr<HttpSession> open(policy::NetGrants grants, SessionLimits limits = {}) = 0;
};

std::unique_ptr<HttpClient> make_http_client(ClientOptions options = {});

}  // namespace glovebox::net
