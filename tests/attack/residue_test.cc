// E13: nothing of one run is found in another, and two runs share no random numbers.
#include <gtest/gtest.h>

#include "base/source_folder.h"
#include "oracle/process_view.h"
#include "oracle/testbed.h"
#include "own_sandbox.h"

namespace glovebox::attack {
namespace {

constexpr const char* kDraw =
    "return [Math.random(), crypto.randomUUID(), [...crypto.getRandomValues(new Uint8Array(16))].join(), "
    "[3, 1, 2].toSorted(() => Math.random() - 0.5).join(), new Set([1]).size]";

std::string draw(Sandbox& sandbox, std::optional<std::string> seed = std::nullopt) {
  RunRequest request;
  request.code = kDraw;
  request.seed = std::move(seed);
  const auto outcome = run_to_end(sandbox, std::move(request));
  return outcome && outcome->ok() ? outcome->result_json() : "failed";
}

TEST(Residue, E13_TwoRunsWithoutASeedDiffer) {
  Sandbox& sandbox = Testbed::instance().sandbox(GuestKind::kProduct);
  std::set<std::string> draws;
  for (int i = 0; i < 20; ++i) draws.insert(draw(sandbox));
  EXPECT_FALSE(draws.contains("failed"));
  EXPECT_EQ(draws.size(), 20u);
  // The control, without which the test above could not fail.
  EXPECT_EQ(draw(sandbox, "the same"), draw(sandbox, "the same"));
}

TEST(Residue, E13_TheMemoryOfOneRunIsNotInTheNext) {
  const std::string secret = "RESIDUE" + Testbed::instance().canaries().sibling_token();
  OwnSandbox own(GuestKind::kProduct, 1);

  RunRequest request;
  request.code =
      "globalThis.copies = Array.from({ length: 100 }, (_, i) => context.secret + i); console.log(copies[99].length);"
      "await new Promise((r) => setTimeout(r, 1e6))";
  request.context_json = "{\"secret\":\"" + secret + "\"}";
  request.config.timeout = std::chrono::minutes(10);
  const auto waiting = own.guests();
  Underway underway = start_run(own.sandbox(), std::move(request));
  ASSERT_EQ(waiting.size(), 1u);
  // The waiting guest got the run. Its secret is found there: otherwise the search would find nothing at all.
  const MemorySearch during = search_memory(waiting[0], secret);
  EXPECT_GT(during.mappings_with_it, 0u) << during.bytes_read << " bytes read";
  underway.run.cancel();
  underway.outcome.wait();
  ASSERT_TRUE(own.sandbox().wait_until_warm().ok());

  const MemorySearch in_zygote = search_memory(own.zygote(), secret);
  EXPECT_EQ(in_zygote.mappings_with_it, 0u);
  EXPECT_GT(in_zygote.bytes_read, 0u) << "the zygote's memory cannot be read, so nothing is known";
  const pid_t next = own.only_guest();
  EXPECT_NE(next, waiting[0]);
  const MemorySearch in_next = search_memory(next, secret);
  EXPECT_EQ(in_next.mappings_with_it, 0u);
  EXPECT_GT(in_next.bytes_read, 0u);
}

// The environment, the working directory and the arguments of the gateway are not in a guest's memory, either.
TEST(Residue, E13_TheGatewaysSecretsAreNotInAGuest) {
  Testbed& testbed = Testbed::instance();
  OwnSandbox own(GuestKind::kProduct, 1);
  const pid_t guest = own.only_guest();
  const char* environment = ::getenv("GLOVEBOX_CANARY");
  ASSERT_TRUE(environment);
  for (const std::string& secret : {std::string(environment), testbed.canaries().folder(), base::source_folder()}) {
    EXPECT_EQ(search_memory(guest, secret).mappings_with_it, 0u) << secret;
  }
}

}  // namespace
}  // namespace glovebox::attack
