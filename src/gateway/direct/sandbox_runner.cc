#include "gateway/direct/sandbox_runner.h"

#include "gateway/direct/direct_runs.h"

namespace glovebox::gateway {

SandboxRunner::SandboxRunner(Sandbox& sandbox, OwnPaths own_paths, std::size_t most_direct)
    : sandbox_(sandbox), own_paths_(std::move(own_paths)), direct_(std::make_unique<DirectRuns>(most_direct)) {}

SandboxRunner::~SandboxRunner() = default;

std::function<void()> SandboxRunner::submit(RunRequest request, std::function<void(Outcome)> done) {
  if (own_paths_) request.config.own_paths = own_paths_(request.config);
  return [run = sandbox_.submit(std::move(request), std::move(done))] { run.cancel(); };
}

std::function<void()> SandboxRunner::submit_task(RunRequest request, std::function<void(Outcome)> done) {
  auto call = DirectCall::in(request);
  auto place = call ? direct_->take_place() : nullptr;
  if (!place) return submit(std::move(request), std::move(done));
  return direct_->begin(std::move(request), std::move(*call), std::move(done), std::move(place));
}

}  // namespace glovebox::gateway
