// How long the check before a run takes: programs that have never been seen, against the declarations of many tools.
//   glovebox-bench-check [TOOLS] [PROGRAMS]
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "check/type_checker.h"
#include "percentile.h"
#include "types/declarations.h"
#include "types/schema/translate.h"

namespace {

using glovebox::check::CheckReport;
using glovebox::check::TypeChecker;

// Four kinds of tools, of the size that real servers have, in servers of forty.
std::vector<glovebox::types::ToolShape> make_tools(int count) {
  const char* const inputs[] = {
      R"({"type":"object","properties":{"path":{"type":"string","description":"Where it lies"},)"
      R"("head":{"type":"number"},)"
      R"("tail":{"type":"number"}},"required":["path"],"additionalProperties":false})",
      R"({"type":"object","properties":{"owner":{"type":"string"},"repo":{"type":"string"},"state":{"enum":["open",)"
      R"("closed","all"]},"labels":{"type":"array","items":{"type":"string"}},"page":{"type":"integer"}},)"
      R"("required":["owner","repo"]})",
      R"({"type":"object","properties":{"query":{"type":"string"},"filter":{"type":"object","properties":{"from":)"
      R"({"type":"string","format":"date"},"to":{"type":"string","format":"date"},"tags":{"type":"array","items":)"
      R"({"type":"string"}}}},"limit":{"type":"integer","default":20}},"required":["query"]})",
      R"({"type":"object","properties":{"id":{"anyOf":[{"type":"string"},{"type":"integer"}]},"body":{"type":"object",)"
      R"("additionalProperties":true},"notify":{"type":"boolean"}},"required":["id","body"]})",
  };
  const char* const outputs[] = {
      R"({"type":"object","properties":{"content":{"type":"string"},"size":{"type":"integer"}},)"
      R"("required":["content"]})",
      R"({"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":)"
      R"("integer"},"title":{"type":"string"},"state":{"enum":["open","closed"]}},"required":["id","title","state"]}},)"
      R"("total":{"type":"integer"}},"required":["items"]})",
      "",
      "",
  };
  std::vector<glovebox::types::ToolShape> tools;
  for (int i = 0; i < count; ++i) {
    glovebox::types::ToolShape tool;
    tool.server = "server" + std::to_string(i / 40);
    tool.name = "tool_" + std::to_string(i % 40);
    tool.description = "Does the thing that number " + std::to_string(i) + " is for, and says what came of it.";
    tool.input_schema = inputs[i % 4];
    tool.output_schema = outputs[i % 4];
    tools.push_back(std::move(tool));
  }
  return tools;
}

// About as long as what agents write, and never twice the same.
std::string make_program(int i, int tools, bool wrong) {
  const auto call = [&](int kind, int salt) {
    const int tool = (salt * 4 + kind) % tools;
    return "mcp.server" + std::to_string(tool / 40) + ".tool_" + std::to_string(tool % 40);
  };
  const std::string n = std::to_string(i);
  return "// " + n + "\nconst { items } = await " + call(1, i) + "({ owner: 'o" + n +
         "', repo: 'r', state: 'open' });\n" +
         "const open = items.filter((item) => item.state === 'open' && item.id > " + n + ");\n" +
         "const texts = await Promise.all(open.map(async (item) => {\n  const file = await " + call(0, i + 7) +
         "({ path: `${item.id}/" + n + ".md`" + (wrong ? ", lines: 3" : "") + " });\n" +
         "  return { title: item.title, text: file.content.slice(0, 200) };\n}));\n" + "const found = await " +
         call(2, i + 3) + "({ query: texts.map((t) => t.title).join(' '), limit: 5 });\n" +
         "return { texts, found, count: items.length };\n";
}

}  // namespace

int main(int argc, char** argv) {
  const int tools = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int programs = argc > 2 ? std::atoi(argv[2]) : 300;
  const auto declarations = std::make_shared<const std::string>(
      declare_all(make_tools(tools), glovebox::types::Form::kCompact, glovebox::types::translate));
  boost::asio::io_context loop{1};
  const auto guard = boost::asio::make_work_guard(loop);
  TypeChecker checker(loop.get_executor(), {});
  const auto check = [&](const std::string& code) {
    CheckReport report;
    checker.check({code, declarations}, [&](CheckReport done) {
      report = std::move(done);
      loop.stop();
    });
    loop.restart();
    loop.run();
    if (!report.note.empty()) std::fprintf(stderr, "not checked: %s\n", report.note.c_str());
    return report;
  };
  std::printf("%d tools, %zu KB of declarations\n", tools, declarations->size() >> 10);
  std::printf("first check, with the start of the checker: %.0f ms\n", check("return 1").milliseconds);
  for (const bool wrong : {false, true}) {
    std::vector<double> times;
    for (int i = 0; i < programs; ++i) {
      const CheckReport report = check(make_program(i + (wrong ? programs : 0), tools, wrong));
      const bool stopped = std::any_of(report.diagnostics.begin(), report.diagnostics.end(), [](const auto& found) {
        return found.about == glovebox::Diagnostic::About::kTools;
      });
      if (stopped != wrong) {
        std::fprintf(stderr, "a program was not judged as it should be\n");
        return 1;
      }
      times.push_back(report.milliseconds);
    }
    std::printf("%s programs: p50 %.1f ms, p95 %.1f ms, p99 %.1f ms\n", wrong ? "wrong" : "right",
                glovebox::bench::percentile(times, 0.5), glovebox::bench::percentile(times, 0.95),
                glovebox::bench::percentile(times, 0.99));
  }
  return 0;
}
