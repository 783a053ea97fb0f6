#include "gateway/run_journal.h"

#include "base/try.h"

namespace glovebox::gateway {
namespace {

// Of all that one run is told. Beyond it a run can wait, but only as long as its guest and its gateway live.
constexpr std::size_t kMostJournalBytes = std::size_t{64} << 20;

}  // namespace

RunJournal::RunJournal(store::Store& store, std::string run, std::function<void(const Failure&)> on_failure)
    : store_(store), run_(std::move(run)), on_failure_(std::move(on_failure)) {}

Result<std::vector<JournalEntry>> RunJournal::load() {
  const std::lock_guard lock(mutex_);
  auto entries = GLOVEBOX_TRY(store_.journal(run_));
  bytes_ = 0;
  open_.clear();
  for (const JournalEntry& entry : entries) {
    bytes_ += entry.frames.size() + entry.arguments.size();
    follow(entry);
  }
  for (const std::uint64_t call : GLOVEBOX_TRY(store_.calls_begun(run_))) begun_.insert(call);
  next_ = entries.size();
  kept_ = true;
  return entries;
}

void RunJournal::add(JournalEntry entry) {
  std::optional<Failure> failure;
  {
    const std::lock_guard lock(mutex_);
    last_ = std::chrono::steady_clock::now();
    if (!replayable_) return;
    bytes_ += entry.frames.size() + entry.digest.size() + entry.op.size() + entry.arguments.size();
    if (bytes_ > kMostJournalBytes) return give_up();
    follow(entry);
    if (kept_) {
      auto written = store_.append_journal(run_, next_, entry);
      if (!written) failure = std::move(written).failure();
    } else {
      entries_.push_back(std::move(entry));
    }
    ++next_;
    if (failure) replayable_ = false;
  }
  if (failure) on_failure_(*failure);
}

void RunJournal::follow(const JournalEntry& entry) {
  if (entry.kind == JournalEntry::Kind::kCall) {
    open_[entry.call_id] = entry.op;
  } else {
    open_.erase(entry.call_id);
  }
}

void RunJournal::give_up() {
  replayable_ = false;
  entries_ = {};
  if (kept_) (void)store_.drop_journal(run_).ok();
  kept_ = false;
}

Result<void> RunJournal::keep() {
  const std::lock_guard lock(mutex_);
  if (kept_ || !replayable_) return {};
  GLOVEBOX_TRY_VOID(store_.begin_journal(run_, entries_, {begun_.begin(), begun_.end()}));
  entries_ = {};
  kept_ = true;
  return {};
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
  if (!replayable_) return std::nullopt;
  if (!kept_) return entries_;
  auto stored = store_.journal(run_);
  return stored ? std::optional(std::move(stored).value()) : std::nullopt;
}

Result<void> RunJournal::begin_call(std::uint64_t call) {
  const std::lock_guard lock(mutex_);
  if (kept_) GLOVEBOX_TRY_VOID(store_.mark_begun(run_, call));
  begun_.insert(call);
  return {};
}

bool RunJournal::was_begun(std::uint64_t call) const {
  const std::lock_guard lock(mutex_);
  return begun_.contains(call);
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
