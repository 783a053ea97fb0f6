#include "capability/metadata/metadata.h"

#include <gtest/gtest.h>

#include "capability/limits.h"
#include "capability/scratch_state.h"

namespace glovebox::capability {
namespace {

using testing::kCode;
using testing::kName;

std::string text(const std::string& more, const std::string& type = "deno") {
  return R"({"fqdn":")" + kName + R"(","type":")" + type + R"(","integrity":")" + Integrity::of(kCode).text() + "\"" +
         more + "}";
}
std::string dependency(const std::string& members) {
  return R"(,"mcp_deps":[{"name":"files","type":"stdio","command":"npx",)" + members + "}]";
}

TEST(Metadata, IsReadAndWritten) {
  const auto fetched = read_metadata(
      text(R"(,"description":"Adds.","code":"return args.a + 1","inputSchema":{"type":"object","b":1,"a":2},)"
           R"("mcp_deps":[{"name":"files","type":"stdio","command":"npx","args":["-y","it's"],"envRequired":["KEY"],)"
           R"("version":"1.2.3"}],"tools_used":["files:read","files:list","files:read"],"routing":"client",)"
           R"("env":["API_KEY"],"downloads":17)"));
  ASSERT_TRUE(fetched.ok()) << fetched.failure().message;
  const Metadata& metadata = fetched->metadata;
  EXPECT_EQ(fetched->code, kCode);
  EXPECT_EQ(metadata.description, "Adds.");
  EXPECT_EQ(metadata.input_schema, R"({"a":2,"b":1,"type":"object"})");
  EXPECT_EQ(metadata.tools, (std::vector<std::string>{"files:list", "files:read"}));
  EXPECT_EQ(metadata.env, std::vector<std::string>{"API_KEY"});
  ASSERT_EQ(metadata.dependencies.size(), 1u);
  EXPECT_EQ(metadata.dependencies[0].launch(), R"(npx -y 'it'\''s')");
  EXPECT_TRUE(verify_code(metadata, kCode).ok());
  EXPECT_FALSE(verify_code(metadata, kCode + " ").ok());

  // What is pinned reads as the same, and holds neither code nor what changes from day to day.
  const auto again = read_metadata(metadata.canonical());
  ASSERT_TRUE(again.ok()) << again.failure().message;
  EXPECT_EQ(again->metadata.canonical(), metadata.canonical());
  EXPECT_EQ(metadata.canonical().find("downloads"), std::string::npos);
  EXPECT_EQ(metadata.canonical().find("return"), std::string::npos);
}

TEST(Metadata, WithAnythingDoubtfulIsRefused) {
  const std::string bad[] = {
      "",
      "[]",
      "{",
      "<html>",
      "{}",
      text("", "python"),
      text("", ""),
      text(R"(,"description":1)"),
      text(R"(,"description":")" + std::string(kMostDescriptionBytes + 1, 'a') + "\""),
      text(R"(,"code":")" + std::string(kMostCodeBytes + 1, 'a') + "\""),
      text(R"(,"inputSchema":[])"),
      text(R"(,"inputSchema":true)"),
      text(R"(,"inputSchema":{"$ref":"#/nowhere"})"),
      text(R"(,"routing":"somewhere")"),
      text(R"(,"env":"KEY")"),
      text(R"(,"env":["A=B"])"),
      text(R"(,"env":["A\nB"])"),
      text(R"(,"tools_used":["*"])"),
      text(R"(,"tools_used":["files"])"),
      text(R"(,"tools_used":["files:*"])"),
      text(R"(,"tools_used":["files:read_*"])"),
      text(R"x(,"tools_used":["files:read(path=/)"])x"),
      text(R"(,"tools_used":[1])"),
      text(R"(,"mcp_deps":{})"),
      text(R"(,"mcp_deps":[1])"),
      text(R"(,"mcp_deps":[{"name":"../x","type":"stdio","command":"a"}])"),
      text(R"(,"mcp_deps":[{"name":"x","type":"stdio"}])"),
      text(R"(,"mcp_deps":[{"name":"x","type":"ws","command":"a"}])"),
      text(R"(,"mcp_deps":[{"name":"x","type":"http","url":"file:///etc/passwd"}])"),
      text(R"(,"mcp_deps":[{"name":"x","type":"http","url":"https://a","command":"sh"}])"),
      text(R"(,"mcp_deps":[{"name":"x","type":"http","url":"https://a","envRequired":["KEY"]}])"),
      text(R"(,"mcp_deps":[{"name":"x","type":"stdio","command":"a"},{"name":"x","type":"stdio","command":"b"}])"),
      text(dependency(R"("args":["a\u001b[2J"])")),
      text(dependency(R"("args":[["a"]])")),
      text(dependency(R"("integrity":"sha512-abc")")),
      text(dependency(R"("integrity":")" + Integrity::of("else").text() + "\"")),
      text(R"(,"description":"a","description":"b")"),
      R"({"fqdn":")" + kName + R"(","type":"deno"})",
      R"({"fqdn":")" + kName + R"(","type":"deno","integrity":"none"})",
      R"({"fqdn":"../../etc","type":"deno","integrity":")" + Integrity::of("").text() + "\"}",
  };
  for (const std::string& one : bad) EXPECT_FALSE(read_metadata(one).ok()) << one.substr(0, 300);
}

TEST(Metadata, OfADependencyHoldsForItsVeryCommand) {
  const auto one = read_metadata(text(dependency(R"("args":["a"])"))).value().metadata.dependencies[0];
  const auto two = read_metadata(text(dependency(R"("args":["b"])"))).value().metadata.dependencies[0];
  EXPECT_NE(one.integrity(), two.integrity());
  EXPECT_TRUE(read_metadata(text(dependency(R"("args":["a"],"integrity":")" + one.integrity().text() + "\""))).ok());
}

TEST(Metadata, WithoutCodeIsOneToolOfItsDependency) {
  Dependency files;
  files.name = "files";
  files.command = "npx";
  const std::string more = R"(,"mcp_deps":[{"name":"files","type":"stdio","command":"npx"}])";
  const std::string good =
      R"({"fqdn":")" + kName + R"(","type":"stdio","integrity":")" + files.integrity().text() + "\"";
  const auto fetched = read_metadata(good + more + "}");
  ASSERT_TRUE(fetched.ok()) << fetched.failure().message;
  EXPECT_EQ(fetched->metadata.tools, std::vector<std::string>{"files:add"});
  EXPECT_EQ(program_of(fetched->metadata, ""), R"(return await mcp["files"]["add"](args))");
  EXPECT_FALSE(read_metadata(good + "}").ok());
  EXPECT_FALSE(read_metadata(good + more + R"(,"code":"return 1"})").ok());
  EXPECT_FALSE(read_metadata(good + more + R"(,"tools_used":["files:remove"]})").ok());
  EXPECT_FALSE(read_metadata(text(more, "stdio")).ok());  // the integrity is that of something else
}

TEST(Metadata, AnswersWhatWasAsked) {
  const Fqdn name = Fqdn::parse(kName).value();
  EXPECT_TRUE(read_answer(text(R"(,"code":"return args.a + 1")"), name).ok());
  EXPECT_TRUE(read_answer(text(R"(,"code_url":"code.ts")"), name).ok());
  EXPECT_FALSE(read_answer(text(""), name).ok());
  EXPECT_FALSE(read_answer(text(R"(,"code":"a","code_url":"b")"), name).ok());
  const auto other = read_answer(text(R"(,"code":"a")"), Fqdn::parse("acme.tools.math.add.0000").value());
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.failure().message.find(kName), std::string::npos);
  std::string unverifiable = text(R"(,"code":"a")");
  unverifiable.replace(unverifiable.find("sha256"), 6, "sha512");
  EXPECT_EQ(read_answer(unverifiable, name).failure().code, ErrorCode::kProtocol);
  const auto page = read_answer("\n<!doctype html><title>Sign in</title>", name);
  ASSERT_FALSE(page.ok());
  EXPECT_NE(page.failure().message.find("web page"), std::string::npos);
}

}  // namespace
}  // namespace glovebox::capability
