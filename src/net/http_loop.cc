#include "net/http_loop.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>

#include "base/try.h"

namespace glovebox::net {
namespace {

FetchError cancelled() {
  return {FetchError::Kind::kCancelled, "the request was cancelled", ""};
}

// Connections, resolved names and TLS sessions of one session, apart from those of every other.
CURLSH* make_share() {
  CURLSH* share = ::curl_share_init();
  GLOVEBOX_CHECK(share != nullptr);
  for (const auto what : {CURL_LOCK_DATA_CONNECT, CURL_LOCK_DATA_DNS, CURL_LOCK_DATA_SSL_SESSION}) {
    GLOVEBOX_CHECK(::curl_share_setopt(share, CURLSHOPT_SHARE, what) == CURLSHE_OK);
  }
  return share;
}

}  // namespace

std::unique_ptr<HttpClient> make_http_client(ClientOptions options) {
  if (!options.look_up) options.look_up = look_up_with_system;
  return std::make_unique<HttpClient>(std::make_shared<HttpLoop>(std::move(options)));
}

HttpLoop::HttpLoop(ClientOptions options) : options_(std::move(options)), resolver_(options_.look_up) {}

HttpLoop::~HttpLoop() {
  GLOVEBOX_CHECK(!thread_.joinable());
}

bool HttpLoop::post(Command command) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return false;
  if (!multi_) {
    GLOVEBOX_CHECK(::curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK);
    multi_ = ::curl_multi_init();
    GLOVEBOX_CHECK(multi_ != nullptr);
    ::curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, kMaxIdleConnections);
    ::curl_multi_setopt(multi_, CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_NOTHING));
    thread_ = std::thread([this] { run(); });
  }
  commands_.push_back(std::move(command));
  ::curl_multi_wakeup(multi_);
  return true;
}

void HttpLoop::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    if (!multi_) return;
    ::curl_multi_wakeup(multi_);
  }
  GLOVEBOX_CHECK(thread_.get_id() != std::this_thread::get_id());
  if (thread_.joinable()) thread_.join();
}

void HttpLoop::run() {
  // Signals are for the host program's threads; and a peer that disconnects must not end it (SIGPIPE).
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  while (run_commands()) {
    run_curl();
    expire();
    wait();
  }
  while (!entries_.empty()) {
    const std::uint64_t id = entries_.begin()->first;
    fail(id, entries_.begin()->second, cancelled());
    erase(id);
  }
  sessions_.clear();
  ::curl_multi_cleanup(multi_);
}

bool HttpLoop::run_commands() {
  std::vector<Command> commands;
  bool go_on = false;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(commands_);
    go_on = !stopping_;
  }
  for (Command& command : commands) {
    command();
    command = nullptr;
  }
  return go_on;
}

void HttpLoop::run_curl() {
  int running = 0;
  GLOVEBOX_CHECK(::curl_multi_perform(multi_, &running) == CURLM_OK);
  int left = 0;
  while (CURLMsg* message = ::curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;
    const auto found = by_easy_.find(message->easy_handle);
    GLOVEBOX_CHECK(found != by_easy_.end());
    const std::uint64_t id = found->second;
    Entry& entry = entries_.at(id);
    leave_curl(entry);
    if (entry.transfer->finish_hop(code)) {
      start_hop(id, entry);
    } else {
      retire(entry);
    }
  }
  // Transfers that progressed may have something to report now. Callbacks only post, so the map does not change.
  for (auto& [id, entry] : entries_) settle(entry);
  start_waiting();
}

