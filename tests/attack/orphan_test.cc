// B18: the gateway is killed with no time to clean up. Nothing of it survives.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

#include "base/source_folder.h"
#include "command.h"
#include "oracle/eventually.h"
#include "oracle/process_view.h"

namespace glovebox::attack {
namespace {

bool has_sealed_guest(const std::vector<ProcessView>& processes) {
  return std::any_of(processes.begin(), processes.end(),
                     [](const ProcessView& process) { return is_sealed(process.pid); });
}

// Kills the gateway when it has this many descendants and, if requested, a sealed guest among them, and waits until
// they are gone.
void kill_gateway_and_expect_no_process(const std::vector<std::string>& command, std::size_t descendants, bool sealed) {
  Background gateway(command);
  std::vector<ProcessView> processes;
  ASSERT_TRUE(eventually([&] {
    processes = descendants_of(gateway.pid());
    return processes.size() >= descendants && (!sealed || has_sealed_guest(processes));
  })) << "only "
      << processes.size() << " descendants";
  gateway.kill_and_reap();
  for (const ProcessView& process : processes) {
    EXPECT_TRUE(eventually([&] { return !is_alive(process.pid); }))
        << process.pid << " " << process.name << " survives the gateway";
  }
}

std::vector<std::string> exec(const std::string& code) {
  return {glovebox_program(), "exec", "-e", code, "--timeout", "60s"};
}

// The zygote becomes the guest; or it forks one, if the larger program executes the run.
void kill_both_ways(const std::string& code, const std::vector<std::string>& before = {},
                    const std::vector<std::string>& after = {}) {
  std::vector<std::string> command = before;
  for (const std::string& word : exec(code)) command.push_back(word);
  command.insert(command.end(), after.begin(), after.end());
  kill_gateway_and_expect_no_process(command, 1, true);
  command.push_back("--check=off");
  kill_gateway_and_expect_no_process(command, 2, true);
}

TEST(Orphans, B18_OfAGatewayWhoseGuestSpins) {
  kill_both_ways("while (true);");
}

TEST(Orphans, B18_OfAGatewayWhoseGuestWaits) {
  kill_both_ways("await new Promise(() => {})");
}

TEST(Orphans, B18_OfAGatewayWhoseGuestPrints) {
  kill_both_ways("for (;;) console.log('x'.repeat(1000))");
}

TEST(Orphans, B18_OfAGatewayThatIsStillStarting) {
  for (int i = 0; i < 10; ++i) kill_gateway_and_expect_no_process(exec("while (true);"), 1, false);
}

// Without a pid namespace, only the signal at the parent's death ends them.
TEST(Orphans, B18_OfAGatewayWithoutNamespaces) {
  kill_both_ways("while (true);",
                 {base::source_folder() + "/tests/attack/place/without_user_namespaces", "setpriv",
                  "--bounding-set=-sys_admin", "--"},
                 {"--degraded=namespaces"});
}

}  // namespace
}  // namespace glovebox::attack
