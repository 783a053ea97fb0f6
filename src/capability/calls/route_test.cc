#include "capability/calls/route.h"

#include "capability/scratch_state.h"

namespace glovebox::capability {
namespace {

class RouteTest : public testing::ScratchState {
 protected:
  void add(const std::string& fqdn, const std::string& more = "") {
    const Published one{testing::metadata_of(fqdn, "return 1", more), "return 1"};
    ASSERT_TRUE(library.accept(one, library.compare(one)).ok());
  }
  Library library{state};
};

TEST_F(RouteTest, IsThatOfTheOwnerFirst) {
  add("acme.tools.math.add.a7f3", R"(,"tools_used":["files:read"])");
  add("acme.tools.far.away.a7f3", R"(,"routing":"server")");
  EXPECT_EQ(route_of("math", "add", {"math"}, {}, "", library).to, CallRoute::To::kServer);
  EXPECT_EQ(route_of("math", "add", {}, {"math"}, "", library).to, CallRoute::To::kDependency);
  const CallRoute own = route_of("math", "add", {"files"}, {}, "", library);
  EXPECT_EQ(own.to, CallRoute::To::kCapability);
  EXPECT_EQ(own.target, "acme.tools.math.add.a7f3");
  EXPECT_NE(own.explanation.find("files:read"), std::string::npos);
  EXPECT_EQ(route_of("far", "away", {}, {}, "", library).to, CallRoute::To::kRemote);
  EXPECT_NE(route_of("far", "away", {}, {}, "office", library).explanation.find("office"), std::string::npos);
  EXPECT_EQ(route_of("math", "sub", {}, {}, "", library).to, CallRoute::To::kNothing);
  EXPECT_EQ(route_of("math", "sub", {}, {}, "office", library).to, CallRoute::To::kRemote);
}

}  // namespace
}  // namespace glovebox::capability
