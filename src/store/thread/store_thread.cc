#include "store/thread/store_thread.h"

#include <signal.h>

#include <algorithm>

#include "store/database/patience.h"

namespace glovebox::store {
namespace {

// For a command that waits for its turn.
constexpr auto kMostWait = std::chrono::seconds(45);
constexpr std::chrono::milliseconds kShortestRetry{20};
constexpr std::chrono::milliseconds kLongestRetry{500};
// More would make the first of them wait too long for the last.
constexpr std::size_t kMostTogether = 64;
// For writes that nothing waits for: longer than it takes until a run that has just begun makes its first call.
constexpr std::chrono::milliseconds kLongestWait{8};

}  // namespace

Failure store_is_away() {
  return {ErrorCode::kSystem, "the store cannot be reached now; try again in a few seconds"};
}

StoreThread::~StoreThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void StoreThread::post(PostedWrite write) {
  const Haste haste = write.haste;
  add(std::move(write), haste);
}

void StoreThread::post(std::function<void()> job) {
  add(std::move(job), Haste::kNow);
}

void StoreThread::hurry() {
  {
    const std::lock_guard lock(mutex_);
    due_ = {};
  }
  changed_.notify_all();
}

void StoreThread::add(Entry entry, Haste haste) {
  {
    const std::lock_guard lock(mutex_);
    const bool is_first = entries_.empty();
    if (is_first) due_ = Clock::now() + kLongestWait;
    if (haste == Haste::kNow) due_ = {};
    entries_.push_back(std::move(entry));
    if (!thread_.joinable()) start();
    // It goes with others that are being written or queued.
    if (haste == Haste::kWithNext && !is_first) return;
  }
  changed_.notify_all();
}

void StoreThread::start() {
  // Signals are for the threads of the host program.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { work(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

StoreThread::Clock::duration StoreThread::standstill(std::chrono::seconds one_thing) const {
  if (!works_ && !is_away_) return Clock::duration::zero();
  const auto stood = Clock::now() - since_;
  return is_away_ || stood > one_thing ? stood : Clock::duration::zero();
}

StoreThread::Clock::duration StoreThread::stands_still(std::chrono::seconds one_thing) const {
  const std::lock_guard lock(mutex_);
  return standstill(one_thing);
}

Result<StoreThread::Turn> StoreThread::take_turn() {
  std::unique_lock lock(mutex_);
  if (std::this_thread::get_id() == thread_.get_id()) return Turn(nullptr);
  const bool hurried = NoPatience::here();
  if (hurried && standstill(kStandstill) > Clock::duration::zero()) return store_is_away();
  if (!taken_ && !works_ && entries_.empty()) {
    taken_ = true;
    return Turn(this);
  }
  const auto wait = std::make_shared<Wait>();
  entries_.emplace_back(wait);
  due_ = {};
  if (!thread_.joinable()) start();
  changed_.notify_all();
  if (!changed_.wait_for(lock, hurried ? Clock::duration(kStandstill) : kMostWait, [&] { return wait->granted; })) {
    wait->given_up = true;
    return store_is_away();
  }
  return Turn(this);
}

void StoreThread::end_turn() {
  {
    const std::lock_guard lock(mutex_);
    taken_ = false;
  }
  changed_.notify_all();
}

void StoreThread::work() {
  Patience::here() = {Patience::Kind::kPosted, &stopping_};
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return !taken_ && (stopping_ || !entries_.empty()); });
    if (!stopping_ && Clock::now() < due_) {
      changed_.wait_until(lock, due_);
      continue;
    }
    if (entries_.empty()) return;
    if (stopping_ && is_away_) return drop_all(lock);
    do_next(lock);
  }
}

void StoreThread::do_next(std::unique_lock<std::mutex>& lock) {
  if (const auto* wait = std::get_if<std::shared_ptr<Wait>>(&entries_.front())) {
    const auto next = *wait;
    entries_.pop_front();
    if (next->given_up) return;
    next->granted = taken_ = true;
    changed_.notify_all();
    return;
  }
  works_ = true;
  if (!is_away_) since_ = Clock::now();
  if (auto* job = std::get_if<std::function<void()>>(&entries_.front())) {
    {
      const auto next = std::move(*job);
      entries_.pop_front();
      lock.unlock();
      next();
    }
    lock.lock();
  } else {
    do_writes(lock);
  }
  works_ = false;
}

void StoreThread::do_writes(std::unique_lock<std::mutex>& lock) {
  std::vector<PostedWrite> writes;
  while (!entries_.empty() && writes.size() < kMostTogether) {
    auto* write = std::get_if<PostedWrite>(&entries_.front());
    if (!write) break;
    writes.push_back(std::move(*write));
    entries_.pop_front();
  }
  lock.unlock();
  carry_out_(writes);
  lock.lock();
  is_away_ = !writes.empty();
  if (!is_away_) {
    pause_ = {};
    return;
  }
  for (auto write = writes.rbegin(); write != writes.rend(); ++write) entries_.emplace_front(std::move(*write));
  pause_ = std::clamp(pause_ * 2, kShortestRetry, kLongestRetry);
  changed_.wait_for(lock, pause_, [&] { return stopping_.load(); });
}

void StoreThread::drop_all(std::unique_lock<std::mutex>& lock) {
  auto dropped = std::exchange(entries_, {});
  lock.unlock();
  for (Entry& entry : dropped) {
    if (auto* write = std::get_if<PostedWrite>(&entry); write && write->done) write->done(store_is_away());
  }
  lock.lock();
}

}  // namespace glovebox::store
