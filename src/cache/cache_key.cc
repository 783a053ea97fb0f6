#include "cache/cache_key.h"

namespace glovebox::cache {
namespace {

// Must change whenever the meaning of the fields changes.
constexpr std::string_view kFormat = "glovebox cache 1";

}  // namespace

CacheKey::CacheKey(std::string_view kind) {
  add_text(kFormat);
  add_text(kind);
}

void CacheKey::add_text(std::string_view text) {
  const std::string length = std::to_string(text.size()) + ':';
  hash_.add(length);
  hash_.add(text);
}

CacheKey& CacheKey::add(std::string_view field, std::string_view value) {
  add_text(field);
  add_text(value);
  return *this;
}

CacheKey& CacheKey::add(std::string_view field, const std::vector<std::string>& values) {
  add_text(field);
  add_text(std::to_string(values.size()));
  for (const std::string& value : values) add_text(value);
  return *this;
}

std::string CacheKey::hex() const {
  return hash_.hex();
}

}  // namespace glovebox::cache
