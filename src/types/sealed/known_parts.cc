#include "types/sealed/known_parts.h"

#include "base/digest.h"

namespace glovebox::types {
namespace {

std::size_t size_of(const std::string& key, const Part& part) {
  constexpr std::size_t kOverhead = 128;
  std::size_t bytes = kOverhead + key.size() + part.types.size();
  for (const std::string& signature : part.signatures) bytes += signature.size();
  return bytes;
}

}  // namespace

std::string KnownParts::key_of(std::string_view source, std::string_view question) {
  base::Sha256 hash;
  hash.add(std::to_string(source.size()) + ":");
  hash.add(source);
  hash.add(question);
  const base::Sha256::Digest digest = hash.digest();
  return std::string(base::as_text(digest));
}

const Part* KnownParts::find(const std::string& key) const {
  const auto found = parts_.find(key);
  return found == parts_.end() ? nullptr : &found->second;
}

void KnownParts::keep(const std::string& key, Part part) {
  const std::size_t bytes = size_of(key, part);
  if (bytes_ + bytes > most_bytes_) {
    parts_.clear();
    bytes_ = 0;
  }
  if (bytes <= most_bytes_ && parts_.emplace(key, std::move(part)).second) bytes_ += bytes;
}

}  // namespace glovebox::types
