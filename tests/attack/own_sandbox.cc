#include "own_sandbox.h"

#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <utility>

#include "oracle/eventually.h"
#include "oracle/process_view.h"
#include "oracle/testbed.h"

namespace glovebox::attack {
namespace {

std::set<pid_t> children_of(pid_t parent) {
  std::set<pid_t> children;
  for (const ProcessView& process : descendants_of(parent)) {
    if (process.parent == parent && process.state != 'Z') children.insert(process.pid);
  }
  return children;
}

}  // namespace

Underway start_run(Sandbox& sandbox, RunRequest request) {
  for (const auto give_up = std::chrono::steady_clock::now() + kPatience; std::chrono::steady_clock::now() < give_up;) {
    // Set by the first line or by the end, whichever comes first; both come on the sandbox's own thread.
    const auto spoke = std::make_shared<std::promise<bool>>();
    const auto once = std::make_shared<bool>(false);
    const auto ended = std::make_shared<std::promise<Outcome>>();
    const auto tell = [spoke, once](bool has_spoken) {
      if (!std::exchange(*once, true)) spoke->set_value(has_spoken);
    };
    request.on_log = [tell](const LogLine&) { tell(true); };
    Underway underway;
    underway.outcome = ended->get_future();
    underway.run = sandbox.submit(request, [tell, ended](Outcome outcome) {
      tell(false);
      ended->set_value(std::move(outcome));
    });
    auto first_word = spoke->get_future();
    if (first_word.wait_for(kPatience) != std::future_status::ready) break;
    if (first_word.get()) return underway;
    const Outcome outcome = underway.outcome.get();
    if (!outcome.error() || outcome.error()->code != "EXECUTION_TIMEOUT") throw std::runtime_error(to_json(outcome));
    request.config.timeout *= 4;
  }
  throw std::runtime_error("the run does not start");
}

OwnSandbox::OwnSandbox(GuestKind kind, std::size_t pool_size, Reuse reuse) : others_(children_of(::getpid())) {
  SandboxOptions options;
  options.pool_size = pool_size;
  options.reuse = reuse;
  options.guest_library_path = guest_library(kind);
  auto sandbox = Sandbox::start(std::move(options));
  if (!sandbox) throw std::runtime_error("the sandbox does not start: " + sandbox.failure().message);
  sandbox_.emplace(std::move(*sandbox));
  if (const auto warm = sandbox_->wait_until_warm(); !warm) throw std::runtime_error(warm.failure().message);
}

pid_t OwnSandbox::zygote() const {
  for (const pid_t child : children_of(::getpid())) {
    if (!others_.contains(child)) return child;
  }
  return 0;
}

std::vector<pid_t> OwnSandbox::guests() const {
  const pid_t parent = zygote();
  if (parent == 0) return {};  // which is the parent of the first process of all
  const auto guests = children_of(parent);
  return {guests.begin(), guests.end()};
}

pid_t OwnSandbox::only_guest() const {
  std::vector<pid_t> found;
  if (!eventually([&] { return (found = guests()).size() == 1; })) {
    throw std::runtime_error("there are " + std::to_string(found.size()) + " guests, not one");
  }
  return found.front();
}

}  // namespace glovebox::attack
