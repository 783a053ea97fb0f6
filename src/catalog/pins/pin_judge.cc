#include "catalog/pins/pin_judge.h"

#include "base/private_folder.h"
#include "base/try.h"
#include "catalog/pins/definition.h"
#include "catalog/pins/definition_diff.h"

namespace glovebox::catalog {
namespace {

void quarantine(Tool& tool, std::string why) {
  tool.state = Tool::State::kQuarantined;
  tool.reason = std::move(why);
}

void quarantine_changed(Tool& tool, const std::string& more) {
  // Agents read it: it names no command that approves.
  quarantine(tool,
             "its definition has changed since it was pinned, and the owner has not reviewed the change yet" + more);
}

Result<void> only_owner_writes(const std::string& folder) {
  const base::UniqueFd opened = GLOVEBOX_TRY(base::open_private_folder(folder));
  return base::check_private_entries(opened.get(), folder);
}

void take_owners_edit(LockFile& lock, Tool& tool) {
  const Pin* pin = lock.find(tool.server, tool.name);
  const std::string diff = pin ? definition_diff(pin->definition, pinned_definition(tool)) : "";
  if (const auto pinned = lock.approve(tool); !pinned)
    return quarantine(tool, "it cannot be pinned: " + pinned.failure().message);
  tool.state = Tool::State::kUsable;
  tool.reason = "you edited its definition, so it is pinned again:\n" + diff;
}

void judge_changed(LockFile& lock, const std::vector<Tool*>& changed, const std::string& own_folder) {
  if (changed.empty()) return;
  if (own_folder.empty()) {
    for (Tool* tool : changed) quarantine_changed(*tool, "");
    return;
  }
  const auto own = only_owner_writes(own_folder);
  for (Tool* tool : changed) {
    if (own) take_owners_edit(lock, *tool);
    if (!own) quarantine_changed(*tool, "; it does not count as your edit: " + own.failure().message);
  }
}

void pin_all(LockFile& lock, const std::vector<Tool*>& unpinned) {
  if (const auto pinned = lock.pin_new({unpinned.begin(), unpinned.end()}); !pinned) {
    // Left unpinned, it would count as new each time that it changes.
    for (Tool* tool : unpinned) quarantine(*tool, "it cannot be pinned: " + pinned.failure().message);
    return;
  }
  // Another process may have pinned another definition meanwhile.
  for (Tool* tool : unpinned) {
    const Pin* pin = lock.find(tool->server, tool->name);
    if (!pin || pin->hash != tool->hash) quarantine(*tool, "another definition of it has been pinned in the meantime");
  }
}

}  // namespace

void judge_by_pins(LockFile& lock, std::vector<Tool>& tools, const Judgement& how) {
  const auto read = lock.refresh();
  std::vector<Tool*> unpinned;
  std::vector<Tool*> changed;
  for (Tool& tool : tools) {
    if (tool.state == Tool::State::kRefused) continue;
    if (!read) {
      quarantine(tool, read.failure().message);
      continue;
    }
    const Pin* pin = lock.find(tool.server, tool.name);
    if (!pin) {
      unpinned.push_back(&tool);
    } else if (pin->hash != tool.hash) {
      changed.push_back(&tool);
    } else if (tool.state == Tool::State::kQuarantined) {
      tool.state = Tool::State::kUsable;
      tool.reason.clear();
    }
  }
  judge_changed(lock, changed, how.own_folder);
  if (how.pins_new && !unpinned.empty()) pin_all(lock, unpinned);
}

}  // namespace glovebox::catalog
