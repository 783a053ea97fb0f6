#include "gateway/calls/call_ending.h"

#include <sys/wait.h>

#include <fstream>
#include <sstream>

#include "gateway/audit_check/audit_check.h"
#include "gateway/services_fixture.h"

namespace glovebox::gateway {
namespace {

class CallEnding : public ServicesTest {
 protected:
  void end_call(std::uint64_t id) { note_call_end(services_, {"r", id, "fs:read", "ok", "", "", 1.0, 2}); }
  void begin_call(std::uint64_t id) {
    ASSERT_TRUE(services_->audit.append(AuditEvent("call.begun").number("call", static_cast<std::int64_t>(id))).ok());
  }

  // What happened to which call, in the order of the log: "begun 1, ended 1".
  std::string history() const {
    std::ifstream file(services_->audit.path());
    std::string told;
    for (std::string line; std::getline(file, line);) {
      const std::size_t event = line.find("\"call.");
      const std::size_t call = line.find("\"call\":");
      if (event == line.npos || call == line.npos) continue;
      told += (told.empty() ? "" : ", ") + line.substr(event + 6, line.find('"', event + 6) - event - 6) + " " +
              line.substr(call + 7, line.find_first_of(",}", call) - call - 7);
    }
    return told;
  }
  bool is_intact() const {
    const auto key = AuditKey::read(root_ + "/key/audit.key");
    return key && check_audit(services_->audit.path(), &key.value(), {services_->audit.head()}).value().intact();
  }
};

TEST_F(CallEnding, IsWrittenByItselfIfNothingFollows) {
  begin_call(1);
  end_call(1);
  EXPECT_EQ(history(), "begun 1");
  io_.run();
  EXPECT_EQ(history(), "begun 1, ended 1");
  io_.restart();
  begin_call(2);
  end_call(2);
  io_.run();
  EXPECT_EQ(history(), "begun 1, ended 1, begun 2, ended 2");
  EXPECT_TRUE(is_intact());
}

TEST_F(CallEnding, IsWrittenBeforeTheNextCallBegins) {
  for (std::uint64_t id = 1; id <= 3; ++id) {
    begin_call(id);
    end_call(id);
  }
  EXPECT_EQ(history(), "begun 1, ended 1, begun 2, ended 2, begun 3");
  io_.run();
  EXPECT_EQ(history(), "begun 1, ended 1, begun 2, ended 2, begun 3, ended 3");
}

TEST_F(CallEnding, OneTimerServesAllCalls) {
  constexpr std::uint64_t kCalls = 100;
  for (std::uint64_t id = 1; id <= kCalls; ++id) {
    begin_call(id);
    end_call(id);
  }
  EXPECT_LE(io_.run(), 2u);
  EXPECT_TRUE(history().ends_with("begun 100, ended 100"));
}

TEST_F(CallEnding, IsNotLateIfATimerOfAnEarlierCallRuns) {
  begin_call(1);
  end_call(1);
  begin_call(2);
  end_call(2);
  // The first end is written, and the timer was set for it.
  while (history().find("ended 2") == std::string::npos && io_.run_one() > 0) {
  }
  EXPECT_EQ(history(), "begun 1, ended 1, begun 2, ended 2");
}

// The guest has its answer before its call's end is written. If the gateway is killed in between, the log has the call
// and is whole.
TEST_F(CallEnding, LeavesAWholeLogIfTheGatewayIsKilledFirst) {
  const pid_t gateway = ::fork();
  if (gateway == 0) {
    begin_call(1);
    end_call(1);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(gateway, &status, 0), gateway);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(history(), "begun 1");
  begin_call(2);
  end_call(2);
  io_.run();
  EXPECT_EQ(history(), "begun 1, begun 2, ended 2");
  EXPECT_TRUE(is_intact());
}

}  // namespace
}  // namespace glovebox::gateway
