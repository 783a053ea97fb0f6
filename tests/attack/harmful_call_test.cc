// Each line of e/calls.txt in a guest of its own, under the oracle: the guest is killed and nothing else happens.
#include <gtest/gtest.h>

#include <map>

#include "base/source_folder.h"
#include "call_table.h"
#include "oracle/oracle.h"
#include "registration.h"

namespace glovebox::attack {
namespace {

const std::string kTable = base::source_folder() + "/tests/attack/e/calls.txt";

std::string as_expression(const std::string& code) {
  return code.starts_with('{') ? "(() => " + code + ")()" : code;
}

void must_be_killed(const HarmfulCall& call) {
  Oracle oracle(GuestKind::kProbe);
  RunRequest request;
  // The result is reported, should the kernel answer after all.
  request.code = "const answered = " + as_expression(call.code) + "; return { answered }";
  request.language = Language::kJavaScript;
  request.context_json = Testbed::instance().canaries().places_json();
  request.config.timeout = std::chrono::seconds(60);
  const auto outcome = run_to_end(Testbed::instance().sandbox(GuestKind::kProbe), request);
  ASSERT_TRUE(outcome) << "the run did not end";
  oracle.judge_outcome(*outcome, request.config);
  oracle.judge_limits(*outcome, request.config);
  const RunError* error = outcome->error();
  EXPECT_TRUE(error && error->code == "FORBIDDEN_SYSTEM_CALL") << to_json(*outcome);
  oracle.judge_aftermath();
}

class HarmfulCalls : public testing::Test {
 public:
  explicit HarmfulCalls(std::vector<HarmfulCall> calls) : calls_(std::move(calls)) {}

  void TestBody() override {
    for (const HarmfulCall& call : calls_) {
      SCOPED_TRACE("calls.txt:" + std::to_string(call.line) + ": " + call.what);
      must_be_killed(call);
    }
  }

 private:
  std::vector<HarmfulCall> calls_;
};

}  // namespace

// One test for each id of attacks.md: a guest per line is quick, a program per line is not.
void register_harmful_calls() {
  std::map<std::string, std::vector<HarmfulCall>> by_id;
  for (HarmfulCall& call : read_call_table(kTable)) by_id[call.id].push_back(std::move(call));
  for (const auto& [id, calls] : by_id) {
    testing::RegisterTest("HarmfulCalls", id.c_str(), nullptr, nullptr, kTable.c_str(), calls.front().line,
                          [calls = calls]() -> testing::Test* { return new HarmfulCalls(calls); });
  }
}

}  // namespace glovebox::attack
