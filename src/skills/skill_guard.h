// No run writes where skills lie: what is written there is imported soon after, with the rights of the owner. A grant
// to write that includes the folder, or lies in it, does not count; the code is denied what the grant would have given.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gateway/runner.h"

namespace glovebox::skills {

// Takes the grants that meet one of the folders out of `allow_write`, and gives them back. Paths are compared as they
// are on the disk, behind links.
std::vector<std::string> take_out_grants(std::vector<std::string>& allow_write,
                                         const std::vector<std::string>& folders);

class SkillGuard final : public gateway::Runner {
 public:
  using Folders = std::function<std::vector<std::string>()>;  // as they are now
  using Notice = std::function<void(const std::string&)>;
  SkillGuard(gateway::Runner& behind, Folders folders, Notice notice)
      : behind_(behind), folders_(std::move(folders)), notice_(std::move(notice)) {}

  std::function<void()> submit(RunRequest request, std::function<void(Outcome)> done) override;

 private:
  gateway::Runner& behind_;
  Folders folders_;
  Notice notice_;
};

}  // namespace glovebox::skills
