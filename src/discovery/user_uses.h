// Which tools served each user's earlier intents: read from the store on first use, and kept in both.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "discovery/learned_uses.h"
#include "discovery/tool_finder.h"
#include "store/store.h"

namespace glovebox::discovery {

// The tools, by their own names, that are learned for the intent: none where it is blank or long, or there are many.
using UsedTools = std::vector<ToolFinder::UsedTool>;
UsedTools worth_learning(const catalog::Catalog& catalog, const std::string& intent, const UsedTools& tools);
bool is_blank(std::string_view text);

class UserUses {
 public:
  explicit UserUses(store::Store& store) : store_(store) {}

  // Null for an empty user, and when the store cannot be read.
  LearnedUses* of(const std::string& user);
  void add(const store::UseRecord& use);

 private:
  store::Store& store_;
  std::unordered_map<std::string, LearnedUses> uses_;  // by user
};

}  // namespace glovebox::discovery
