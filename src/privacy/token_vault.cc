#include "privacy/token_vault.h"

#include <utility>

#include "base/text/json_text.h"
#include "privacy/characters.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kLongestToken = 48;

std::string prefix_of(const Finding& finding) {
  return std::string(finding.entity == Entity::kCustom ? finding.kind : token_name(finding.entity));
}

// An address is the same whatever its capitals; a number is its digits.
std::string key_of(const std::string& prefix, Entity entity, std::string_view value) {
  std::string key;
  key.reserve(prefix.size() + 1 + value.size());
  key.append(prefix) += ':';
  const bool by_characters = entity == Entity::kPhone || entity == Entity::kCard || entity == Entity::kIban ||
                             entity == Entity::kSsn || entity == Entity::kNationalId;
  for (const char c : value) {
    if (by_characters && !is_word(c) && c != '+') continue;
    key += entity == Entity::kEmail || entity == Entity::kIban || entity == Entity::kMacAddress ? to_lower(c) : c;
  }
  return key;
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

TokenVault::TokenVault() : TokenVault(Options()) {}

TokenVault::TokenVault(Options options) : options_(std::move(options)) {
  if (!options_.numbers) options_.numbers = std::make_shared<TokenNumbers>();
  if (!options_.clock) options_.clock = [] { return std::chrono::steady_clock::now(); };
}

std::string TokenVault::token_for(const Finding& finding, std::string_view value) {
  const std::lock_guard lock(mutex_);
  const Time now = options_.clock();
  expire(now);
  const std::string prefix = prefix_of(finding);
  std::string key = key_of(prefix, finding.entity, value);
  if (const auto known = tokens_.find(key); known != tokens_.end()) {
    use(values_.at(known->second), now);
    return known->second;
  }
  while (values_.size() >= options_.most && !by_use_.empty()) drop_oldest();
  std::string token = "<" + prefix + "_" + std::to_string(options_.numbers->next(prefix)) + ">";
  const auto last = by_use_.insert(by_use_.end(), Use{token, now});
  const auto kept = values_.emplace(token, Entry{key, std::string(value), last}).first;
  const std::size_t bytes = bytes_of(kept->second);
  bytes_ += bytes;
  options_.numbers->keep(bytes);
  tokens_.emplace(std::move(key), token);
  while (bytes_ > options_.most_bytes && by_use_.size() > 1) drop_oldest();
  return token;
}

// The key is there twice, and so is the token; the rest is what the containers need.
std::size_t TokenVault::bytes_of(const Entry& entry) {
  return 2 * entry.key.size() + entry.value.size() + 2 * entry.last->token.size() + 256;
}

TokenVault::Entry* TokenVault::find(std::string_view token) {
  const Time now = options_.clock();
  expire(now);
  const auto known = values_.find(std::string(token));
  if (known == values_.end()) return nullptr;
  use(known->second, now);
  return &known->second;
}

std::optional<std::string> TokenVault::value_of(std::string_view token) {
  const std::lock_guard lock(mutex_);
  const Entry* entry = find(token);
  if (!entry) return std::nullopt;
  return entry->value;
}

std::string TokenVault::restored(std::string_view json) {
  return with_values(json, [this](std::string_view token) { return value_of(token); });
}

void TokenVault::use(Entry& entry, Time now) {
  entry.last->time = now;
  by_use_.splice(by_use_.end(), by_use_, entry.last);
}

void TokenVault::expire(Time now) {
  while (!by_use_.empty() && now - by_use_.front().time >= options_.idle) drop_oldest();
}

void TokenVault::drop_oldest() {
  const auto found = values_.find(by_use_.front().token);
  const std::size_t bytes = bytes_of(found->second);
  bytes_ -= bytes;
  options_.numbers->drop(bytes);
  tokens_.erase(found->second.key);
  values_.erase(found);
  by_use_.pop_front();
}

std::size_t TokenVault::size() const {
  const std::lock_guard lock(mutex_);
  return values_.size();
}

std::size_t TokenVault::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void TokenVault::forget() {
  const std::lock_guard lock(mutex_);
  options_.numbers->drop(std::exchange(bytes_, 0));
  tokens_.clear();
  values_.clear();
  by_use_.clear();
}

}  // namespace glovebox::privacy