void HttpLoop::wait() {
  using std::chrono::milliseconds;
  auto until = Clock::now() + std::chrono::seconds(60);
  for (const auto& [id, entry] : entries_) {
    if (entry.phase != Entry::Phase::kIdle)
      until = std::min({until, entry.transfer->deadline(), entry.lookup_deadline});
  }
  const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
  ::curl_multi_poll(multi_, nullptr, 0, static_cast<int>(std::clamp<long long>(left, 0, 60'000)), nullptr);
}

void HttpLoop::open(std::uint64_t session, policy::NetGrants grants, SessionLimits limits) {
  post([this, session, grants = std::move(grants), limits] {
    auto state = std::make_shared<SessionState>();
    state->id = session;
    state->grants = grants;
    state->limits = limits;
    state->ca_file = options_.ca_file;
    state->connections.reset(make_share());
    sessions_[session] = std::move(state);
  });
}

void HttpLoop::close(std::uint64_t session, std::function<void()> closed) {
  const bool posted = post([this, session, closed] {
    std::vector<std::uint64_t> ids;
    for (const auto& [id, entry] : entries_) {
      if (entry.transfer->session().id == session) ids.push_back(id);
    }
    for (const std::uint64_t id : ids) {
      fail(id, entries_.at(id), cancelled());
      erase(id);
    }
    sessions_.erase(session);
    closed();
  });
  if (!posted) closed();
}

void HttpLoop::fetch(std::uint64_t id, std::uint64_t session, HttpRequest request, HeadCallback done) {
  auto shared = std::make_shared<HeadCallback>(std::move(done));
  const bool posted = post([this, id, session, request = std::move(request), shared]() mutable {
    const auto found = sessions_.find(session);
    if (found == sessions_.end()) return (*shared)(cancelled());
    admit(id, found->second, std::move(request), std::move(*shared));
  });
  if (!posted) (*shared)(cancelled());
}

void HttpLoop::admit(std::uint64_t id, const std::shared_ptr<SessionState>& session, HttpRequest request,
                     HeadCallback done) {
  if (session->open >= session->limits.max_open) {
    return done(FetchError{FetchError::Kind::kLimit, "too many responses are open at one time", ""});
  }
  ++session->open;
  Entry& entry = entries_[id];
  entry.transfer = std::make_unique<Transfer>(session, std::move(request), std::move(done));
  entry.transfer->begin();
  if (entry.transfer->failed()) {
    entry.phase = Entry::Phase::kIdle;
    return settle(entry);
  }
  waiting_.push_back(id);
  start_waiting();
}

// In order, but sessions that have their share already are skipped.
void HttpLoop::start_waiting() {
  for (auto next = waiting_.begin(); next != waiting_.end() && active_ < options_.max_concurrent;) {
    Entry& entry = entries_.at(*next);
    SessionState& session = entry.transfer->session();
    if (session.active >= session.limits.max_concurrent) {
      ++next;
      continue;
    }
    const std::uint64_t id = *next;
    next = waiting_.erase(next);
    ++active_;
    ++session.active;
    start_hop(id, entry);
  }
}

void HttpLoop::start_hop(std::uint64_t id, Entry& entry) {
  const RequestUrl& url = entry.transfer->hop().url;
  if (url.host().address) return enter_curl(id, entry, {});
  entry.phase = Entry::Phase::kResolving;
  entry.lookup_deadline = Clock::now() + entry.transfer->session().limits.connect_timeout;
  // The result arrives on another thread, perhaps after all this is gone. A result for an earlier hop is recognized by
  // its ticket.
  const std::uint64_t ticket = new_id();
  entry.lookup = resolver_.start(entry.transfer->session().id, url.host().text,
                                 [weak = weak_from_this(), id, ticket](Result<Addresses> answer) {
                                   const auto loop = weak.lock();
                                   if (!loop) return;
                                   loop->post([raw = loop.get(), id, ticket, answer = std::move(answer)]() mutable {
                                     raw->looked_up(id, ticket, std::move(answer));
                                   });
                                 });
  entry.ticket = ticket;
}

void HttpLoop::looked_up(std::uint64_t id, std::uint64_t ticket, Result<Addresses> answer) {
  const auto found = entries_.find(id);
  if (found == entries_.end() || found->second.phase != Entry::Phase::kResolving || found->second.ticket != ticket)
    return;
  Entry& entry = found->second;
  entry.lookup_deadline = Clock::time_point::max();
  if (answer) return enter_curl(id, entry, answer.value());
  retire(entry);
  entry.transfer->fail_lookup(answer.failure().message);
  settle(entry);
}

void HttpLoop::enter_curl(std::uint64_t id, Entry& entry, const Addresses& addresses) {
  entry.easy = entry.transfer->prepare(addresses);
  entry.phase = Entry::Phase::kInCurl;
  by_easy_[entry.easy] = id;
  GLOVEBOX_CHECK(::curl_multi_add_handle(multi_, entry.easy) == CURLM_OK);
}

void HttpLoop::leave_curl(Entry& entry) {
  ::curl_multi_remove_handle(multi_, entry.easy);
  by_easy_.erase(entry.easy);
  entry.easy = nullptr;
}

void HttpLoop::retire(Entry& entry) {
  switch (entry.phase) {
    case Entry::Phase::kIdle:
    case Entry::Phase::kWaiting: break;
    case Entry::Phase::kResolving: resolver_.withdraw(entry.lookup); [[fallthrough]];
    case Entry::Phase::kInCurl:
      if (entry.easy) leave_curl(entry);
      --active_;
      --entry.transfer->session().active;
      break;
  }
  entry.phase = Entry::Phase::kIdle;
  entry.lookup_deadline = Clock::time_point::max();
}

void HttpLoop::fail(std::uint64_t id, Entry& entry, FetchError error) {
  if (entry.phase == Entry::Phase::kWaiting) std::erase(waiting_, id);
  retire(entry);
  entry.transfer->fail(std::move(error));
  settle(entry);
}

void HttpLoop::settle(Entry& entry) {
  entry.transfer->pump();
  // Corrupt or too large: curl does not know that yet.
  if (entry.transfer->failed() && entry.phase == Entry::Phase::kInCurl) {
    retire(entry);
    entry.transfer->pump();
  }
}

void HttpLoop::expire() {
  const auto now = Clock::now();
  for (auto& [id, entry] : entries_) {
    if (entry.phase == Entry::Phase::kIdle) continue;
    if (entry.transfer->deadline() <= now) {
      fail(id, entry, {FetchError::Kind::kTimeout, "the request took longer than its limit", ""});
    } else if (entry.lookup_deadline <= now) {
      retire(entry);
      entry.transfer->fail_lookup("the name server took too long");
      settle(entry);
    }
  }
}

void HttpLoop::erase(std::uint64_t id) {
  const auto found = entries_.find(id);
  if (found == entries_.end()) return;
  --found->second.transfer->session().open;
  entries_.erase(found);
}

void HttpLoop::read(std::uint64_t id, ReadCallback done) {
  auto shared = std::make_shared<ReadCallback>(std::move(done));
  const bool posted = post([this, id, shared] {
    const auto found = entries_.find(id);
    if (found == entries_.end()) return (*shared)(cancelled());
    found->second.transfer->read(std::move(*shared));
    settle(found->second);
  });
  if (!posted) (*shared)(cancelled());
}

void HttpLoop::write(std::uint64_t id, std::string bytes, bool last, WriteCallback done) {
  auto shared = std::make_shared<WriteCallback>(std::move(done));
  const bool posted = post([this, id, bytes = std::move(bytes), last, shared]() mutable {
    const auto found = entries_.find(id);
    if (found == entries_.end()) return (*shared)(cancelled());
    found->second.transfer->write(std::move(bytes), last, std::move(*shared));
    settle(found->second);
  });
  if (!posted) (*shared)(cancelled());
}

void HttpLoop::cancel(std::uint64_t id) {
  post([this, id] {
    const auto found = entries_.find(id);
    if (found != entries_.end()) fail(id, found->second, cancelled());
  });
}

void HttpLoop::drop(std::uint64_t id) {
  post([this, id] {
    const auto found = entries_.find(id);
    if (found == entries_.end()) return;
    fail(id, found->second, cancelled());
    erase(id);
  });
}

}  // namespace glovebox::net
