// The client's thread: a queue of commands, curl's multi handle, and the clock.
#pragma once

#include <curl/curl.h>

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "net/http_client.h"
#include "net/transfer.h"

namespace glovebox::net {

class HttpLoop final : public HttpThread, public std::enable_shared_from_this<HttpLoop> {
 public:
  explicit HttpLoop(ClientOptions options);
  ~HttpLoop() override;

  // From any thread.
  void open(std::uint64_t session, policy::NetGrants grants, SessionLimits limits) override;
  void close(std::uint64_t session, std::function<void()> closed) override;
  void fetch(std::uint64_t id, std::uint64_t session, HttpRequest request, HeadCallback done) override;
  void read(std::uint64_t id, ReadCallback done) override;
  void write(std::uint64_t id, std::string bytes, bool last, WriteCallback done) override;
  void cancel(std::uint64_t id) override;
  void drop(std::uint64_t id) override;
  std::uint64_t new_id() override { return ++last_id_; }
  void stop() override;

 private:
  using Command = std::function<void()>;
  using Clock = Transfer::Clock;

  struct Entry {
    std::unique_ptr<Transfer> transfer;
    enum class Phase { kWaiting, kResolving, kInCurl, kIdle } phase = Phase::kWaiting;
    std::uint64_t lookup = 0;
    std::uint64_t ticket = 0;  // of the pending lookup
    Clock::time_point lookup_deadline = Clock::time_point::max();
    CURL* easy = nullptr;  // while kInCurl
  };

  // False: stopped; the command is destroyed with what it held.
  bool post(Command command);
  void run();
  // False: these were the last.
  bool run_commands();
  void run_curl();
  void wait();

  void admit(std::uint64_t id, const std::shared_ptr<SessionState>& session, HttpRequest request, HeadCallback done);
  void start_waiting();
  void start_hop(std::uint64_t id, Entry& entry);
  void looked_up(std::uint64_t id, std::uint64_t ticket, Result<Addresses> answer);
  void enter_curl(std::uint64_t id, Entry& entry, const Addresses& addresses);
  void leave_curl(Entry& entry);
  // Removes it from the resolver or curl, whichever works on it.
  void retire(Entry& entry);
  void fail(std::uint64_t id, Entry& entry, FetchError error);
  void settle(Entry& entry);
  void expire();
  void erase(std::uint64_t id);

  const ClientOptions options_;
  std::atomic<std::uint64_t> last_id_ = 0;

  std::mutex mutex_;
  std::vector<Command> commands_;
  std::thread thread_;
  bool stopping_ = false;
  CURLM* multi_ = nullptr;

  // The loop's thread only.
  Resolver resolver_;
  std::map<std::uint64_t, std::shared_ptr<SessionState>> sessions_;
  std::map<std::uint64_t, Entry> entries_;
  std::map<CURL*, std::uint64_t> by_easy_;
  std::deque<std::uint64_t> waiting_;
  std::size_t active_ = 0;
};

}  // namespace glovebox::net
