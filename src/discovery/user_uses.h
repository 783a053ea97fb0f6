// Which tools served each user's earlier intents: read from the store on first use, and kept in both.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
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

class UserUses {
 public:
  // `on_read` is called on the executor's thread when a user's uses were read, or cannot be.
  UserUses(boost::asio::any_io_executor executor, store::Store& store, std::function<void()> on_read);

  // Reads them, on the store's thread, unless they are known.
  void read(const std::string& user);
  bool is_reading(const std::string& user) const { return reading_.contains(user); }
  // Null for an empty user, and for one whose uses were not read.
  const LearnedUses* of(const std::string& user) const;
  void add(const store::UseRecord& use);

 private:
  void on_uses(const std::string& user, Result<std::vector<store::UseRecord>> read);

  boost::asio::any_io_executor executor_;
  store::Store& store_;
  std::function<void()> on_read_;
  std::unordered_map<std::string, LearnedUses> uses_;                       // by user
  std::unordered_map<std::string, std::vector<store::UseRecord>> reading_;  // likewise: those that are new meanwhile
  std::shared_ptr<const bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace glovebox::discovery
