#include "search_cold.h"

#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <unordered_map>

#include "discovery/local_embedder.h"
#include "discovery/tool_finder.h"
#include "percentile.h"
#include "search/encoder/minilm.h"
#include "search/evaluation.h"
#include "search_data.h"
#include "store/store.h"

namespace glovebox::bench {
namespace {

namespace fs = std::filesystem;
using catalog::Tool;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenSearches{100};

// As a server's listing would leave them.
class ListedTools final : public catalog::Catalog {
 public:
  void add(Tool tool) {
    places_.emplace(tool.server + "." + tool.name, tools_.size());
    tools_.push_back(std::move(tool));
  }

  std::vector<Tool> known_tools() const override { return tools_; }
  std::optional<Tool> known(std::string_view server, std::string_view name) const override {
    const auto place = places_.find(std::string(server) + "." + std::string(name));
    return place == places_.end() ? std::nullopt : std::optional(tools_[place->second]);
  }

  void set_servers(std::vector<catalog::ServerSpec>) override {}
  std::vector<std::string> servers() const override { return {}; }
  std::string resolve_server(std::string_view written) const override { return std::string(written); }
  std::vector<catalog::ServerHealth> health() const override { return {}; }
  void list_tools(std::string, std::function<void(Result<std::vector<Tool>, catalog::CallFailure>)>) override {}
  void find(const std::string&, const std::string&, Found) override {}
  std::optional<catalog::CallFailure> why_not(const Tool&, const std::string&) override { return std::nullopt; }
  using Catalog::call;
  std::function<void()> call(catalog::PermittedCall, catalog::CallOptions, Called) override { return {}; }
  std::string diff(const std::string&, const std::string&) const override { return ""; }
  Result<void> approve(const std::string&, const std::string&, const std::string&) override { return {}; }
  void list_offers(const std::string&, Offer,
                   std::function<void(Result<std::vector<std::string>, catalog::CallFailure>)>) override {}
  void retry(const std::string&) override {}
  void close() override {}

 private:
  std::vector<Tool> tools_;
  std::unordered_map<std::string, std::size_t> places_;
};

struct Cold {
  std::shared_ptr<ListedTools> catalog = std::make_shared<ListedTools>();
  std::vector<std::string> queries;
};

// The tools of all sets, and the same again under other names until there are enough.
Cold read_cold(const std::string& folder, std::size_t count) {
  Cold cold;
  std::vector<boost::json::object> tools;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string set = entry.path().string();
    if (!fs::exists(set + "/tools.jsonl")) continue;
    const auto labelled = must(search::parse_tools(whole(set + "/tools.jsonl"), set));
    for (const auto& query : must(search::parse_queries(whole(set + "/queries.jsonl"), set, labelled, "")))
      if (cold.queries.size() < 5000) cold.queries.push_back(query.text);
    std::istringstream lines(whole(set + "/tools.jsonl"));
    for (std::string line; std::getline(lines, line);)
      if (!line.empty()) tools.push_back(boost::json::parse(line).as_object());
  }
  for (std::size_t i = 0; i < count && !tools.empty(); ++i) {
    const boost::json::object& one = tools[i % tools.size()];
    const auto text = [&](const char* key) {
      const boost::json::value* value = one.if_contains(key);
      return value && value->is_string() ? std::string(value->get_string()) : std::string();
    };
    Tool tool;
    tool.server = text("server") + std::to_string(i / tools.size());
    tool.name = text("name") + "_" + std::to_string(i);
    tool.description = text("description");
    if (const auto* schema = one.if_contains("inputSchema")) tool.input_schema = boost::json::serialize(*schema);
    tool.hash = "sha256-" + std::to_string(i);
    cold.catalog->add(std::move(tool));
  }
  return cold;
}

double process_cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void print_row(const char* name, const std::vector<double>& ms) {
  std::printf("| %s | %zu | %.1f | %.1f | %.1f |\n", name, ms.size(), percentile(ms, 0.50), percentile(ms, 0.95),
              percentile(ms, 1.0));
}

}  // namespace

int measure_cold(const std::string& folder, std::size_t count) {
  const Cold cold = read_cold(folder, count);
  char root[] = "/tmp/glovebox-cold-XXXXXX";
  if (!::mkdtemp(root)) return 1;
  auto store = must(store::Store::open(std::string(root) + "/.glovebox", store::RowKey{}));
  boost::asio::io_context loop;
  discovery::FinderOptions options;
  options.embedders.push_back(discovery::make_local_embedder(
      loop.get_executor(), [] { return search::open_minilm(search::tools_minilm()); }, true));
  auto finder = discovery::ToolFinder::create(loop.get_executor(), cold.catalog, *store, std::move(options));

  std::vector<double> wall, cpu;
  const auto begin = Clock::now();
  const double cpu_begin = process_cpu_seconds();
  boost::asio::steady_timer pause(loop);
  std::size_t next = 0;
  double first = 0;
  std::function<void()> search = [&] {
    const auto asked = Clock::now();
    const double cpu_asked = cpu_ms();
    finder->search({.intent = cold.queries[next++ * 37 % cold.queries.size()]},
                   [&, asked, cpu_asked](const auto& found) {
                     const double took = std::chrono::duration<double, std::milli>(Clock::now() - asked).count();
                     if (next == 1) {
                       first = took;
                     } else {
                       wall.push_back(took);
                       cpu.push_back(cpu_ms() - cpu_asked);
                     }
                     if (found.waiting == 0) return loop.stop();
                     pause.expires_after(kBetweenSearches);
                     pause.async_wait([&](const boost::system::error_code& error) {
                       if (!error) search();
                     });
                   });
  };
  search();
  loop.run();
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::printf("%zu tools embedded for the first time: %.1f s by the clock, %.1f s of CPU time in all threads\n", count,
              seconds, process_cpu_seconds() - cpu_begin);
  std::printf("the first search, which indexes all tools: %.0f ms\n\n", first);
  std::printf("| searches meanwhile | number | p50 ms | p95 ms | longest ms |\n|---|---|---|---|---|\n");
  print_row("by the clock", wall);
  print_row("CPU time of the gateway's thread", cpu);
  finder.reset();
  store.reset();
  fs::remove_all(root);
  return 0;
}

}  // namespace glovebox::bench
