#include "calls/artifacts/artifact_kind.h"

#include <gtest/gtest.h>

namespace glovebox::calls {
namespace {

using namespace std::string_literals;

TEST(ArtifactName, IsOneThatAnyScreenAndDiskTakes) {
  for (const char* name : {"a", "chart.png", "Report_2026-11.v2.csv", "7"}) EXPECT_FALSE(why_no_artifact_name(name));
  for (const std::string& name :
       {""s, "."s, ".."s, ".ssh"s, "-o"s, "_x"s, "a/b"s, "a\\b"s, "a b"s, "a\0b"s, "a\"b"s, "a\r\nX: y"s, "a%2fb"s,
        "\xc3\xa9"s, "\xe2\x80\xae"s, std::string(kMaxArtifactNameBytes + 1, 'x')}) {
    EXPECT_TRUE(why_no_artifact_name(name)) << name;
  }
}

const std::string kPng = "\x89PNG\r\n\x1a\n....";

TEST(ArtifactType, IsWhatTheBytesAre) {
  EXPECT_EQ(artifact_type("a.png", "", kPng), "image/png");
  EXPECT_EQ(artifact_type("a", "", kPng), "image/png");
  EXPECT_EQ(artifact_type("a.html", "", kPng), "image/png");
  EXPECT_EQ(artifact_type("a.png", "", "<html>"), "text/plain");
  EXPECT_EQ(artifact_type("a", "image/png", "<html>"), "text/plain");
  EXPECT_EQ(artifact_type("a.wav", "", "RIFF\1\2\3\4WAVE"), "audio/wav");
  EXPECT_EQ(artifact_type("a.wav", "", "RIFF"), "text/plain");
  EXPECT_EQ(artifact_type("a", "", "\xff\xfe\xfd"), "application/octet-stream");
  EXPECT_EQ(artifact_type("a.txt", "", "with\0zero"s), "application/octet-stream");
}

TEST(ArtifactType, IsOneOfTheList) {
  EXPECT_EQ(artifact_type("a.js", "text/javascript", "x"), "text/plain");
  EXPECT_EQ(artifact_type("a", "text/html\r\nSet-Cookie: a=b", "x"), "text/plain");
  EXPECT_EQ(artifact_type("a", "Text/CSV ; charset=utf-8", "x"), "text/csv");
  EXPECT_EQ(artifact_type("a.JSON", "", "{}"), "application/json");
  EXPECT_TRUE(is_artifact_type("text/csv"));
  EXPECT_TRUE(is_artifact_type("application/octet-stream"));
  EXPECT_FALSE(is_artifact_type("text/javascript"));
  EXPECT_FALSE(is_artifact_type("text/csv; charset=utf-8"));
}

}  // namespace
}  // namespace glovebox::calls
