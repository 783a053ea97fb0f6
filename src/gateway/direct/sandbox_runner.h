// The Runner of a gateway: guests of a Sandbox, and none where a task is a mere call of a tool.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gateway/runs/runner.h"

namespace glovebox::gateway {

class DirectRuns;

class SandboxRunner final : public Runner {
 public:
  // What a run with these grants may not write to, as it is now; empty: nothing beyond what is known by name.
  using OwnPaths = std::function<std::vector<std::string>(const SandboxConfig&)>;
  // Of runs without a guest at most `most_direct` are under way; further ones wait in line for a guest.
  explicit SandboxRunner(Sandbox& sandbox, OwnPaths own_paths = {}, std::size_t most_direct = 128);
  ~SandboxRunner() override;

  std::function<void()> submit(RunRequest request, std::function<void(Outcome)> done) override;
  std::function<void()> submit_task(RunRequest request, std::function<void(Outcome)> done) override;

 private:
  Sandbox& sandbox_;
  OwnPaths own_paths_;
  std::unique_ptr<DirectRuns> direct_;
};

}  // namespace glovebox::gateway
