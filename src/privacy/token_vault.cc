#include "privacy/token_vault.h"

#include <algorithm>
#include <utility>

#include "base/text/json_text.h"
#include "privacy/characters.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kLongestToken = 48;

std::string_view prefix_of(const Finding& finding) {
  return finding.entity == Entity::kCustom ? finding.kind : token_name(finding.entity);
}

// An address is the same whatever its capitals; a number is its digits.
void write_key(std::string& key, std::string_view prefix, Entity entity, std::string_view value) {
  const bool by_characters = entity == Entity::kPhone || entity == Entity::kCard || entity == Entity::kIban ||
                             entity == Entity::kSsn || entity == Entity::kNationalId;
  const bool any_case = entity == Entity::kEmail || entity == Entity::kIban || entity == Entity::kMacAddress;
  key.assign(prefix) += ':';
  for (const char c : value) {
    if (by_characters && !is_word(c) && c != '+') continue;
    key += any_case ? to_lower(c) : c;
  }
}

}  // namespace

std::size_t token_at(std::string_view text, std::size_t at) {
  if (privacy::at(text, at) != '<') return 0;
  std::size_t end = at + 1;
  std::size_t digits = 0;
  while (end < text.size() && end - at < kLongestToken) {
    const char c = text[end];
    if (c == '>') return digits > 0 && text[end - digits - 1] == '_' && end - digits - 1 > at + 1 ? end + 1 - at : 0;
    if (!is_digit(c) && c != '_' && !(c >= 'A' && c <= 'Z')) return 0;
    digits = is_digit(c) ? digits + 1 : 0;
    ++end;
  }
  return 0;
}

void each_token(std::string_view text, const std::function<void(std::string_view)>& with) {
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1))
    if (const std::size_t size = token_at(text, at)) with(text.substr(at, size));
}

std::string with_values(std::string_view json,
                        const std::function<std::optional<std::string>(std::string_view)>& value_of) {
  std::string out;
  std::size_t copied = 0;
  each_token(json, [&](std::string_view token) {
    const auto value = value_of(token);
    if (!value || out.size() + value->size() > copied + kMostGrowth) return;
    const std::string text = base::json_string(*value);
    const std::size_t at = static_cast<std::size_t>(token.data() - json.data());
    if (out.size() + text.size() > copied + kMostGrowth) return;
    out.append(json, copied, at - copied);
    out.append(text, 1, text.size() - 2);
    copied = at + token.size();
  });
  out.append(json, copied);
  return out;
}

std::size_t TokenNumbers::next(const std::string& kind) {
  constexpr std::size_t kFirstBlock = 100, kLargestBlock = 100'000;
  const std::lock_guard lock(mutex_);
  if (take_block_ && numbers_[kind] == size_) {
    size_ = size_ == 0 ? kFirstBlock : std::min(size_ * 10, kLargestBlock);
    begin_ = take_block_(size_);
    numbers_.clear();
  }
  return begin_ + ++numbers_[kind];
}

TokenVault::TokenVault() : TokenVault(Options()) {}

TokenVault::TokenVault(Options options) : options_(std::move(options)) {
  if (!options_.numbers) options_.numbers = std::make_shared<TokenNumbers>();
  if (!options_.clock) options_.clock = [] { return std::chrono::steady_clock::now(); };
}

std::string TokenVault::token_for(const Finding& finding, std::string_view value, Time now) {
  const std::lock_guard lock(mutex_);
  expire(now);
  const std::string_view prefix = prefix_of(finding);
  write_key(sought_, prefix, finding.entity, value);
  if (const auto known = by_key_.find(sought_); known != by_key_.end()) {
    use(known->second, now);
    return known->second->token;
  }
  while (by_use_.size() >= options_.most && !by_use_.empty()) drop_oldest();
  std::string token = "<" + std::string(prefix);
  token += "_" + std::to_string(options_.numbers->next(std::string(prefix))) + ">";
  const auto entry = by_use_.insert(by_use_.end(), Entry{std::move(token), sought_, std::string(value), now});
  by_key_.emplace(entry->key, entry);
  by_token_.emplace(entry->token, entry);
  const std::size_t bytes = bytes_of(*entry);
  bytes_ += bytes;
  options_.numbers->keep(bytes);
  while (bytes_ > options_.most_bytes && by_use_.size() > 1) drop_oldest();
  return entry->token;
}

// And what the containers need.
std::size_t TokenVault::bytes_of(const Entry& entry) {
  return entry.key.size() + entry.value.size() + entry.token.size() + 256;
}

std::optional<std::string> TokenVault::value_of(std::string_view token) {
  const std::lock_guard lock(mutex_);
  const Time now = options_.clock();
  expire(now);
  const auto known = by_token_.find(token);
  if (known == by_token_.end()) return std::nullopt;
  use(known->second, now);
  return known->second->value;
}

std::string TokenVault::restored(std::string_view json) {
  return with_values(json, [this](std::string_view token) { return value_of(token); });
}

void TokenVault::use(Entries::iterator entry, Time now) {
  entry->time = now;
  by_use_.splice(by_use_.end(), by_use_, entry);
}

void TokenVault::expire(Time now) {
  while (!by_use_.empty() && now - by_use_.front().time >= options_.idle) drop_oldest();
}

void TokenVault::drop_oldest() {
  const Entry& oldest = by_use_.front();
  const std::size_t bytes = bytes_of(oldest);
  bytes_ -= bytes;
  options_.numbers->drop(bytes);
  by_key_.erase(oldest.key);
  by_token_.erase(oldest.token);
  by_use_.pop_front();
}

std::size_t TokenVault::size() const {
  const std::lock_guard lock(mutex_);
  return by_use_.size();
}

std::size_t TokenVault::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void TokenVault::forget() {
  const std::lock_guard lock(mutex_);
  options_.numbers->drop(std::exchange(bytes_, 0));
  by_key_.clear();
  by_token_.clear();
  by_use_.clear();
  sought_.clear();
}

}  // namespace glovebox::privacy
