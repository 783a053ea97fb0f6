#include "discovery/user_uses.h"

#include <algorithm>

#include "base/characters/ascii.h"
#include "store/thread/ask_store.h"

namespace glovebox::discovery {
namespace {

constexpr std::size_t kMostUses = 2000;  // of one user

// Of one program.
constexpr std::size_t kMostToolsLearned = 10;
constexpr std::size_t kMostIntentBytes = 1000;

}  // namespace

UsedTools worth_learning(const catalog::Catalog& catalog, const std::string& intent, const UsedTools& tools) {
  UsedTools used;
  if (base::is_blank(intent) || intent.size() > kMostIntentBytes) return used;
  for (const auto& one : tools) {
    const auto tool = catalog.known(one.server, one.tool);
    if (!tool) continue;
    const ToolFinder::UsedTool named{tool->server, tool->name};
    if (std::find(used.begin(), used.end(), named) == used.end()) used.push_back(named);
  }
  if (used.size() > kMostToolsLearned) used.clear();
  return used;
}

UserUses::UserUses(boost::asio::any_io_executor executor, store::Store& store, std::function<void()> on_read)
    : executor_(std::move(executor)), store_(store), on_read_(std::move(on_read)) {}

void UserUses::read(const std::string& user) {
  if (user.empty() || uses_.contains(user) || !reading_.try_emplace(user).second) return;
  store::ask_store(
      store_, executor_, [user](store::Store& store) { return store.tool_uses(user); },
      [this, alive = std::weak_ptr(alive_), user](Result<std::vector<store::UseRecord>> read) {
        if (!alive.expired()) on_uses(user, std::move(read));
      });
}

void UserUses::on_uses(const std::string& user, Result<std::vector<store::UseRecord>> read) {
  const auto meanwhile = reading_.extract(user);
  if (read) {
    LearnedUses& learned = uses_.emplace(user, LearnedUses(std::move(read).value())).first->second;
    for (const store::UseRecord& use : meanwhile.mapped()) learned.add(use, kMostUses);
  }
  on_read_();
}

const LearnedUses* UserUses::of(const std::string& user) const {
  const auto known = uses_.find(user);
  return known == uses_.end() ? nullptr : &known->second;
}

void UserUses::add(const store::UseRecord& use) {
  store_.post_write([use](store::Store& store) { return store.add_use(use, kMostUses); }, {});
  if (const auto known = uses_.find(use.user); known != uses_.end()) known->second.add(use, kMostUses);
  if (const auto reading = reading_.find(use.user); reading != reading_.end()) reading->second.push_back(use);
}

}  // namespace glovebox::discovery
