#include "gateway/runs/run_journal.h"

#include <algorithm>

#include "base/try.h"

namespace glovebox::gateway {
namespace {

// Of all that one run receives. Beyond this, a run can wait only as long as its guest and its gateway live.
constexpr std::size_t kMostJournalBytes = std::size_t{64} << 20;
// Of the copy in memory of a journal that is in the store; recordings are no larger.
constexpr std::size_t kMostRememberedBytes = std::size_t{1} << 20;
// A run that is further ahead of its journal than this waits for it before its next call, whatever that is.
constexpr std::size_t kMostUnwritten = 256;
constexpr std::size_t kMostUnwrittenBytes = std::size_t{1} << 20;

std::size_t size_of(const JournalEntry& entry) {
  return entry.frames.size() + entry.digest.size() + entry.op.size() + entry.arguments.size();
}

}  // namespace

RunJournal::RunJournal(store::Store& store, std::string run, std::function<void(const Failure&)> on_failure)
    : store_(store), run_(std::move(run)), on_failure_(std::move(on_failure)) {}

Result<RunJournal::Stored> RunJournal::read(store::Store& store, const std::string& run) {
  auto entries = GLOVEBOX_TRY(store.journal(run));
  auto begun = GLOVEBOX_TRY(store.calls_begun(run));
  return Stored{std::move(entries), std::move(begun)};
}

std::vector<JournalEntry> RunJournal::load(Stored stored) {
  const std::lock_guard lock(mutex_);
  bytes_ = 0;
  open_.clear();
  for (const JournalEntry& entry : stored.entries) {
    bytes_ += size_of(entry);
    follow(entry);
  }
  begun_.insert(stored.begun.begin(), stored.begun.end());
  next_ = stored.entries.size();
  kept_ = true;
  entries_ = stored.entries;
  forget_if_large();
  return std::move(stored.entries);
}

void RunJournal::add(JournalEntry entry) {
  const std::lock_guard lock(mutex_);
  last_ = Clock::now();
  if (!replayable_) return;
  const std::size_t bytes = size_of(entry);
  bytes_ += bytes;
  if (bytes_ > kMostJournalBytes) return give_up();
  follow(entry);
  if (kept_) {
    post(
        bytes,
        [run = run_, sequence = next_, entry, dropped = dropped_](store::Store& store) {
          return dropped->load() ? Result<void>() : store.append_journal(run, sequence, entry);
        },
        store::Haste::kWithNext);
  }
  ++next_;
  if (forgotten_) return;
  entries_.push_back(std::move(entry));
  forget_if_large();
}

void RunJournal::before_call(bool acts, std::function<void()> go) {
  {
    const std::lock_guard lock(mutex_);
    const bool ahead = unwritten_.size() > kMostUnwritten || unwritten_bytes_ > kMostUnwrittenBytes;
    if (!unwritten_.empty() && (acts || ahead)) {
      waiters_.push_back({written_ + unwritten_.size(), std::move(go)});
      store_.hurry();
      return;
    }
  }
  go();
}

void RunJournal::when_written(std::function<void()> then) {
  before_call(true, std::move(then));
}

std::optional<std::chrono::steady_clock::time_point> RunJournal::waits_since() const {
  const std::lock_guard lock(mutex_);
  if (unwritten_.empty()) return std::nullopt;
  return unwritten_.front().since;
}

void RunJournal::post(std::size_t bytes, std::function<Result<void>(store::Store&)> write, store::Haste haste) {
  unwritten_.push_back({bytes, Clock::now()});
  unwritten_bytes_ += bytes;
  store_.post_write(
      std::move(write),
      [weak = weak_from_this()](Result<void> written) {
        if (const auto journal = weak.lock()) journal->on_written(std::move(written));
      },
      true, haste);
}

void RunJournal::on_written(Result<void> written) {
  std::vector<Waiter> ready;
  bool failed = false;
  {
    const std::lock_guard lock(mutex_);
    ++written_;
    unwritten_bytes_ -= unwritten_.front().bytes;
    unwritten_.pop_front();
    if (!written) {
      failed = std::exchange(replayable_, false);
      waiters_.clear();
    }
    const auto waits = std::stable_partition(waiters_.begin(), waiters_.end(),
                                             [&](const Waiter& waiter) { return waiter.number <= written_; });
    ready.assign(std::make_move_iterator(waiters_.begin()), std::make_move_iterator(waits));
    waiters_.erase(waiters_.begin(), waits);
  }
  if (failed) on_failure_(written.failure());
  for (const Waiter& waiter : ready) waiter.then();
}

void RunJournal::follow(const JournalEntry& entry) {
  if (entry.kind == JournalEntry::Kind::kCall) {
    open_[entry.call_id] = entry.op;
  } else {
    open_.erase(entry.call_id);
  }
}

void RunJournal::forget_if_large() {
  if (!kept_ || bytes_ <= kMostRememberedBytes) return;
  forgotten_ = true;
  entries_ = {};
}

void RunJournal::give_up() {
  replayable_ = false;
  entries_ = {};
  if (kept_)
    post(
        0, [run = run_](store::Store& store) { return store.drop_journal(run); }, store::Haste::kWithNext);
  kept_ = false;
}

void RunJournal::post_all() {
  kept_ = true;
  post(
      bytes_,
      [run = run_, entries = entries_, begun = std::vector<std::uint64_t>(begun_.begin(), begun_.end())](
          store::Store& store) { return store.begin_journal(run, entries, begun); },
      store::Haste::kNow);
  forget_if_large();
}

void RunJournal::keep() {
  const std::lock_guard lock(mutex_);
  if (!kept_ && replayable_) post_all();
}

bool RunJournal::begin_call(std::uint64_t call, bool twice, bool keep) {
  const std::lock_guard lock(mutex_);
  if (twice) begun_.insert(call);
  const bool was_kept = kept_;
  if (keep && !kept_ && replayable_) post_all();
  const bool is_too_large = keep && !kept_;
  if (is_too_large || (was_kept && twice)) {
    post(
        0, [run = run_, call](store::Store& store) { return store.mark_begun(run, call); }, store::Haste::kNow);
  }
  return !unwritten_.empty();
}

void RunJournal::will_be_dropped() {
  dropped_->store(true);
}

bool RunJournal::has_been_kept() const {
  const std::lock_guard lock(mutex_);
  return kept_ || written_ > 0 || !unwritten_.empty();
}

bool RunJournal::is_kept() const {
  const std::lock_guard lock(mutex_);
  return kept_ && replayable_;
}

std::uint64_t RunJournal::size() const {
  const std::lock_guard lock(mutex_);
  return next_;
}

std::optional<std::vector<JournalEntry>> RunJournal::whole() const {
  const std::lock_guard lock(mutex_);
  if (!replayable_ || forgotten_) return std::nullopt;
  return entries_;
}

bool RunJournal::was_begun(std::uint64_t call) const {
  const std::lock_guard lock(mutex_);
  return begun_.contains(call);
}

bool RunJournal::has_begun() const {
  const std::lock_guard lock(mutex_);
  return !begun_.empty();
}

std::map<std::uint64_t, std::string> RunJournal::open_calls() const {
  const std::lock_guard lock(mutex_);
  return open_;
}

std::chrono::steady_clock::time_point RunJournal::last_entry() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

}  // namespace glovebox::gateway
