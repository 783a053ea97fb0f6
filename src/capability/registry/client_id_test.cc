#include "capability/registry/client_id.h"

#include "capability/scratch_state.h"

namespace glovebox::capability {
namespace {

class ClientIdTest : public testing::ScratchState {};

TEST_F(ClientIdTest, IsMadeOnce) {
  const auto id = client_id(state);
  ASSERT_TRUE(id.ok());
  EXPECT_EQ(client_id(state).value(), *id);
  // Beside it only what keeps it out of a repository.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(state), {}), 2);
  EXPECT_TRUE(std::filesystem::exists(state + "/.gitignore"));
  EXPECT_NE(client_id(root + "/other").value(), *id);
}

TEST_F(ClientIdTest, ThatIsNoneIsTold) {
  write(".glovebox/client-id", "a b\r\nX-Header: c\n");
  EXPECT_FALSE(client_id(state).ok());
}

}  // namespace
}  // namespace glovebox::capability
