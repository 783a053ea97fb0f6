#include "discovery/learned_uses.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "search/words.h"

namespace glovebox::discovery {
namespace {

// Below the first, two intents have little to do with each other by the local model; from the second on they mean the
// same.
constexpr double kUnlike = 0.45;
constexpr double kAlike = 0.75;
// Share of the words of both.
constexpr double kSharedWords = 0.5;

constexpr double kMostCount = 4;  // of one use: a loop is not a habit
constexpr std::size_t kMostShown = 3;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words = search::Words().stems(text);
  std::erase_if(words, [](const std::string& word) { return search::is_empty_word(word); });
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

double shared_words(const std::vector<std::string>& left, const std::vector<std::string>& right) {
  std::vector<std::string> both;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(both));
  const std::size_t all = left.size() + right.size() - both.size();
  return all == 0 ? 0 : static_cast<double>(both.size()) / static_cast<double>(all);
}

}  // namespace

std::string vector_bytes(std::span<const float> vector) {
  return std::string(reinterpret_cast<const char*>(vector.data()), vector.size_bytes());
}

std::vector<float> vector_of(std::string_view bytes) {
  std::vector<float> vector(bytes.size() / sizeof(float));
  if (!vector.empty()) std::memcpy(vector.data(), bytes.data(), vector.size() * sizeof(float));
  // A damaged store must not distort scores.
  const bool sound = std::all_of(vector.begin(), vector.end(), [](float number) { return std::abs(number) <= 1.001F; });
  if (!sound || bytes.size() % sizeof(float) != 0) vector.clear();
  return vector;
}

double boost_of(const UseEvidence& evidence) {
  return kMostBoost * evidence.weight / (evidence.weight + 1);
}

LearnedUses::Use LearnedUses::prepare(store::UseRecord record) {
  Use use{std::move(record), {}, {}};
  use.words = words_of(use.record.intent);
  use.vector = vector_of(use.record.vector);
  return use;
}

LearnedUses::LearnedUses(std::vector<store::UseRecord> uses) {
  for (store::UseRecord& use : uses) uses_.push_back(prepare(std::move(use)));
}

void LearnedUses::add(store::UseRecord use, std::size_t most) {
  const auto same = std::find_if(uses_.begin(), uses_.end(), [&](const Use& known) {
    return known.record.intent == use.intent && known.record.server == use.server && known.record.tool == use.tool;
  });
  if (same != uses_.end()) {
    use.count += same->record.count;
    uses_.erase(same);
  }
  uses_.insert(uses_.begin(), prepare(std::move(use)));
  if (uses_.size() > most) uses_.resize(most);
}

double LearnedUses::similarity(const Use& use, const AskedIntent& intent, const std::vector<std::string>& words) {
  const double shared = shared_words(use.words, words);
  double alike = shared >= kSharedWords ? shared : 0;
  const bool comparable = !intent.model.empty() && use.record.model == intent.model && !use.vector.empty() &&
                          use.vector.size() == intent.vector.size();
  if (comparable) {
    double cosine = 0;
    for (std::size_t i = 0; i < use.vector.size(); ++i) cosine += use.vector[i] * intent.vector[i];
    cosine = search::common_cosine(cosine, intent.scale);
    alike = std::max(alike, std::clamp((cosine - kUnlike) / (kAlike - kUnlike), 0.0, 1.0));
  }
  return alike;
}

std::map<std::string, UseEvidence> LearnedUses::about(const AskedIntent& intent) const {
  struct Similar {
    double alike;
    const Use* use;
  };
  std::vector<Similar> similar;
  const std::vector<std::string> words = words_of(intent.text);
  for (const Use& use : uses_) {
    if (const double alike = similarity(use, intent, words); alike > 0) similar.push_back({alike, &use});
  }
  std::stable_sort(similar.begin(), similar.end(), [](const auto& a, const auto& b) { return a.alike > b.alike; });
  std::map<std::string, UseEvidence> evidence;
  for (const Similar& one : similar) {
    const store::UseRecord& record = one.use->record;
    UseEvidence& of_tool = evidence[record.server + "." + record.tool];
    of_tool.weight += one.alike * std::min(static_cast<double>(record.count), kMostCount);
    if (of_tool.intents.size() < kMostShown) of_tool.intents.push_back(record.intent);
  }
  return evidence;
}

}  // namespace glovebox::discovery
