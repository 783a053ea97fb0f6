// What one user's earlier intents say about the next: tools that served similar ones move up a little.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/calibration.h"
#include "store/tool_records.h"

namespace glovebox::discovery {

// The most that uses add to a score. It decides between tools that are about as good, and never lifts one that does not
// fit.
inline constexpr double kMostBoost = 0.1;

struct UseEvidence {
  double weight = 0;                 // similar intents that it served, each by how similar it is
  std::vector<std::string> intents;  // the most similar ones
};

// What the evidence adds to a score: less than kMostBoost.
double boost_of(const UseEvidence& evidence);

// The intent that uses are compared with.
struct AskedIntent {
  std::string_view text;
  std::string_view model;         // of the vector; empty: words are compared
  std::span<const float> vector;  // of unit length
  search::CosineScale scale{};    // of the model
};

class LearnedUses {
 public:
  // Newest first, as the store has them.
  explicit LearnedUses(std::vector<store::UseRecord> uses);
  void add(store::UseRecord use, std::size_t most);

  // By "server.tool".
  std::map<std::string, UseEvidence> about(const AskedIntent& intent) const;
  std::size_t size() const { return uses_.size(); }

 private:
  struct Use {
    store::UseRecord record;
    std::vector<std::string> words;  // sorted
    std::vector<float> vector;
  };
  static Use prepare(store::UseRecord record);
  static double similarity(const Use& use, const AskedIntent& intent, const std::vector<std::string>& words);
  std::vector<Use> uses_;
};

// Vectors as the store keeps them.
std::string vector_bytes(std::span<const float> vector);
std::vector<float> vector_of(std::string_view bytes);

}  // namespace glovebox::discovery
