#include "agent_tools/answer/media_blocks.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "agent_tools/answer/image_size.h"
#include "mcp/json/base64.h"

namespace glovebox::agent_tools {
namespace {

namespace json = boost::json;
using namespace std::string_literals;

const std::string kPng = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x03\x20\0\0\x02\x58\x08\x06\0\0\0"s;

json::object image(const std::string& bytes = kPng, const char* mime = "image/png") {
  return {{"type", "image"}, {"data", mcp::base64(bytes)}, {"mimeType", mime}};
}

std::string size_of(const std::string& bytes) {
  const auto size = image_size(bytes);
  return size ? std::to_string(size->width) + "x" + std::to_string(size->height) : "none";
}

TEST(ImageSize, IsReadFromTheFirstBytes) {
  EXPECT_EQ(size_of(kPng), "800x600");
  EXPECT_EQ(size_of("GIF89a\x20\x03\x58\x02"s), "800x600");
  EXPECT_EQ(size_of("\xff\xd8\xff\xe0\0\x04zz\xff\xc0\0\x11\x08\x02\x58\x03\x20\x03zz"s), "800x600");
  EXPECT_EQ(size_of("RIFFxxxxWEBPVP8Xxxxxxxxx\x1f\x03\0\x57\x02\0"s), "800x600");
  EXPECT_EQ(size_of("RIFFxxxxWEBPVP8 xxxxxxxxxx\x20\x03\x58\x02"s), "800x600");
}

TEST(ImageSize, OfAnythingElseNothing) {
  const std::string whole[] = {kPng, "\xff\xd8\xff\xe0\0\x04zz\xff\xc0\0\x11\x08\x02\x58\x03\x20"s,
                               "RIFFxxxxWEBPVP8Lx"s};
  for (const std::string& bytes : whole)
    for (std::size_t length = 0; length < bytes.size(); ++length) (void)image_size(bytes.substr(0, length));
  EXPECT_EQ(size_of(""), "none");
  EXPECT_EQ(size_of("<svg xmlns=''/>"), "none");
  EXPECT_EQ(size_of("\xff\xd8\xff\xe0\0\0\0\0\0\0\0\0\0\0\0\0"s), "none");
}

TEST(MediaBlocks, AreTakenOutWithAMarkInTheirPlace) {
  json::value value = {{"shot", image()}, {"list", {1, json::array{image("not a picture")}}}};
  const auto blocks = take_media(value);
  EXPECT_EQ(value, json::parse(R"({"shot":"[image 1: 800×600 png]","list":[1,["[image 2: png]"]]})"));
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(json::parse(blocks[0]), json::value(image()));
}

TEST(MediaBlocks, SoundsAndFilesAsWell) {
  json::value value = json::array{
      json::object{{"type", "audio"}, {"data", mcp::base64("RIFF")}, {"mimeType", "audio/wav"}},
      json::object{{"type", "resource"}, {"resource", json::object{{"uri", "a://b"}, {"blob", mcp::base64("x")}}}}};
  EXPECT_EQ(take_media(value).size(), 2u);
  EXPECT_EQ(value, json::parse(R"(["[audio 1: wav]","[resource 2: application/octet-stream]"])"));
}

TEST(MediaBlocks, WhatIsNoBlockStays) {
  for (json::value value : {json::value(json::object{{"type", "image"}, {"data", "***"}, {"mimeType", "image/png"}}),
                            json::value(image(kPng, "text/html")), json::value(image(kPng, "image/p]ng")),
                            json::value(json::object{{"type", "image"}, {"data", 5}, {"mimeType", "image/png"}}),
                            json::value(json::object{{"type", "resource"},
                                                     {"resource", json::object{{"uri", "a://b"}, {"text", "words"}}}}),
                            json::value(json::object{{"type", "text"}, {"text", "[image 1: 800×600 png]"}})}) {
    const json::value before = value;
    EXPECT_TRUE(take_media(value).empty());
    EXPECT_EQ(value, before);
  }
}

TEST(MediaBlocks, HaveALimit) {
  json::array many(kMostBlocks + 5, image());
  json::value value = many;
  EXPECT_EQ(take_media(value).size(), kMostBlocks);
  EXPECT_EQ(value.as_array().back(), "[image 25: 800×600 png, 29 bytes, too large to show]");
  json::value large = json::array{image(std::string(kMostBlockBytes * 3 / 4, 'x')), image()};
  EXPECT_EQ(take_media(large).size(), 1u);
}

}  // namespace
}  // namespace glovebox::agent_tools
