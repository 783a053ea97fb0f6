// Ordinary programs over the tools of real servers (servers/*.json, as they list them): the check stops no right one
// (programs/right*.txt) and every wrong one (programs/wrong*.txt).
#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/source_folder.h"
#include "catalog/names.h"
#include "check/type_checker.h"
#include "code_check/python/python_check.h"
#include "code_check/python/python_reader.h"
#include "code_check/tool_shapes.h"
#include "types/declarations.h"
#include "types/schema/translate.h"

namespace glovebox::check {
namespace {

namespace json = boost::json;

std::string folder() {
  return base::source_folder() + "/tests/check/";
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string schema(const json::object& tool, const char* name) {
  const json::value* found = tool.if_contains(name);
  return found ? json::serialize(*found) : "";
}

// The tools as in a catalog of the owner's servers; none can be called.
class ListedTools : public catalog::Catalog {
 public:
  ListedTools() {
    for (const auto& entry : std::filesystem::directory_iterator(folder() + "servers")) {
      const json::value listed = json::parse(text_of(entry.path()));
      std::vector<catalog::Tool>& tools = tools_[entry.path().stem()];
      for (const json::value& tool : listed.as_array()) {
        catalog::Tool one;
        one.server = entry.path().stem();
        one.name = json::value_to<std::string>(tool.at("name"));
        one.input_schema = schema(tool.as_object(), "inputSchema");
        one.output_schema = schema(tool.as_object(), "outputSchema");
        tools.push_back(std::move(one));
      }
      catalog::assign_aliases(tools);
    }
  }

  std::vector<std::string> servers() const override {
    std::vector<std::string> names;
    for (const auto& [name, tools] : tools_) names.push_back(name);
    return names;
  }
  std::string resolve_server(std::string_view written) const override {
    for (const auto& [name, tools] : tools_)
      if (catalog::is_same_name(name, written)) return name;
    return "";
  }
  std::optional<catalog::Tool> known(std::string_view server, std::string_view tool) const override {
    for (const catalog::Tool& one : tools_.at(std::string(server)))
      if (catalog::is_same_name(one.name, tool)) return one;
    return std::nullopt;
  }
  std::vector<catalog::Tool> known_tools() const override {
    std::vector<catalog::Tool> all;
    for (const auto& [name, tools] : tools_) all.insert(all.end(), tools.begin(), tools.end());
    return all;
  }

  void set_servers(std::vector<catalog::ServerSpec>) override {}
  std::vector<catalog::ServerHealth> health() const override { return {}; }
  void list_tools(std::string, std::function<void(Result<std::vector<catalog::Tool>, catalog::CallFailure>)>) override {
  }
  void find(const std::string&, const std::string&, Found) override {}
  std::optional<catalog::CallFailure> why_not(const catalog::Tool&, const std::string&) override { return {}; }
  using Catalog::call;
  std::function<void()> call(catalog::PermittedCall, catalog::CallOptions, Called) override { return {}; }
  std::string diff(const std::string&, const std::string&) const override { return ""; }
  Result<void> approve(const std::string&, const std::string&, const std::string&) override { return {}; }
  void list_offers(const std::string&, Offer,
                   std::function<void(Result<std::vector<std::string>, catalog::CallFailure>)>) override {}
  void retry(const std::string&) override {}
  void close() override {}

 private:
  std::map<std::string, std::vector<catalog::Tool>> tools_;
};

std::shared_ptr<const std::string> declarations(const ListedTools& listed) {
  std::vector<types::ToolShape> shapes;
  for (const catalog::Tool& tool : listed.known_tools()) shapes.push_back(code_check::shape_of(listed, tool));
  return std::make_shared<const std::string>(types::declare_all(shapes, types::Form::kCompact, types::translate));
}

// Programs begin after lines of ===, or are a line each; the first line of a file says what they are.
std::vector<std::string> programs_in(const std::string& file) {
  std::istringstream text(text_of(folder() + "programs/" + file));
  std::vector<std::string> programs;
  std::string line;
  std::getline(text, line);
  const bool is_long = file.starts_with("right");
  while (std::getline(text, line)) {
    if (!is_long || line.starts_with("==="))
      programs.push_back(is_long ? "" : line);
    else
      programs.back() += line + "\n";
  }
  return programs;
}

class Programs : public ::testing::Test {
 protected:
  // The mistake that stops the program; empty if it may run.
  std::string stopped(const std::string& code) {
    CheckReport report;
    checker_.check({code, declarations_}, [&](CheckReport done) {
      report = std::move(done);
      loop_.stop();
    });
    const auto guard = boost::asio::make_work_guard(loop_);
    loop_.restart();
    loop_.run();
    EXPECT_EQ(report.note, "");
    std::string described;
    for (const Diagnostic& found : report.diagnostics)
      if (found.about == Diagnostic::About::kTools) described += describe(found, "agent.ts") + "\n";
    return described;
  }

 private:
  static TypeCheckerOptions patient() {
    TypeCheckerOptions options;
    options.check_time = options.start_time = options.whole_time = std::chrono::minutes(5);
    return options;
  }

  boost::asio::io_context loop_{1};
  TypeChecker checker_{loop_.get_executor(), patient()};
  std::shared_ptr<const std::string> declarations_ = declarations(ListedTools());
};

TEST_F(Programs, NoRightOneIsStopped) {
  const std::vector<std::string> programs = programs_in("right.txt");
  EXPECT_GE(programs.size(), 100u);
  for (const std::string& program : programs) EXPECT_EQ(stopped(program), "") << program;
}

TEST_F(Programs, EveryWrongOneIsStopped) {
  const std::vector<std::string> programs = programs_in("wrong.txt");
  EXPECT_GE(programs.size(), 100u);
  for (const std::string& program : programs) EXPECT_NE(stopped(program), "") << program;
}

// Python's own parser reads the programs, all of a file in one guest.
class PythonPrograms : public ::testing::Test {
 protected:
  Result<code_check::WrittenCalls> read(const std::string& program) {
    std::optional<Result<code_check::WrittenCalls>> read;
    reader_->read(program, tools_.servers(), [&](Result<code_check::WrittenCalls> written) {
      read = std::move(written);
      loop_.stop();
    });
    const auto guard = boost::asio::make_work_guard(loop_);
    loop_.restart();
    loop_.run();
    return std::move(*read);
  }
  // The mistake that stops it; empty if it may run.
  std::string stopped(const std::string& program) {
    const auto written = read(program);
    if (!written) return written.failure().message;
    std::string described;
    for (const Diagnostic& found : code_check::check_python(program, *written, tools_, {}))
      described += describe(found, "agent.py") + "\n";
    return described;
  }

 private:
  const ListedTools tools_;
  boost::asio::io_context loop_{1};
  Sandbox sandbox_{SandboxOptions{.pool_size = 1}};
  std::shared_ptr<code_check::PythonReader> reader_ =
      std::make_shared<code_check::PythonReader>(loop_.get_executor(), sandbox_, true);
};

TEST_F(PythonPrograms, NoRightOneIsStopped) {
  const std::vector<std::string> programs = programs_in("right_python.txt");
  EXPECT_GE(programs.size(), 70u);
  for (const std::string& program : programs) EXPECT_EQ(stopped(program), "") << program;
}

TEST_F(PythonPrograms, EveryWrongOneIsStopped) {
  const std::vector<std::string> programs = programs_in("wrong_python.txt");
  EXPECT_GE(programs.size(), 80u);
  for (const std::string& program : programs) EXPECT_NE(stopped(program), "") << program;
}

TEST_F(PythonPrograms, ThatCannotBeReadAreLeftToTheirRun) {
  EXPECT_EQ(stopped("return ) 5"), "");
  EXPECT_EQ(stopped(std::string("a = '\0'")), "");
  EXPECT_EQ(stopped(std::string(100'000, '(')), "");
  // Deep, and long: one is refused as too much, and the reader continues with the next.
  std::string sum = "x = 1";
  for (int i = 0; i < 20'000; ++i) sum += "+1";
  (void)read(sum);
  EXPECT_NE(stopped("mcp.nobody.home()"), "");
}

TEST_F(PythonPrograms, AreShownWhereTheyAreWrong) {
  EXPECT_EQ(stopped("x = 1\nmcp.filesystem.edit_file(path='é', edits=[{'oldText': 'a'}])"),
            "agent.py:2:43 - an item of edits of filesystem.edit_file needs newText [WRONG_ARGUMENTS]\n"
            "  mcp.filesystem.edit_file(path='é', edits=[{'oldText': 'a'}])\n"
            "                                            ^^^^^^^^^^^^^^^^\n");
  EXPECT_EQ(stopped("```python\nread = mcp.filesystem.read_text_file\nread(path='a',\n     head='1')\n```"),
            "agent.py:4:11 - head of filesystem.read_text_file must be number, not string [WRONG_ARGUMENTS]\n"
            "       head='1')\n"
            "            ^^^\n");
  EXPECT_EQ(stopped("fs = mcp.nobody\nfs.read(1)"),
            "agent.py:1:10 - 'nobody' is not a server [UNKNOWN_SERVER]\n"
            "  fs = mcp.nobody\n"
            "           ^^^^^^\n");
}

TEST_F(PythonPrograms, AreToldOnlyWhatTheySayThemselves) {
  const std::string code = "mcp.nobody.home(); mcp.filesystem.read_file(pth=1)";
  auto written = read(code);
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(code_check::check_python(code, *written, ListedTools(), {}).size(), 3u);
  // As from a guest that has read another program before, with a secret in it.
  EXPECT_TRUE(code_check::check_python("pass", *written, ListedTools(), {}).empty());
  written->calls[0].server = "secret";
  written->calls[1].arguments.as_object()["names"].as_array()[0].as_array()[0] = "secret";
  for (const Diagnostic& found : code_check::check_python(code, *written, ListedTools(), {}))
    EXPECT_EQ(found.message.find("secret"), std::string::npos) << found.message;
}

}  // namespace
}  // namespace glovebox::check
