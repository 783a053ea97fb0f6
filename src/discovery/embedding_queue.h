// Texts of tools that wait to be embedded. Servers take turns, so that one with very many tools, or with changed ones
// every minute, does not keep the rest waiting.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace glovebox::discovery {

struct WaitingText {
  std::uint32_t id = 0;       // of the tool
  std::uint64_t version = 0;  // of its definition
  std::string server;
  std::string text;
};

class EmbeddingQueue {
 public:
  // Replaces the waiting text with the same id.
  void put(WaitingText text);
  void remove(std::uint32_t id);
  std::vector<WaitingText> take(std::size_t most);
  std::size_t size() const { return texts_.size(); }
  bool empty() const { return texts_.empty(); }

 private:
  std::map<std::uint32_t, WaitingText> texts_;              // by id
  std::map<std::string, std::deque<std::uint32_t>> turns_;  // by server; ids may already be removed
  std::string last_;                                        // server that had its turn
};

}  // namespace glovebox::discovery
