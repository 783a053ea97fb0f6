// How long types of tools take: the tools of tests/check/servers, whose schemas are read here, in a sealed process, and
// through the whole TypeGenerator.
//   glovebox-bench-types [ROUNDS]
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/program_part.h"
#include "base/source_folder.h"
#include "mcp/json/json_tree.h"
#include "percentile.h"
#include "types/declarations.h"
#include "types/part_check.h"
#include "types/part_message.h"
#include "types/schema/translate.h"
#include "types/sealed/generator_process.h"
#include "types/sealed/type_generator.h"

namespace {

using namespace glovebox;
using Clock = std::chrono::steady_clock;

std::vector<types::ToolShape> real_tools() {
  std::vector<types::ToolShape> tools;
  for (const auto& file : std::filesystem::directory_iterator(base::source_folder() + "/tests/check/servers")) {
    std::ifstream stream(file.path());
    const auto listed = mcp::parse_tree(std::string(std::istreambuf_iterator<char>(stream), {}));
    if (!listed || !listed->is_array()) continue;
    for (const auto& tool : listed->get_array()) {
      const mcp::json::object& object = tool.as_object();
      const mcp::json::value* output = mcp::member(object, "outputSchema");
      tools.push_back({.server = file.path().stem(),
                       .name = mcp::string_member(object, "name").value_or(""),
                       .input_schema = mcp::json::serialize(*mcp::member(object, "inputSchema")),
                       .output_schema = output ? mcp::json::serialize(*output) : ""});
    }
  }
  return tools;
}

types::PartQuestion question_of(const types::ToolShape& tool) {
  types::PartQuestion question;
  question.prefix = "$s$t$";
  question.input_schema = tool.input_schema;
  question.output_schema = tool.output_schema;
  return question;
}

template <typename Work>
double microseconds(Work work) {
  const auto begun = Clock::now();
  work();
  return std::chrono::duration<double, std::micro>(Clock::now() - begun).count();
}

void print(const char* name, const std::vector<double>& times) {
  std::printf("%-44s", name);
  for (const double share : {0.1, 0.5, 0.9, 0.99}) std::printf(" %9.1f", bench::percentile(times, share));
  std::printf("\n");
}

types::GeneratorProcess start() {
  auto started = types::GeneratorProcess::start({base::program_part("glovebox-types"), 0, -1},
                                                Clock::now() + std::chrono::minutes(1));
  if (!started) {
    std::fprintf(stderr, "%s\n", started.failure().message.c_str());
    std::exit(1);
  }
  return std::move(started).value();
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 40;
  const std::vector<types::ToolShape> tools = real_tools();
  std::size_t bytes = 0;
  for (const types::ToolShape& tool : tools) bytes += tool.input_schema.size() + tool.output_schema.size();
  std::printf("%zu tools, %zu bytes of schemas each\n%-44s %9s %9s %9s %9s\n", tools.size(), bytes / tools.size(),
              "microseconds", "p10", "p50", "p90", "p99");

  std::vector<double> here, sealed, starts, ends;
  for (int i = 0; i < rounds; ++i) {
    for (const types::ToolShape& tool : tools)
      here.push_back(microseconds([&] { (void)types::translate(question_of(tool)); }));
    types::GeneratorProcess process = start();
    for (const types::ToolShape& tool : tools) {
      sealed.push_back(microseconds([&] {
        const types::PartQuestion question = question_of(tool);
        const auto answer = process.ask(types::encode(question), Clock::now() + std::chrono::minutes(1));
        const auto part = answer ? types::decode_part(*answer) : std::nullopt;
        if (!part || !types::fault_in(question, *part).empty()) std::exit(1);
      }));
    }
    std::optional<types::GeneratorProcess> other;
    starts.push_back(microseconds([&] { other.emplace(start()); }));
    ends.push_back(microseconds([&] { other.reset(); }));
  }
  print("one tool, read here", here);
  print("one tool, read in a sealed process, checked", sealed);
  print("the start of a process", starts);
  print("its end", ends);

  boost::asio::io_context loop(1);
  const auto guard = boost::asio::make_work_guard(loop);
  types::TypeGenerator generator(loop.get_executor(), {});
  const auto made = [&](std::vector<types::ToolShape> chosen) {
    return microseconds([&] {
      generator.make([&](const auto& ask) { return declare_all(chosen, types::Form::kCompact, ask); },
                     [&](const types::MadeText& text) {
                       if (!text.is_whole) std::exit(1);
                       loop.stop();
                     });
      loop.restart();
      loop.run();
    });
  };
  std::vector<double> first, again, fresh, all;
  first.push_back(made(tools));
  for (int i = 0; i < rounds; ++i) {
    all.push_back(made(tools));
    for (std::size_t at = 0; at + 5 <= tools.size(); at += 5) {
      const std::vector<types::ToolShape> five(tools.begin() + static_cast<std::ptrdiff_t>(at),
                                               tools.begin() + static_cast<std::ptrdiff_t>(at + 5));
      again.push_back(made(five));
    }
    // As if a server had changed one of its tools.
    types::ToolShape changed = tools.front();
    changed.input_schema += std::string(static_cast<std::size_t>(i) + 1, ' ');
    fresh.push_back(made({changed}));
  }
  print("all tools, for the first time", first);
  print("all tools, known", all);
  print("five tools, known", again);
  print("one tool that has changed", fresh);
  return 0;
}
