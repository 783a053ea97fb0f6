// At every failpoint of a workflow, the process is killed and another carries on; in the end the store holds what an
// undisturbed run leaves.
#include <signal.h>
#include <sys/wait.h>

#include "store/database/failpoint.h"
#include "store/store_fixture.h"
#include "store/workflows/workflow_driver.h"

namespace glovebox::store {
namespace {

constexpr int kCrashTasks = 4;

int passed = 0;   // failpoints so far
int kill_at = 0;  // this one is the last; 0: none

class CrashTest : public StoreFixture {
 protected:
  // One process: carries on with what is in the store, whichever process had it before. Runs in a child, since it may
  // be killed on the way. Returns how many failpoints it passed; -1 when it was killed.
  int process(int at) const {
    int counted[2];
    EXPECT_EQ(::pipe(counted), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      kill_at = at;
      failpoint_hook = [](const char*, const char*) {
        if (++passed == kill_at) ::kill(::getpid(), SIGKILL);
      };
      const bool ok = carry_on().ok();
      (void)!::write(counted[1], &passed, sizeof passed);
      ::_exit(ok ? 0 : 1);
    }
    ::close(counted[1]);
    int count = -1;
    const bool was_read = ::read(counted[0], &count, sizeof count) == sizeof count;
    ::close(counted[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return was_read ? count : -1;
  }

  Result<void> carry_on() const {
    auto store = GLOVEBOX_TRY(try_open());
    // A process that is known to be dead is no longer a node.
    for (const NodeRecord& node : GLOVEBOX_TRY(store->nodes())) GLOVEBOX_TRY_VOID(store->remove_node(node.id));
    NodeRecord me;
    me.id = "node" + std::to_string(::getpid());
    GLOVEBOX_TRY_VOID(store->join(me));
    if (!GLOVEBOX_TRY(store->find_workflow("w"))) {
      GLOVEBOX_TRY(store->create_workflow(driven_workflow("w"), driven_entry()));
    }
    const bool commanded =
        GLOVEBOX_TRY(store->workflow_tasks("w")).size() > 0 || !GLOVEBOX_TRY(store->open_commands("w")).empty();
    if (!commanded) GLOVEBOX_TRY(store->add_command({0, "w", "note", "once", "me", "test", 1}));
    if (const auto workflow = GLOVEBOX_TRY(store->claim_workflow(me.id))) {
      GLOVEBOX_TRY_VOID(drive(*store, *workflow, kCrashTasks));
    }
    return store->leave(me.id);
  }
};

TEST_P(CrashTest, KilledAtAnyFailpointItComesToTheSameEnd) {
  const int all = process(0);
  ASSERT_GT(all, 30);
  const std::string undisturbed = picture(*open(), "w");
  EXPECT_NE(undisturbed.find("state_updated once"), std::string::npos);
  for (int at = 1; at <= all; ++at) {
    if (GetParam() == Backend::kSqlite) {
      std::filesystem::remove_all(folder_);
    } else {
      address_ = PostgresCluster::shared()->make_database();
    }
    EXPECT_EQ(process(at), -1) << "failpoint " << at << " was not reached";
    EXPECT_GE(process(0), 0);
    const auto store = open();
    EXPECT_EQ(picture(*store, "w"), undisturbed) << "killed at failpoint " << at;
    EXPECT_TRUE(store->check().value().empty());
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(On, CrashTest, testing::Values(Backend::kSqlite, Backend::kPostgres), backend_name);

}  // namespace
}  // namespace glovebox::store
