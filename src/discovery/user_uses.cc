#include "discovery/user_uses.h"

namespace glovebox::discovery {
namespace {

constexpr std::size_t kMostUses = 2000;  // of one user

}  // namespace

LearnedUses* UserUses::of(const std::string& user) {
  if (user.empty()) return nullptr;
  const auto known = uses_.find(user);
  if (known != uses_.end()) return &known->second;
  auto read = store_.tool_uses(user);
  if (!read) return nullptr;
  return &uses_.emplace(user, LearnedUses(std::move(read).value())).first->second;
}

void UserUses::add(const store::UseRecord& use) {
  LearnedUses* learned = of(use.user);
  if (const auto kept = store_.add_use(use, kMostUses); !kept) {
    if (on_notice_) on_notice_(kept.failure().message);
  } else if (learned) {
    learned->add(use, kMostUses);
  }
}

}  // namespace glovebox::discovery
