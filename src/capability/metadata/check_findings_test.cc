#include "capability/metadata/check_findings.h"

#include "capability/scratch_state.h"

namespace glovebox::capability {
namespace {

class CheckFindingsTest : public testing::ScratchState {};

TEST_F(CheckFindingsTest, AboutCapabilitiesAreNone) {
  CapabilityLock lock(state);
  ASSERT_TRUE(lock.put(testing::metadata_of("acme.tools.math-kit.add_up.a7f3", "return 1"), std::nullopt).ok());
  const auto left = [&](const std::string& code, const std::string& message) {
    Diagnostic one;
    one.code = code;
    one.message = message;
    std::vector<Diagnostic> found = {one};
    drop_findings_about(lock, found);
    return found.size();
  };
  EXPECT_EQ(left("TS2339", "Property 'mathKit' does not exist on type '{ files: Files; }'."), 0u);
  EXPECT_EQ(left("TS2339", "Property 'math-kit' does not exist on type '{ files: Files; }'."), 0u);
  EXPECT_EQ(left("TS2551", "Property 'addUp' does not exist on type 'Files'. Did you mean 'add'?"), 0u);
  EXPECT_EQ(left("TS2304", "Cannot find name 'mathKit'."), 0u);
  // What is about something else stays, also where the name is mentioned.
  EXPECT_EQ(left("TS2339", "Property 'read' does not exist on type 'mathKit'."), 1u);
  EXPECT_EQ(left("TS2345", "Argument of type 'mathKit' is not assignable to parameter of type 'string'."), 1u);
  EXPECT_EQ(left("TS2339", "odd"), 1u);
  EXPECT_EQ(left("TS2339", ""), 1u);
}

}  // namespace
}  // namespace glovebox::capability
