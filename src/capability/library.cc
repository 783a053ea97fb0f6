#include "capability/library.h"

#include <algorithm>

#include "base/text/json_builder.h"
#include "base/try.h"
#include "catalog/pins/definition_diff.h"

namespace glovebox::capability {
namespace {

// As one object, whose texts are compared line by line.
std::string as_object(const std::string& metadata, const std::string& code) {
  return base::ObjectText().text("code", code).json("metadata", metadata).done();
}

}  // namespace

Result<Published> Library::load(const LockEntry& entry) const {
  if (!entry.approved) return Failure{ErrorCode::kConflict, "no one has approved " + entry.fqdn.text()};
  const auto lost = [&](const char* what) {
    return Failure{ErrorCode::kNotFound, std::string("the ") + what + " of " + entry.fqdn.text() +
                                             " is not in the cache, or is damaged there"};
  };
  const auto text = cache_.find(entry.metadata);
  if (!text) return lost("metadata");
  auto read = GLOVEBOX_TRY(read_metadata(*text));
  Published published{std::move(read.metadata), ""};
  if (published.metadata.fqdn != entry.fqdn || published.metadata.integrity != entry.integrity)
    return Failure{ErrorCode::kProtocol, "mcp.lock does not match the metadata of " + entry.fqdn.text()};
  if (published.metadata.type != Metadata::Type::kDeno) return published;
  auto code = cache_.find(entry.integrity);
  if (!code) return lost("code");
  published.code = std::move(*code);
  return published;
}

Library::Comparison Library::compare(const Published& published) const {
  Comparison comparison;
  const LockEntry* entry = lock_.find(published.metadata.fqdn);
  if (!entry) return comparison;
  comparison.before = entry->metadata;
  const std::string now = published.metadata.canonical();
  const std::string digest = Integrity::of(now).text();
  if (digest == entry->metadata.text()) {
    comparison.state = Comparison::State::kSame;
    return comparison;
  }
  const bool was_there = std::find(entry->replaced.begin(), entry->replaced.end(), digest) != entry->replaced.end();
  comparison.state = was_there ? Comparison::State::kReplayed : Comparison::State::kChanged;
  const auto metadata = cache_.find(entry->metadata);
  const auto code = cache_.find(entry->integrity);
  comparison.diff =
      catalog::definition_diff(as_object(metadata.value_or("{}"), code.value_or("")), as_object(now, published.code));
  return comparison;
}

Result<void> Library::accept(const Published& published, const Comparison& seen) {
  GLOVEBOX_TRY_VOID(verify_code(published.metadata, published.code));
  // In this order: what the lock names is there, whatever happens in between.
  (void)GLOVEBOX_TRY(cache_.put(published.code));
  (void)GLOVEBOX_TRY(cache_.put(published.metadata.canonical()));
  return lock_.put(published.metadata, seen.before);
}

Result<void> Library::restore(const Published& published) {
  GLOVEBOX_TRY_VOID(verify_code(published.metadata, published.code));
  (void)GLOVEBOX_TRY(cache_.put(published.code));
  (void)GLOVEBOX_TRY(cache_.put(published.metadata.canonical()));
  return lock_.validated(published.metadata.fqdn);
}

Result<bool> Library::remove(const Fqdn& fqdn) {
  GLOVEBOX_TRY_VOID(lock_.refresh());
  const LockEntry* entry = lock_.find(fqdn);
  if (!entry) return false;
  const LockEntry gone = *entry;
  const bool removed = GLOVEBOX_TRY(lock_.remove(fqdn));
  const auto& left = lock_.entries();
  const bool shared =
      std::any_of(left.begin(), left.end(), [&](const auto& item) { return item.second.integrity == gone.integrity; });
  cache_.remove(gone.metadata);
  if (!shared) cache_.remove(gone.integrity);
  return removed;
}

}  // namespace glovebox::capability
