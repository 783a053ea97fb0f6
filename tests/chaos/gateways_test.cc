// Two and four gateways on one PostgreSQL, each a process with its own engine, guests and workspace. Some are killed,
// some are stopped beyond their lease, the server is restarted without a clean shutdown. Every workflow ends as an
// undisturbed one does, no task is committed twice, and every approval is used once.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "chaos_gateway.h"
#include "store/database/postgres_cluster.h"

namespace glovebox::workflow {
namespace {

constexpr int kWorkflowsEach = 2;

class GatewaysPostgresTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!store::PostgresCluster::shared()) GTEST_SKIP() << "PostgreSQL is not installed";
    address_ = store::PostgresCluster::shared()->make_database();
    char name[] = "/tmp/glovebox-chaos-XXXXXX";
    root_ = ::mkdtemp(name);
  }
  void TearDown() override {
    if (!root_.empty()) std::filesystem::remove_all(root_);
  }

  pid_t start(int machine, int to_start, std::size_t expected) const {
    const pid_t child = ::fork();
    if (child == 0) {
      run_as_gateway({.address = address_,
                      .home = root_ + "/" + std::to_string(machine),
                      .ledger = root_ + "/ledger",
                      .to_start = to_start,
                      .expected = expected,
                      .person = root_ + "/person"});
    }
    return child;
  }

  void run(int machines, int blows) {
    const auto expected = static_cast<std::size_t>(machines * kWorkflowsEach);
    std::vector<pid_t> gateways;
    for (int i = 0; i < machines; ++i) gateways.push_back(start(i, kWorkflowsEach, expected));
    for (int i = 0; i < machines; ++i) {
      while (!std::filesystem::exists(root_ + "/" + std::to_string(i) + "/started")) {
        int status = 0;
        ASSERT_EQ(::waitpid(gateways[static_cast<std::size_t>(i)], &status, WNOHANG), 0) << status;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
    }
    const auto seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    for (int blow = 0; blow < blows; ++blow) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 500));
      const std::size_t place = random() % gateways.size();
      if (blow % 3 == 0) {
        ::kill(gateways[place], SIGKILL);
        ::waitpid(gateways[place], nullptr, 0);
        gateways[place] = start(static_cast<int>(place), 0, expected);
      } else if (blow % 3 == 1) {
        ::kill(gateways[place], SIGSTOP);
        std::this_thread::sleep_for(kLease + std::chrono::milliseconds(500));
        ::kill(gateways[place], SIGCONT);
      } else {
        // Until one gateway has been killed and one has come back after its lease, every workflow waits or is under
        // way, however fast the machine is.
        std::ofstream(root_ + "/person") << "";
        store::PostgresCluster::shared()->restart();
      }
    }
    for (const pid_t gateway : gateways) {
      int status = 0;
      ::waitpid(gateway, &status, 0);
      EXPECT_EQ(status, 0);
    }
    check(expected);
  }

  void check(std::size_t expected) const {
    const auto store = std::move(store::Store::connect(address_, store::RowKey{})).value();
    EXPECT_EQ(store->check().value(), std::vector<std::string>());
    const auto all = store->list_workflows(std::nullopt, 1000).value();
    EXPECT_EQ(all.size(), expected);
    int taken_over = 0;
    for (const auto& listed : all) {
      taken_over += listed.epoch > 1 ? 1 : 0;
      const auto record = *store->find_workflow(listed.id).value();
      EXPECT_EQ(listed.status, store::WorkflowStatus::kFinished) << record.outcome;
      EXPECT_EQ(json::serialize(json::parse(record.outcome).at("outputs")), R"({"last":{"n":6}})");
      std::map<std::string, int> completed;
      std::int64_t number = 0;
      const auto events = store->workflow_events_after(listed.id, 0, 100000).value();
      for (const auto& event : events) {
        EXPECT_EQ(event.number, ++number);
        if (event.type == "task_complete") ++completed[std::string(json::parse(event.payload).at("task").as_string())];
      }
      EXPECT_EQ(
          completed,
          (std::map<std::string, int>{
              {"ask", 1}, {"last", 1}, {"list", 1}, {"more", 1}, {"post", 1}, {"sum", 1}, {"then", 1}, {"twice", 1}}));
    }
    EXPECT_GT(taken_over, 0) << "no blow has hit anything";
    std::printf("%zu workflows, %d of them taken over\n", all.size(), taken_over);
    // Each request was answered at most once, and its call did not ask again.
    const auto approvals = store->approvals("", false).value();
    EXPECT_GE(approvals.size(), expected);
    for (const auto& approval : approvals) EXPECT_LE(store->answers_to(approval.id).value().size(), 1u);
    // All calls are in the ledger; one that is there twice has the same key, by which a server recognizes it.
    std::map<std::string, std::set<std::string>> by_tool;
    std::ifstream ledger(root_ + "/ledger");
    for (std::string tool, key, rest; ledger >> tool >> key && std::getline(ledger, rest);) by_tool[tool].insert(key);
    EXPECT_EQ(by_tool["list"].size(), expected);
    EXPECT_EQ(by_tool["post"].size(), 4 * expected);
    EXPECT_EQ(by_tool["ask"].size(), expected);
  }

  std::string address_;
  std::string root_;
};

TEST_F(GatewaysPostgresTest, Two) {
  run(2, 6);
}

TEST_F(GatewaysPostgresTest, Four) {
  run(4, 6);
}

}  // namespace
}  // namespace glovebox::workflow
