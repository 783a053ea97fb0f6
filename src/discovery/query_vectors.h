// Vectors of recent requests: agents repeat requests, and clauses recur.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "search/query.h"

namespace glovebox::discovery {

// Of one model; when it changes, the caller clears them.
class QueryVectors {
 public:
  explicit QueryVectors(std::size_t most) : most_(most) {}

  // Fills in the stored vectors of a query, in the order of its texts, and empty ones for the others. Returns those
  // others: what is still to be embedded.
  std::vector<std::string> begin(search::Query& query);
  // Their vectors have arrived.
  void complete(search::Query& query, const std::vector<std::string>& missing, std::vector<std::vector<float>> made);

  // Null when it is not stored; valid until the next call.
  const std::vector<float>* find(const std::string& text);
  void keep(const std::string& text, std::vector<float> vector);
  void clear();

 private:
  using Entry = std::pair<std::string, std::vector<float>>;
  std::size_t most_;
  std::list<Entry> entries_;  // the latest first
  std::unordered_map<std::string, std::list<Entry>::iterator> places_;
};

}  // namespace glovebox::discovery
