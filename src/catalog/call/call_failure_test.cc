#include "catalog/call/call_failure.h"

#include <gtest/gtest.h>

namespace glovebox::catalog {
namespace {

using Kind = mcp::RequestFailureKind;

TEST(CallFailure, ACallThatMayHaveArrivedIsNeverSaidNotToHave) {
  for (const Kind kind : {Kind::kAnswered, Kind::kTimeout, Kind::kCancelled, Kind::kProtocol, Kind::kNotSupported,
                          Kind::kTooLarge, Kind::kClosed, Kind::kSessionLost, Kind::kHttp, Kind::kUnreachable}) {
    EXPECT_TRUE(call_failure("gh", {kind, "no", {}, 0}).sent) << static_cast<int>(kind);
  }
  EXPECT_FALSE(call_failure("gh", {Kind::kUnauthorized, "no", {}, 0}).sent);
}

TEST(CallFailure, SaysWhichServerFailedUnlessTheToolItselfSpeaks) {
  const auto failed = call_failure("gh", {Kind::kTimeout, "too late", {}, 0}, "mcpServers.gh.callTimeoutMs");
  EXPECT_EQ(failed.code.text(), "RPC_TIMEOUT");
  EXPECT_EQ(failed.message, "gh: too late, nor progress (mcpServers.gh.callTimeoutMs)");
  EXPECT_EQ(call_failure("gh", {Kind::kTimeout, "too late", {}, 0}).message, "gh: too late, nor progress");
  EXPECT_EQ(call_failure("gh", {Kind::kAnswered, "no such file", {}, 0}).message, "no such file");
}

}  // namespace
}  // namespace glovebox::catalog
