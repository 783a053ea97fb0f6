// Which tools served each user's earlier intents: read from the store on first use, and kept in both.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "discovery/learned_uses.h"
#include "store/store.h"

namespace glovebox::discovery {

class UserUses {
 public:
  UserUses(store::Store& store, std::function<void(const std::string&)> on_notice)
      : store_(store), on_notice_(std::move(on_notice)) {}

  // Null for an empty user, and when the store cannot be read.
  LearnedUses* of(const std::string& user);
  void add(const store::UseRecord& use);

 private:
  store::Store& store_;
  std::function<void(const std::string&)> on_notice_;
  std::unordered_map<std::string, LearnedUses> uses_;  // by user
};

}  // namespace glovebox::discovery
