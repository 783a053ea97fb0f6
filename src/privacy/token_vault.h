// What tokens stand for. A value has one token while it is remembered, and only the vault can resolve it: in memory,
// for one conversation, and never in a log. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// How many tokens of each kind there are. Vaults that share it never issue the same token twice, and it knows how many
// bytes they keep together.
class TokenNumbers {
 public:
  // Takes a block of so many numbers, and returns the one before its first.
  using TakeBlock = std::function<std::size_t(std::size_t count)>;

  TokenNumbers() = default;
  explicit TokenNumbers(TakeBlock take_block) : take_block_(std::move(take_block)) {}

  std::size_t next(const std::string& kind);
  std::size_t bytes() const { return bytes_; }
  void keep(std::size_t bytes) { bytes_ += bytes; }
  void drop(std::size_t bytes) { bytes_ -= bytes; }

 private:
  std::atomic<std::size_t> bytes_ = 0;
  std::mutex mutex_;
  TakeBlock take_block_;  // empty: all are free
  std::size_t begin_ = 0;
  std::size_t size_ = 0;                        // of the block
  std::map<std::string, std::size_t> numbers_;  // how many of it each kind has
};

class TokenVault {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;
  struct Options {
    std::size_t most = 100'000;             // values; beyond that the least recently used is forgotten
    std::size_t most_bytes = 8 << 20;       // of values, with what they are found by
    std::chrono::seconds idle{3600};        // a value that was not used for this long is forgotten
    Clock clock;                            // empty: the system's
    std::shared_ptr<TokenNumbers> numbers;  // empty: its own
  };
  // Longer than any value that is one. Code can hide one in a text of any size, such as base64, and all of that is
  // replaced: it is not kept.
  static constexpr std::size_t kLongestValue = 2048;

  TokenVault();
  explicit TokenVault(Options options);
  ~TokenVault() { forget(); }

  // <EMAIL_1>; the same for the same value, however it is written. A number is never reused.
  std::string token_for(const Finding& finding, std::string_view value) { return token_for(finding, value, now()); }
  // The same at a time that was read before: a text may have many values.
  using Time = std::chrono::steady_clock::time_point;
  std::string token_for(const Finding& finding, std::string_view value, Time now);
  Time now() const { return options_.clock(); }
  std::optional<std::string> value_of(std::string_view token);

  // JSON with the values of all tokens in its strings restored. Unknown tokens stay.
  std::string restored(std::string_view json);

  void forget();
  std::size_t size() const;
  std::size_t bytes() const;

 private:
  struct Entry {
    std::string token;
    std::string key;
    std::string value;
    Time time;  // of its last use
  };
  using Entries = std::list<Entry>;
  static std::size_t bytes_of(const Entry& entry);
  void expire(Time now);
  void drop_oldest();
  void use(Entries::iterator entry, Time now);

  Options options_;
  mutable std::mutex mutex_;
  Entries by_use_;  // the last at the end
  // Sorted: who chooses the values could choose ones that a hash table puts into one place.
  std::map<std::string_view, Entries::iterator> by_key_;  // keys and tokens are those of the entries
  std::map<std::string_view, Entries::iterator> by_token_;
  std::string sought_;  // a key; kept for its memory
  std::size_t bytes_ = 0;
};

// JSON with tokens in its strings replaced by what `value_of` returns. Unknown ones stay, and so do those by which it
// would grow by more than kMostGrowth.
inline constexpr std::size_t kMostGrowth = 16 << 20;
std::string with_values(std::string_view json,
                        const std::function<std::optional<std::string>(std::string_view token)>& value_of);
// Calls `with` for each token of a text.
void each_token(std::string_view text, const std::function<void(std::string_view token)>& with);

// The length of a token that begins at `at`, such as <EMAIL_1>, or 0.
std::size_t token_at(std::string_view text, std::size_t at);

}  // namespace glovebox::privacy
