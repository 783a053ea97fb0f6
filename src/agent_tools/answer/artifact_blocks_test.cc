#include "agent_tools/answer/artifact_blocks.h"

#include <gtest/gtest.h>

#include "agent_tools/answer/media_blocks.h"

namespace glovebox::agent_tools {
namespace {

// The beginning of a PNG of 2×3 points.
const std::string kSmallPng("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\2\0\0\0\3", 24);

ArtifactAccess access_to(const std::string& bytes) {
  return {[bytes](const std::string& name) -> std::optional<Artifact> {
            return Artifact{name, "image/png", "", std::make_shared<const std::string>(bytes)};
          },
          true};
}

TEST(ArtifactBlocks, PicturesAreShownAndTheRestIsLinked) {
  std::vector<std::string> blocks = {R"({"type":"image"})"};
  const auto shown = show_artifacts("run_1",
                                    R"([{"name":"a.csv","type":"text/csv","size":3,"digest":"x"},)"
                                    R"({"name":"b.png","type":"image/png","size":24,"digest":"y"}])",
                                    access_to(kSmallPng), blocks);
  EXPECT_EQ(shown.text, "\na.csv: text/csv, 3 bytes, glovebox://runs/run_1/artifacts/a.csv\nb.png: [image 2: 2×3 png]");
  EXPECT_EQ(shown.json,
            R"([{"name":"a.csv","type":"text/csv","size":3,"uri":"glovebox://runs/run_1/artifacts/a.csv"},)"
            R"({"name":"b.png","type":"image/png","size":24,"uri":"glovebox://runs/run_1/artifacts/b.png"}])");
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_TRUE(blocks[1].starts_with(R"({"type":"image","data":"iVBORw0KGgo)")) << blocks[1];
  EXPECT_EQ(blocks[2], R"({"type":"resource_link","uri":"glovebox://runs/run_1/artifacts/a.csv","name":"a.csv",)"
                       R"("mimeType":"text/csv","size":3})");
}

TEST(ArtifactBlocks, ThoseOfAnotherGatewayAreLinkedThroughIt) {
  std::vector<std::string> blocks;
  const ArtifactAccess access{nullptr, true, "office"};
  const auto shown = show_artifacts("run_1",
                                    R"([{"name":"b.png","type":"image/png","size":24},)"
                                    R"({"name":"../x","type":"text/plain","size":1},)"
                                    R"({"name":"y","type":"text/evil\u001b[1m","size":1},)"
                                    R"({"name":"z","type":"text/plain","size":"many"}])",
                                    access, blocks);
  EXPECT_EQ(shown.text, "\nb.png: image/png, 24 bytes, mcp://office/glovebox://runs/run_1/artifacts/b.png");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_NE(blocks[0].find(R"("uri":"mcp://office/glovebox://runs/run_1/artifacts/b.png")"), std::string::npos);
}

TEST(ArtifactBlocks, WhatDoesNotFitIsLinked) {
  const std::string list = R"([{"name":"b.png","type":"image/png","size":24,"digest":"y"}])";
  std::vector<std::string> full(kMostBlocks, "{}");
  (void)show_artifacts("run_1", list, access_to(kSmallPng), full);
  EXPECT_TRUE(full.back().find("resource_link") != std::string::npos);
  std::vector<std::string> blocks;
  (void)show_artifacts("run_1", list, access_to(kSmallPng + std::string(kMostBlockBytes, 'x')), blocks);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_TRUE(blocks.back().find("resource_link") != std::string::npos);
}

TEST(ArtifactBlocks, AnOlderClientGetsNoLinks) {
  ArtifactAccess access = access_to(kSmallPng);
  access.takes_links = false;
  std::vector<std::string> blocks;
  const auto shown = show_artifacts("r", R"([{"name":"a.csv","type":"text/csv","size":3}])", access, blocks);
  EXPECT_TRUE(blocks.empty());
  EXPECT_FALSE(shown.text.empty());
}

TEST(ArtifactBlocks, NothingWhereNothingWasEmitted) {
  std::vector<std::string> blocks;
  EXPECT_EQ(show_artifacts("r", "", {}, blocks).json, "");
}

}  // namespace
}  // namespace glovebox::agent_tools
