#include "discovery/embedding_queue.h"

namespace glovebox::discovery {

void EmbeddingQueue::put(WaitingText text) {
  const std::uint32_t id = text.id;
  const std::string server = text.server;
  const auto [place, is_new] = texts_.insert_or_assign(id, std::move(text));
  if (is_new) turns_[server].push_back(id);
}

void EmbeddingQueue::remove(std::uint32_t id) {
  texts_.erase(id);
}

std::vector<WaitingText> EmbeddingQueue::take(std::size_t most) {
  std::vector<WaitingText> taken;
  while (taken.size() < most && !turns_.empty()) {
    auto turn = turns_.upper_bound(last_);
    if (turn == turns_.end()) turn = turns_.begin();
    last_ = turn->first;
    const std::uint32_t id = turn->second.front();
    turn->second.pop_front();
    if (turn->second.empty()) turns_.erase(turn);
    const auto found = texts_.find(id);
    if (found == texts_.end()) continue;
    taken.push_back(std::move(found->second));
    texts_.erase(found);
  }
  return taken;
}

}  // namespace glovebox::discovery
