#include "discovery/user_uses.h"

#include <algorithm>

#include "store/database/patience.h"

namespace glovebox::discovery {
namespace {

constexpr std::size_t kMostUses = 2000;  // of one user

// Of one program.
constexpr std::size_t kMostToolsLearned = 10;
constexpr std::size_t kMostIntentBytes = 1000;

}  // namespace

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == text.npos;
}

UsedTools worth_learning(const catalog::Catalog& catalog, const std::string& intent, const UsedTools& tools) {
  UsedTools used;
  if (is_blank(intent) || intent.size() > kMostIntentBytes) return used;
  for (const auto& one : tools) {
    const auto tool = catalog.known(one.server, one.tool);
    if (!tool) continue;
    const ToolFinder::UsedTool named{tool->server, tool->name};
    if (std::find(used.begin(), used.end(), named) == used.end()) used.push_back(named);
  }
  if (used.size() > kMostToolsLearned) used.clear();
  return used;
}

LearnedUses* UserUses::of(const std::string& user) {
  if (user.empty()) return nullptr;
  const auto known = uses_.find(user);
  if (known != uses_.end()) return &known->second;
  const store::DirectCalls direct;
  auto read = store_.tool_uses(user);
  if (!read) return nullptr;
  return &uses_.emplace(user, LearnedUses(std::move(read).value())).first->second;
}

void UserUses::add(const store::UseRecord& use) {
  LearnedUses* learned = of(use.user);
  store_.post_write([use](store::Store& store) { return store.add_use(use, kMostUses); }, {});
  if (learned) learned->add(use, kMostUses);
}

}  // namespace glovebox::discovery
