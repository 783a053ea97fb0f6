#include "discovery/stored_vectors.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "catalog/pins/definition.h"
#include "discovery/learned_uses.h"

namespace glovebox::discovery {
namespace {

// More than any catalog has; bounds a server that keeps renaming its tools.
constexpr std::size_t kMostVectors = 100'000;
constexpr std::int64_t kUnusedFor = std::int64_t{90} * 24 * 3600 * 1000;

// Other writes take their turn in between.
constexpr std::size_t kMostLookups = 256;

store::VectorRecord scale_record(std::string vector) {
  std::string all;
  for (const std::string& text : search::scale_texts()) all += text + "\n";
  return {"scale", catalog::sha256_text(all), std::move(vector)};
}

}  // namespace

std::function<void(std::function<void()>)> StoredVectors::back() const {
  return [executor = executor_, alive = alive_](std::function<void()> work) {
    boost::asio::post(executor, [alive, work = std::move(work)] {
      if (*alive) work();
    });
  };
}

std::function<void(const Result<void>&)> StoredVectors::report() const {
  return [back = back(), notice = on_notice_](const Result<void>& done) {
    if (!done && notice) back([notice, why = done.failure().message] { notice(why); });
  };
}

void StoredVectors::find(const std::string& model, Records wanted, std::int64_t now,
                         std::function<void(Records)> done) {
  const auto all = std::make_shared<Records>(std::move(wanted));
  const std::size_t count = all->size();
  for (std::size_t from = 0; from < count; from += kMostLookups) {
    const std::size_t some = std::min(count - from, kMostLookups);
    store_.post([all, model, now, from, some, report = report()](store::Store& store) {
      const auto first = all->begin() + static_cast<std::ptrdiff_t>(from);
      Records records(first, first + static_cast<std::ptrdiff_t>(some));
      report(store.find_vectors(model, records, now));
      std::move(records.begin(), records.end(), first);
    });
  }
  store_.post(
      [all, back = back(), done = std::move(done)](store::Store&) { back([all, done] { done(std::move(*all)); }); });
}

void StoredVectors::prune(std::int64_t now) {
  store_.post([now](store::Store& store) { (void)store.prune_vectors(kMostVectors, now - kUnusedFor).ok(); });
}

void StoredVectors::keep(const std::string& model, Records records, std::int64_t now) {
  // What is lost is computed again, so these writes need no sync of their own and share commits.
  store_.post_write([model, records = std::move(records),
                     now](store::Store& store) { return store.keep_vectors(model, records, now); },
                    report(), false, store::Haste::kWithNext);
}

void StoredVectors::find_scale(const std::string& model, std::int64_t now,
                               std::function<void(const std::optional<search::CosineScale>&)> done) {
  find(model, {scale_record("")}, now, [done = std::move(done)](const Records& found) {
    const std::vector<float> known = vector_of(found[0].vector);
    done(known.size() == 2 ? std::optional(search::CosineScale{known[0], known[1], false}) : std::nullopt);
  });
}

void StoredVectors::keep_scale(const std::string& model, const search::CosineScale& scale, std::int64_t now) {
  keep(model, {scale_record(vector_bytes(std::vector<float>{scale.unrelated, scale.related}))}, now);
}

}  // namespace glovebox::discovery
