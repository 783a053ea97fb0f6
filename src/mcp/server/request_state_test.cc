#include "mcp/server/request_state.h"

#include <gtest/gtest.h>

namespace glovebox::mcp {
namespace {

using namespace std::chrono_literals;
const StateSealer::Time kNow{1'800'000'000s};

TEST(StateSealer, OpensOnlyForWhomAndWhatItWasSealed) {
  const StateSealer sealer(random_state_key());
  const std::string sealed = sealer.seal("secret", {"ann", "tools/call"}, kNow + 60s);
  EXPECT_EQ(sealer.open(sealed, {"ann", "tools/call"}, kNow).value(), "secret");
  EXPECT_FALSE(sealer.open(sealed, {"bob", "tools/call"}, kNow).ok());
  EXPECT_FALSE(sealer.open(sealed, {"ann", "prompts/get"}, kNow).ok());
  EXPECT_FALSE(sealer.open(sealed, {"annt", "ools/call"}, kNow).ok());
  EXPECT_FALSE(sealer.open(sealed, {"ann", "tools/call"}, kNow + 61s).ok());
  EXPECT_FALSE(StateSealer(random_state_key()).open(sealed, {"ann", "tools/call"}, kNow).ok());
}

TEST(StateSealer, NoticesEveryChange) {
  const StateSealer sealer(random_state_key());
  const std::string sealed = sealer.seal("secret", {"ann", "x"}, kNow + 60s);
  EXPECT_EQ(sealed.find("secret"), std::string::npos);
  EXPECT_NE(sealed, sealer.seal("secret", {"ann", "x"}, kNow + 60s));
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(sealer.open(changed, {"ann", "x"}, kNow).ok()) << i;
  }
  for (std::size_t size = 0; size < sealed.size(); ++size)
    EXPECT_FALSE(sealer.open(sealed.substr(0, size), {"ann", "x"}, kNow).ok());
  EXPECT_FALSE(sealer.open(sealed + "-TAMPERED", {"ann", "x"}, kNow).ok());
}

}  // namespace
}  // namespace glovebox::mcp
