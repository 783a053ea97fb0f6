#include "calls/artifacts/artifact_shelf.h"

#include <gtest/gtest.h>

namespace glovebox::calls {
namespace {

SandboxConfig small_shelf() {
  SandboxConfig config;
  config.max_artifacts = 2;
  config.max_artifact_bytes = 10;
  config.max_artifact_total_bytes = 25;
  return config;
}

Artifact artifact(const std::string& name, const std::string& bytes) {
  return {name, "text/plain", "", std::make_shared<const std::string>(bytes)};
}

TEST(ArtifactShelf, HasRoomForSoManyOfSuchASize) {
  ArtifactShelf shelf(small_shelf());
  EXPECT_NE(shelf.why_no_room("a", 11).value_or("").find("sandbox.maxArtifactBytes"), std::string::npos);
  EXPECT_FALSE(shelf.why_no_room("a", 10));
  shelf.put(artifact("a", "1234567890"));
  EXPECT_FALSE(shelf.why_no_room("b", 1));
  shelf.put(artifact("b", "1"));
  EXPECT_NE(shelf.why_no_room("c", 1).value_or("").find("sandbox.maxArtifacts)"), std::string::npos);
  EXPECT_FALSE(shelf.why_no_room("b", 1)) << "what is replaced takes no other place";
}

// Room is reserved before the bytes arrive, and replaced artifacts still count: memory and time were spent on them.
TEST(ArtifactShelf, CountsAllThatWasEverEmitted) {
  ArtifactShelf shelf(small_shelf());
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(shelf.why_no_room("a", 10)) << i;
  EXPECT_NE(shelf.why_no_room("a", 10).value_or("").find("sandbox.maxArtifactTotalBytes"), std::string::npos);
  EXPECT_FALSE(shelf.why_no_room("a", 5));
  EXPECT_TRUE(shelf.why_no_room("a", 1));
}

TEST(ArtifactShelf, KeepsTheLastOfEachName) {
  ArtifactShelf shelf(small_shelf());
  shelf.put(artifact("a", "1"));
  shelf.put(artifact("b", "2"));
  shelf.put(artifact("a", "3"));
  const std::vector<Artifact> kept = shelf.take();
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].name + kept[0].bytes() + kept[1].name + kept[1].bytes(), "a3b2");
}

}  // namespace
}  // namespace glovebox::calls
