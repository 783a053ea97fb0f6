#include "discovery/query_vectors.h"

namespace glovebox::discovery {

std::vector<std::string> QueryVectors::begin(search::Query& query) {
  std::vector<std::vector<float>> vectors;
  std::vector<std::string> missing;
  for (const std::string& text : search::texts_of(query)) {
    const std::vector<float>* known = find(text);
    vectors.push_back(known ? *known : std::vector<float>());
    if (!known) missing.push_back(text);
  }
  if (missing.empty()) {
    search::set_vectors(query, std::move(vectors));
  } else {
    query.vectors = std::move(vectors);
  }
  return missing;
}

void QueryVectors::complete(search::Query& query, const std::vector<std::string>& missing,
                            std::vector<std::vector<float>> made) {
  std::size_t next = 0;
  std::vector<std::vector<float>> vectors = std::move(query.vectors);
  for (std::vector<float>& vector : vectors)
    if (vector.empty() && next < made.size()) vector = made[next++];
  search::set_vectors(query, std::move(vectors));
  for (std::size_t i = 0; i < missing.size() && i < made.size(); ++i) keep(missing[i], std::move(made[i]));
}

const std::vector<float>* QueryVectors::find(const std::string& text) {
  const auto place = places_.find(text);
  if (place == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, place->second);
  return &place->second->second;
}

void QueryVectors::keep(const std::string& text, std::vector<float> vector) {
  if (find(text)) return;
  entries_.emplace_front(text, std::move(vector));
  places_[text] = entries_.begin();
  if (entries_.size() <= most_) return;
  places_.erase(entries_.back().first);
  entries_.pop_back();
}

void QueryVectors::clear() {
  entries_.clear();
  places_.clear();
}

}  // namespace glovebox::discovery
