// B18: the gateway is killed without a chance to clean up. Nothing of it survives.
#include <gtest/gtest.h>
#include <signal.h>

#include "command.h"
#include "eventually.h"
#include "process_view.h"

namespace glovebox::attack {
namespace {

// Kills the gateway once it has at least this many descendants, and waits for them to go.
void kill_gateway_and_expect_nobody(const std::vector<std::string>& command, std::size_t descendants) {
  Background gateway(command);
  std::vector<ProcessView> processes;
  ASSERT_TRUE(eventually([&] { return (processes = descendants_of(gateway.pid())).size() >= descendants; }))
      << "only " << processes.size() << " descendants";
  gateway.kill_and_reap();
  for (const ProcessView& process : processes) {
    EXPECT_TRUE(eventually([&] { return !is_alive(process.pid); }))
        << process.pid << " " << process.name << " survives the gateway";
  }
}

std::vector<std::string> exec(const std::string& code) {
  return {glovebox_program(), "exec", "-e", code, "--timeout", "60s"};
}

TEST(Orphans, B18_OfAGatewayWhoseGuestSpins) {
  kill_gateway_and_expect_nobody(exec("while (true);"), 2);
}

TEST(Orphans, B18_OfAGatewayWhoseGuestWaits) {
  kill_gateway_and_expect_nobody(exec("await new Promise(() => {})"), 2);
}

TEST(Orphans, B18_OfAGatewayWhoseGuestPrints) {
  kill_gateway_and_expect_nobody(exec("for (;;) console.log('x'.repeat(1000))"), 2);
}

TEST(Orphans, B18_OfAGatewayThatIsStillStarting) {
  for (int i = 0; i < 10; ++i) kill_gateway_and_expect_nobody(exec("while (true);"), 1);
}

// Without a pid namespace, nothing but the signal at the parent's death ends them.
TEST(Orphans, B18_OfAGatewayWithoutNamespaces) {
  std::vector<std::string> command = {"unshare", "--user", "--map-root-user",
                                      "sh",      "-c",     "echo 0 >/proc/sys/user/max_user_namespaces && exec \"$@\"",
                                      "sh"};
  for (const std::string& word : exec("while (true);")) command.push_back(word);
  command.push_back("--degraded=namespaces");
  kill_gateway_and_expect_nobody(command, 2);
}

}  // namespace
}  // namespace glovebox::attack
