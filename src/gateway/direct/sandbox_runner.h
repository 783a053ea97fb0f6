// The Runner of a gateway: guests of a Sandbox, and no guest for a task that merely calls a tool.
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
  // What a run with these grants must not write to, as of now; empty: nothing beyond what is known by name.
  using OwnPaths = std::function<std::vector<std::string>(const SandboxConfig&)>;
  // At most `most_direct` runs without a guest at once; further ones queue for a guest.
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
