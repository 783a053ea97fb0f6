// Two gateways, each in its own network with one wire to that of PostgreSQL. One wire is cut while calls are under way
// there, for longer than the lease: the other gateway takes its workflows over. Then the wire is restored. Every
// workflow ends, no task is committed twice, and no epoch has called a tool twice.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <set>

#include "base/unique_fd.h"
#include "chaos_gateway.h"
#include "store/database/postgres_cluster.h"

namespace glovebox::workflow {
namespace {

constexpr std::size_t kEach = 2;

// `ip` with these arguments, in the network of the calling thread.
bool ip(const std::vector<std::string>& arguments) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<char*> words = {const_cast<char*>("ip")};
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    ::execvp("ip", words.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0;
}

class PartitionPostgresTest : public testing::Test {
 protected:
  void SetUp() override {
    if (::getuid() != 0) GTEST_SKIP() << "only root can make networks of its own";
    if (!ip({"-V"})) GTEST_SKIP() << "the program ip is not installed";
    // From here on this thread, and PostgreSQL with it, is in its own network.
    outside_ = base::UniqueFd(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
    if (!outside_.valid() || ::unshare(CLONE_NEWNET) != 0) GTEST_SKIP() << "networks cannot be made here";
    inside_ = true;
    if (!ip({"link", "add", "probe0", "type", "veth", "peer", "name", "probe1"})) {
      GTEST_SKIP() << "this kernel has no wires between networks (veth)";
    }
    cluster_ = store::PostgresCluster::start(false, true);
    if (!cluster_) GTEST_SKIP() << "PostgreSQL is not installed";
    local_ = cluster_->make_database();
    char name[] = "/tmp/glovebox-partition-XXXXXX";
    root_ = ::mkdtemp(name);
  }
  void TearDown() override {
    for (const pid_t gateway : gateways_) ::kill(gateway, SIGKILL);
    for (const pid_t gateway : gateways_) ::waitpid(gateway, nullptr, 0);
    cluster_.reset();
    if (inside_) {
      ASSERT_EQ(::setns(outside_.get(), CLONE_NEWNET), 0);
    }
    if (!root_.empty()) std::filesystem::remove_all(root_);
  }

  static std::string wire(int machine) { return "gw" + std::to_string(machine); }
  // The address of the store over that machine's wire.
  std::string address(int machine) const {
    const std::size_t name = local_.find("@/") + 2;
    return "postgresql://glovebox@10.77." + std::to_string(machine) + ".1/" +
           local_.substr(name, local_.find('?') - name);
  }

  void start(int machine, const std::string& gate) {
    int ready[2], wired[2];
    ASSERT_EQ(::pipe2(ready, O_CLOEXEC), 0);
    ASSERT_EQ(::pipe2(wired, O_CLOEXEC), 0);
    const std::string net = "10.77." + std::to_string(machine);
    const pid_t child = ::fork();
    if (child == 0) {
      char byte = 0;
      if (::unshare(CLONE_NEWNET) != 0 || ::write(ready[1], "", 1) != 1 || ::read(wired[0], &byte, 1) != 1) ::_exit(10);
      if (!ip({"link", "set", "lo", "up"}) || !ip({"addr", "add", net + ".2/24", "dev", "eth0"}) ||
          !ip({"link", "set", "eth0", "up"})) {
        ::_exit(11);
      }
      const std::string number = std::to_string(machine);
      run_as_gateway({address(machine), root_ + "/" + number, root_ + "/ledger" + number, static_cast<int>(kEach),
                      2 * kEach, gate, std::chrono::seconds(4)});
    }
    gateways_.push_back(child);
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ASSERT_TRUE(
        ip({"link", "add", wire(machine), "type", "veth", "peer", "name", "eth0", "netns", std::to_string(child)}));
    ASSERT_TRUE(ip({"addr", "add", net + ".1/24", "dev", wire(machine)}));
    ASSERT_TRUE(ip({"link", "set", wire(machine), "up"}));
    ASSERT_EQ(::write(wired[1], "", 1), 1);
    for (const int fd : {ready[0], ready[1], wired[0], wired[1]}) ::close(fd);
  }

  // Waits until it holds, or a gateway has ended too early.
  template <typename Until>
  void wait_until(Until until) {
    while (!until()) {
      for (const pid_t gateway : gateways_) {
        int status = 0;
        if (::waitpid(gateway, &status, WNOHANG) == 0) continue;
        std::erase(gateways_, gateway);
        // On a busy machine it may have done everything since the last check.
        if (status == 0 && until()) return;
        FAIL() << "a gateway ended with " << status;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  // Lines of the ledger of one machine: tool, key, arguments.
  std::vector<std::pair<std::string, std::string>> calls(int machine) const {
    std::vector<std::pair<std::string, std::string>> made;
    std::ifstream ledger(root_ + "/ledger" + std::to_string(machine));
    for (std::string tool, key, rest; ledger >> tool >> key && std::getline(ledger, rest);)
      made.emplace_back(tool, key);
    return made;
  }
  std::size_t calls_of(int machine, std::string_view tool) const {
    const auto made = calls(machine);
    return static_cast<std::size_t>(
        std::count_if(made.begin(), made.end(), [&](const auto& call) { return call.first == tool; }));
  }

  base::UniqueFd outside_;
  bool inside_ = false;
  std::unique_ptr<store::PostgresCluster> cluster_;
  std::string local_;
  std::string root_;
  std::vector<pid_t> gateways_;
};

TEST_F(PartitionPostgresTest, AGatewayThatIsCutOffLosesWhatItDroveAndCommitsNothing) {
  const std::string gate = root_ + "/gate";
  ASSERT_NO_FATAL_FAILURE(start(0, gate));
  // Both of its workflows are in the middle of a call that must not be made twice.
  ASSERT_NO_FATAL_FAILURE(wait_until([&] { return calls_of(0, kHeldTool) >= kEach; }));
  const auto store = std::move(store::Store::connect(local_, store::RowKey{})).value();
  std::map<std::string, std::int64_t> of_the_first;  // and its epoch
  const auto begun = store->list_workflows(std::nullopt, 100).value();
  for (const auto& record : begun) of_the_first[record.id] = record.epoch;
  ASSERT_EQ(of_the_first.size(), kEach);
  ASSERT_TRUE(ip({"link", "set", wire(0), "down"}));
  std::ofstream(gate) << "";  // the calls succeed, but no report of it arrives

  ASSERT_NO_FATAL_FAILURE(start(1, ""));
  const auto taken_over = [&] {
    std::size_t count = 0;
    for (const auto& [id, epoch] : of_the_first) count += store->find_workflow(id).value()->epoch > epoch ? 1 : 0;
    return count == kEach;
  };
  ASSERT_NO_FATAL_FAILURE(wait_until(taken_over));
  ASSERT_TRUE(ip({"link", "set", wire(0), "up"}));
  for (const pid_t gateway : std::exchange(gateways_, {})) {
    int status = 0;
    ::waitpid(gateway, &status, 0);
    EXPECT_EQ(status, 0);
  }

  EXPECT_EQ(store->check().value(), std::vector<std::string>());
  const auto all = store->list_workflows(std::nullopt, 100).value();
  EXPECT_EQ(all.size(), 2 * kEach);
  std::int64_t most_epochs = 0;
  for (const auto& listed : all) {
    most_epochs = std::max(most_epochs, listed.epoch);
    EXPECT_EQ(listed.status, store::WorkflowStatus::kFinished);
    EXPECT_EQ(json::serialize(json::parse(store->find_workflow(listed.id).value()->outcome).at("outputs")),
              R"({"last":{"n":6}})");
    std::map<std::string, int> completed;
    std::int64_t number = 0;
    const auto events = store->workflow_events_after(listed.id, 0, 100000).value();
    for (const auto& event : events) {
      EXPECT_EQ(event.number, ++number);
      if (event.type == "task_complete") ++completed[std::string(json::parse(event.payload).at("task").as_string())];
    }
    EXPECT_EQ(completed.size(), 8u);
    for (const auto& [task, times] : completed) EXPECT_EQ(times, 1) << task;
  }
  const auto approvals = store->approvals("", false).value();
  for (const auto& approval : approvals) {
    EXPECT_LE(store->answers_to(approval.id).value().size(), 1u);
  }
  // A key is one call of one task: each epoch has made it at most once, and none is missing.
  std::map<std::string, std::set<std::string>> by_tool;
  std::map<std::string, std::int64_t> by_key;
  for (const int machine : {0, 1}) {
    for (const auto& [tool, key] : calls(machine)) {
      by_tool[tool].insert(key);
      ++by_key[key];
    }
  }
  for (const auto& [key, times] : by_key) EXPECT_LE(times, most_epochs);
  EXPECT_EQ(by_tool["list"].size(), 2 * kEach);
  EXPECT_EQ(by_tool["post"].size(), 8 * kEach);
  EXPECT_EQ(by_tool["ask"].size(), 2 * kEach);
}

}  // namespace
}  // namespace glovebox::workflow
