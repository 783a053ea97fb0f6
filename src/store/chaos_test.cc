// Several processes on one PostgreSQL: some are killed, some are stopped beyond their lease, the server is restarted.
// All workflows end, no step is lost, and none is committed twice.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include <fstream>
#include <map>
#include <random>

#include "store/store_fixture.h"
#include "store/workflows/workflow_driver.h"

namespace glovebox::store {
namespace {

constexpr int kChaosTasks = 30;  // long enough that a stopped process resumes in the middle of it
constexpr int kWorkflowsEach = 5;
constexpr auto kLease = std::chrono::milliseconds(400);

class ChaosPostgresTest : public StoreFixture {
 protected:
  // The part of a gateway that uses the store: claims, drives, renews. It appends each commit to the ledger, one line
  // each.
  void work() const {
    const int ledger = ::open((root_ + "/ledger").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    for (int attempt = 0;; ++attempt) {
      auto store = try_open();
      if (!store) continue;
      NodeRecord me;
      me.id = "node" + std::to_string(::getpid()) + "." + std::to_string(attempt);
      me.lease = kLease;
      if (!store.value()->join(me).ok()) continue;
      while (true) {
        const auto renewed = store.value()->renew_lease();
        if (renewed && !renewed.value()) break;  // declared dead: continue under another name
        (void)store.value()->remove_expired_nodes().ok();
        auto claimed = store.value()->claim_workflow(me.id, 1000);
        if (!claimed) break;
        if (!claimed.value()) {
          const auto open = store.value()->list_workflows(WorkflowStatus::kRunning, 1);
          if (open && open.value().empty()) ::_exit(0);
          std::this_thread::sleep_for(std::chrono::milliseconds(10));
          continue;
        }
        const WorkflowRecord workflow = std::move(*claimed.value());
        const auto driven = drive(*store.value(), workflow, kChaosTasks, [&](int task) {
          const std::string line =
              workflow.id + " " + std::to_string(task) + " " + std::to_string(workflow.epoch) + "\n";
          (void)!::write(ledger, line.data(), line.size());
          (void)store.value()->renew_lease().ok();
          std::this_thread::sleep_for(std::chrono::milliseconds(10));
        });
        if (!driven) break;
      }
    }
  }

  pid_t start() const {
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    work();
    ::_exit(1);
  }

  void run(int processes) {
    const int workflows = processes * kWorkflowsEach;
    std::string undisturbed;
    {
      const auto store = open();
      ASSERT_TRUE(store->create_workflow(driven_workflow("alone"), driven_entry()).ok());
      ASSERT_TRUE(drive(*store, *store->claim_workflow("x").value(), kChaosTasks).ok());
      undisturbed = picture(*store, "alone");
      for (int i = 0; i < workflows; ++i) {
        ASSERT_TRUE(store->create_workflow(driven_workflow("w" + std::to_string(i)), driven_entry()).ok());
      }
    }
    std::vector<pid_t> workers;
    for (int i = 0; i < processes; ++i) workers.push_back(start());
    const auto seed = std::random_device{}();
    std::mt19937 random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    for (int blow = 0; blow < 8; ++blow) {
      std::this_thread::sleep_for(std::chrono::milliseconds(60 + random() % 120));
      pid_t& victim = workers[random() % workers.size()];
      const int kind = blow == 0 ? 1 : blow == 4 ? 2 : static_cast<int>(random() % 2);
      if (kind == 0) {
        ::kill(victim, SIGKILL);
        ::waitpid(victim, nullptr, 0);
        victim = start();
      } else if (kind == 1) {
        ::kill(victim, SIGSTOP);
        std::this_thread::sleep_for(kLease + std::chrono::milliseconds(150));
        ::kill(victim, SIGCONT);
      } else {
        PostgresCluster::shared()->restart();
      }
    }
    for (const pid_t worker : workers) {
      int status = 0;
      ::waitpid(worker, &status, 0);
      EXPECT_EQ(status, 0);
    }
    const auto store = open();
    for (int i = 0; i < workflows; ++i) {
      std::string expected = undisturbed;
      const std::string id = "w" + std::to_string(i);
      for (std::size_t at = 0; (at = expected.find("alone", at)) != expected.npos;) expected.replace(at, 5, id);
      EXPECT_EQ(picture(*store, id), expected);
    }
    EXPECT_EQ(store->check().value(), std::vector<std::string>());
    std::map<std::string, int> commits;  // of one task, in any epoch
    std::ifstream ledger(root_ + "/ledger");
    for (std::string id, task, epoch; ledger >> id >> task >> epoch;) {
      EXPECT_EQ(++commits[id + " " + task], 1) << id << " " << task << " in epoch " << epoch;
    }
    // A process may be killed between its commit and its ledger line.
    EXPECT_GT(commits.size(), static_cast<std::size_t>(workflows * kChaosTasks / 2));
  }
};

TEST_P(ChaosPostgresTest, TwoProcesses) {
  run(2);
}

TEST_P(ChaosPostgresTest, FourProcesses) {
  run(4);
}

INSTANTIATE_TEST_SUITE_P(On, ChaosPostgresTest, testing::Values(Backend::kPostgres), backend_name);

}  // namespace
}  // namespace glovebox::store
