#include "gateway/adoption/handed_runs.h"

#include <gtest/gtest.h>

namespace glovebox::gateway {
namespace {

using store::RunStatus;

TEST(HandedRuns, BelongToAClientAndToNoGateway) {
  EXPECT_TRUE(is_at_client(owner_at_client("client_a")));
  EXPECT_NE(owner_at_client("client_a"), owner_at_client("client_b"));
  EXPECT_FALSE(is_at_client("gw_abc"));
}

TEST(HandedRuns, KeepOfAReportWhatAnOutcomeHas) {
  const auto good = read_report(R"({"result":{"a":1},"logs":["secret"],"extra":1,"trace":[]})", "client_a");
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(good->status, RunStatus::kFinished);
  EXPECT_EQ(good->json, R"({"result":{"a":1},"trace":[],"reportedBy":"client_a"})");
  // The name is the caller's, whatever the report says.
  EXPECT_EQ(read_report(R"({"result":null,"error":null,"reportedBy":"other"})", "client_a")->json,
            R"({"result":null,"error":null,"reportedBy":"client_a"})");
  EXPECT_EQ(read_report(R"({"error":{"code":"X"}})", "c")->status, RunStatus::kFailed);
  EXPECT_EQ(read_report(R"({"error":{"code":"CANCELLED"}})", "c")->status, RunStatus::kCancelled);
  for (const char* bad : {"", "1", "[]", "{}", R"({"error":"no"})", R"({"logs":[]})", "{\"result\":1"})
    EXPECT_FALSE(read_report(bad, "c").ok()) << bad;
  EXPECT_FALSE(read_report("{\"result\":\"" + std::string(kMostReportBytes, 'x') + "\"}", "c").ok());
}

}  // namespace
}  // namespace glovebox::gateway
