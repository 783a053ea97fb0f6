#include "net/resolver.h"

#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "net/limits.h"

namespace glovebox::net {

Result<Addresses> look_up_with_system(const std::string& name) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* list = nullptr;
  const int status = ::getaddrinfo(name.c_str(), nullptr, &hints, &list);
  if (status != 0) return Failure{ErrorCode::kNotFound, ::gai_strerror(status)};
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(list, ::freeaddrinfo);
  Addresses addresses;
  for (const addrinfo* entry = list; entry; entry = entry->ai_next) {
    const auto address = policy::IpAddress::from_sockaddr(entry->ai_addr, entry->ai_addrlen);
    if (address && std::find(addresses.begin(), addresses.end(), *address) == addresses.end()) {
      addresses.push_back(*address);
    }
  }
  if (addresses.empty()) return Failure{ErrorCode::kNotFound, "No address associated with hostname"};
  return addresses;
}

struct Resolver::State {
  struct Job {
    std::uint64_t id;
    std::uint64_t owner;
    std::string name;
    Done done;
  };

  // The first job whose owner does not have its share of threads already. Called with the lock held.
  std::deque<Job>::iterator next_job() {
    return std::find_if(waiting.begin(), waiting.end(), [this](const Job& job) {
      const auto found = under_way.find(job.owner);
      return found == under_way.end() || found->second < kMaxLookupsPerOwner;
    });
  }

  LookUp look_up;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job> waiting;
  std::map<std::uint64_t, std::size_t> under_way;  // by owner
  std::size_t threads = 0;
  std::size_t idle = 0;
  std::uint64_t last_id = 0;
  bool stopping = false;
};

Resolver::Resolver(LookUp look_up) : state_(std::make_shared<State>()) {
  state_->look_up = std::move(look_up);
}

Resolver::~Resolver() {
  const std::lock_guard lock(state_->mutex);
  state_->stopping = true;
  state_->waiting.clear();
  state_->changed.notify_all();
}

std::uint64_t Resolver::start(std::uint64_t owner, std::string name, Done done) {
  const std::lock_guard lock(state_->mutex);
  const std::uint64_t id = ++state_->last_id;
  state_->waiting.push_back({id, owner, std::move(name), std::move(done)});
  if (state_->idle < state_->waiting.size() && state_->threads < kMaxLookups) {
    ++state_->threads;
    // Detached, because the system's resolver cannot be interrupted; the thread owns all that it uses.
    std::thread(work, state_).detach();
  }
  state_->changed.notify_one();
  return id;
}

void Resolver::withdraw(std::uint64_t id) {
  const std::lock_guard lock(state_->mutex);
  std::erase_if(state_->waiting, [id](const State::Job& job) { return job.id == id; });
}

void Resolver::work(const std::shared_ptr<State>& state) {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::unique_lock lock(state->mutex);
  while (true) {
    ++state->idle;
    state->changed.wait(lock, [&] { return state->stopping || state->next_job() != state->waiting.end(); });
    --state->idle;
    if (state->stopping) return;
    const auto next = state->next_job();
    State::Job job = std::move(*next);
    state->waiting.erase(next);
    ++state->under_way[job.owner];
    lock.unlock();
    Result<Addresses> answer = state->look_up(job.name);
    lock.lock();
    if (--state->under_way[job.owner] == 0) state->under_way.erase(job.owner);
    state->changed.notify_one();  // the owner's next job may run
    if (state->stopping) return;
    lock.unlock();
    job.done(std::move(answer));
    job.done = nullptr;
    lock.lock();
  }
}

}  // namespace glovebox::net
