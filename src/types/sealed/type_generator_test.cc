#include "types/sealed/type_generator.h"

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/source_folder.h"
#include "mcp/json/json_tree.h"
#include "types/python_stubs.h"
#include "types/schema/translate.h"
#include "types/sealed/probe_fixture.h"

namespace glovebox::types {
namespace {

using namespace std::chrono_literals;
using Tools = std::vector<ToolShape>;

class GeneratorTest : public testing::Test {
 protected:
  void open(std::string program, std::chrono::milliseconds answer_time = 60s) {
    TypeGeneratorOptions options;
    options.program = std::move(program);
    options.answer_time = answer_time;
    options.start_time = 60s;
    options.whole_time = 10min;
    options.on_notice = [this](const std::string& text) { notices_.push_back(text); };
    generator_.emplace(loop_.get_executor(), std::move(options));
  }

  MadeText make(const ComposeText& compose) {
    MadeText made;
    generator_->make(compose, [&](MadeText text) {
      made = std::move(text);
      loop_.stop();
    });
    loop_.restart();
    loop_.run();
    return made;
  }
  MadeText declare(const Tools& tools) {
    return make([&](const AskForPart& ask) { return declare_all(tools, Form::kCompact, ask); });
  }

  boost::asio::io_context loop_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{loop_.get_executor()};
  std::vector<std::string> notices_;
  std::optional<TypeGenerator> generator_;
};

bool has(const MadeText& made, std::string_view part) {
  return made.text.find(part) != std::string::npos;
}

constexpr const char* kOpen = "(args?: any /* its types could not be made */): Promise<any";
constexpr const char* kOfProbe = "(args?: any /* of the probe */): Promise<any>";

Tools tools_of_real_servers() {
  Tools tools;
  for (const auto& file : std::filesystem::directory_iterator(base::source_folder() + "/tests/check/servers")) {
    std::ifstream stream(file.path());
    const auto listed = mcp::parse_tree(std::string(std::istreambuf_iterator<char>(stream), {}));
    if (!listed) continue;
    const auto& list = listed->is_array() ? listed->get_array() : listed->at("tools").as_array();
    for (const auto& tool : list) {
      const mcp::json::object& object = tool.as_object();
      const mcp::json::value* input = mcp::member(object, "inputSchema");
      const mcp::json::value* output = mcp::member(object, "outputSchema");
      tools.push_back({.server = file.path().stem(),
                       .name = mcp::string_member(object, "name").value_or(""),
                       .description = mcp::string_member(object, "description").value_or(""),
                       .input_schema = input ? mcp::json::serialize(*input) : "",
                       .output_schema = output ? mcp::json::serialize(*output) : ""});
    }
  }
  return tools;
}

// Byte for byte what the translation itself makes, in every form.
TEST_F(GeneratorTest, MakesTheSameOfRealServersAsTheTranslation) {
  const Tools tools = tools_of_real_servers();
  ASSERT_GT(tools.size(), 100u);
  open("");
  for (const Form form : {Form::kCompact, Form::kFull}) {
    const MadeText made = make([&](const AskForPart& ask) { return declare_all(tools, form, ask); });
    EXPECT_TRUE(made.is_whole);
    EXPECT_EQ(made.text, declare_all(tools, form, translate));
  }
  const MadeText stubs = make([&](const AskForPart& ask) { return python_stubs(tools, ask); });
  EXPECT_TRUE(stubs.is_whole);
  EXPECT_EQ(stubs.text, python_stubs(tools, translate));
  EXPECT_EQ(notices_, std::vector<std::string>{});
}

TEST_F(GeneratorTest, AsksOnceAboutAToolThatHasNotChanged) {
  open(probe_program());
  const Tools one = {probe_tool("s", "a", "count")};
  EXPECT_TRUE(has(declare(one), "a(args?: 1): "));
  EXPECT_TRUE(has(declare(one), "a(args?: 1): "));
  // One declaration has another indent than all of them, and agents read no indent.
  const MadeText alone = make([&](const AskForPart& ask) { return declare_tool(one.front(), Form::kCompact, ask); });
  EXPECT_EQ(alone.text, "mcp.s.a(args?: 1): Promise<any>");
  EXPECT_TRUE(has(declare({probe_tool("s", "a", "count", "changed")}), "a(args?: 2): "));
  EXPECT_TRUE(has(declare(one), "a(args?: 1): "));
}

// What a server's schemas do to the process that reads them is of no consequence to other servers.
TEST_F(GeneratorTest, OneProcessReadsTheSchemasOfOneServer) {
  open(probe_program());
  ToolShape part = probe_tool("Class", "d", "count");
  part.source = "b";
  const MadeText made = declare({probe_tool("a", "a1", "count"), probe_tool("a", "a2", "count"),
                                 probe_tool("b", "b1", "count"), part, probe_tool("c", "c1", "count")});
  for (const char* line : {"a1(args?: 1): ", "a2(args?: 2): ", "b1(args?: 1): ", "d(args?: 2): ", "c1(args?: 1): "})
    EXPECT_TRUE(has(made, line)) << line << made.text;
}

// A search shows tools of several servers by turns, and a start takes milliseconds.
TEST_F(GeneratorTest, AFewServersKeepTheirProcesses) {
  open(probe_program());
  Tools tools = {probe_tool("a", "a1", "count"), probe_tool("b", "b1", "count"), probe_tool("bad", "worst", "die"),
                 probe_tool("a", "a2", "count"), probe_tool("b", "b2", "count")};
  MadeText made;
  for (const ToolShape& tool : tools) made.text += declare({tool}).text;
  for (const char* line : {"a1(args?: 1): ", "b1(args?: 1): ", "a2(args?: 2): ", "b2(args?: 2): "})
    EXPECT_TRUE(has(made, line)) << line << made.text;
  // `a` is now the one that was used longest ago.
  for (std::size_t i = 1; i < kMostGenerators; ++i) (void)declare({probe_tool("more" + std::to_string(i), "x", "")});
  EXPECT_TRUE(has(declare({probe_tool("b", "b3", "count")}), "b3(args?: 3): "));
  EXPECT_TRUE(has(declare({probe_tool("a", "a3", "count")}), "a3(args?: 1): "));
}

TEST_F(GeneratorTest, WhatEndsTheProcessCostsOneToolItsTypes) {
  open(probe_program());
  for (const char* order : {"die", "exit", "eat", "repeat", "say"}) {
    notices_.clear();
    const std::string bad = std::string("bad_") + order;
    const MadeText made = declare({probe_tool("good", "before", ""), probe_tool(bad, "first", ""),
                                   probe_tool(bad, "worst", order, "1000000"), probe_tool(bad, "last", ""),
                                   probe_tool("better", "after", "")});
    EXPECT_FALSE(made.is_whole) << order;
    for (const char* name : {"before", "first", "last", "after"})
      EXPECT_TRUE(has(made, name + std::string(kOfProbe))) << order << " " << name << made.text;
    EXPECT_TRUE(has(made, std::string("worst") + kOpen)) << order << made.text;
    ASSERT_EQ(notices_.size(), 1u) << order;
    EXPECT_TRUE(notices_[0].starts_with("a tool of " + bad + " is declared without types: the type generator"))
        << notices_[0];
  }
}

TEST_F(GeneratorTest, AnAnswerThatWouldLeaveItsPlaceIsRefused) {
  open(probe_program());
  const MadeText made = declare(
      {probe_tool("s", "a", "sign", "(args: any): Promise<any>;\n}\ndeclare const other: any;\ninterface $x {"),
       probe_tool("t", "b", "type", "type $s$a$X = any;\n"), probe_tool("u", "c", "sign", "(args: any): Promise<1>")});
  EXPECT_TRUE(has(made, std::string("a") + kOpen) && has(made, std::string("b") + kOpen)) << made.text;
  EXPECT_TRUE(has(made, "c(args: any): Promise<1>;")) << made.text;
  EXPECT_FALSE(has(made, "other"));
  EXPECT_EQ(notices_, (std::vector<std::string>{
                          "a tool of s is declared without types: the type generator's answer is wrong in a signature",
                          "a tool of t is declared without types: the type generator's answer is wrong in the types"}));
}

TEST_F(GeneratorTest, AServerThatGoesOnIsNotTriedAgain) {
  open(probe_program());
  Tools tools;
  for (int i = 0; i < 20; ++i) tools.push_back(probe_tool("bad", "tool" + std::to_string(i), "die"));
  tools.push_back(probe_tool("bad", "honest", ""));
  tools.push_back(probe_tool("good", "other", ""));
  const MadeText made = declare(tools);
  EXPECT_TRUE(has(made, std::string("honest") + kOpen)) << made.text;
  EXPECT_TRUE(has(made, std::string("other") + kOfProbe)) << made.text;
  EXPECT_EQ(notices_.size(), 3u);
  EXPECT_TRUE(notices_.back().ends_with("; its other tools are not tried for 10 minutes")) << notices_.back();
}

TEST_F(GeneratorTest, AHangCostsOneToolItsTypes) {
  open(probe_program(), 3s);
  const MadeText made = declare({probe_tool("bad", "slow", "hang"), probe_tool("good", "other", "")});
  EXPECT_TRUE(has(made, std::string("slow") + kOpen)) << made.text;
  EXPECT_TRUE(has(made, std::string("other") + kOfProbe)) << made.text;
}

TEST_F(GeneratorTest, NoProgramNoTypes) {
  open(base::program_part("no-such-program"));
  const Tools tools = {probe_tool("s", "a", ""), probe_tool("s", "b", "")};
  EXPECT_TRUE(has(declare(tools), std::string("a") + kOpen));
  EXPECT_FALSE(declare(tools).is_whole);
  ASSERT_EQ(notices_.size(), 1u) << "it is not tried with every question";
  EXPECT_NE(notices_[0].find("no-such-program"), std::string::npos) << notices_[0];
}

TEST_F(GeneratorTest, AServerWithAProcessIsServedWhileNoneCanBeStarted) {
  std::string folder = testing::TempDir() + "generator-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string program = folder + "/program";
  std::filesystem::copy(probe_program(), program);
  open(program);
  EXPECT_TRUE(has(declare({probe_tool("here", "a", "")}), std::string("a") + kOfProbe));
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(has(declare({probe_tool("new", "b", "")}), std::string("b") + kOpen));
  EXPECT_TRUE(has(declare({probe_tool("here", "c", "")}), std::string("c") + kOfProbe));
}

TEST_F(GeneratorTest, ASchemaThatIsTooLargeIsNotSent) {
  open(probe_program());
  const MadeText made = declare({probe_tool("s", "a", std::string(kMostQuestionBytes, ' '))});
  EXPECT_TRUE(has(made, "a(args?: any /* the schema is too large */)")) << made.text;
  EXPECT_TRUE(made.is_whole) << "it will not become smaller";
}

TEST_F(GeneratorTest, ClosesWhileSomethingHangs) {
  open(probe_program());
  bool answered = false;
  generator_->make(
      [](const AskForPart& ask) { return declare_all({probe_tool("s", "a", "hang")}, Form::kCompact, ask); },
      [&](const MadeText&) { answered = true; });
  generator_.reset();
  loop_.poll();
  EXPECT_FALSE(answered);
}

}  // namespace
}  // namespace glovebox::types
