#include "observe/meters.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include "base/source_folder.h"

namespace glovebox::observe {
namespace {

namespace json = boost::json;

const std::string kContrib = base::source_folder() + "/contrib/";

struct Said {
  int code = -1;
  std::string text;
};
Said run(const std::string& command, const std::string& input = "") {
  const std::string path = ::testing::TempDir() + "promtool-" + std::to_string(::getpid());
  std::ofstream(path) << input;
  Said said;
  std::FILE* pipe = ::popen((command + " <" + path + " 2>&1").c_str(), "r");
  char buffer[4096];
  while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe)) said.text.append(buffer, size);
  said.code = WEXITSTATUS(::pclose(pipe));
  ::unlink(path.c_str());
  return said;
}

bool has_promtool() {
  return run("promtool --version").code == 0;
}

std::string whole(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A gateway in use, with hostile names as labels.
void use(Meters& meters) {
  meters.executions.add({"ts", "finished"});
  meters.execution_ms.observe(12.5, {"ts"});
  meters.execution_errors.add({"RuntimeError"});
  meters.blocked_attempts.add({"fs.read"});
  meters.sandbox_startup_ms.observe(0.4);
  meters.tool_calls.add({"a\"b\\c\nd", "ok"});
  meters.tool_call_ms.observe(1e9, {"é"});
  meters.rate_limited.add({"shop"});
  meters.cache_hits.add({"tool"});
  meters.server_up.set(1, {"shop"});
  meters.pool_size.set(4, {"ts"});
  meters.runs_live.set(1);
  update_process_figures(meters);
}

// Every name in an expression that is no function, label or number of PromQL.
std::set<std::string> names_in(const std::string& expression) {
  static const std::set<std::string> words = {"sum",  "by",   "rate",        "le",     "histogram_quantile",
                                              "and",  "type", "op",          "server", "outcome",
                                              "kind", "job",  "label_values"};
  std::set<std::string> names;
  std::string name;
  bool quoted = false;
  bool bracketed = false;
  for (const char c : expression + " ") {
    if (c == '"') quoted = !quoted;
    if (c == '[') bracketed = true;
    if (c == ']') bracketed = false;
    const bool part = !quoted && !bracketed && (std::isalnum(static_cast<unsigned char>(c)) || c == '_');
    if (part) {
      name += c;
      continue;
    }
    if (!name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) && !words.contains(name))
      names.insert(name);
    name.clear();
  }
  return names;
}

bool is_exported(const Meters& meters, std::string name) {
  const auto names = meters.names();
  const auto known = [&](const std::string& one) { return std::find(names.begin(), names.end(), one) != names.end(); };
  if (known(name)) return true;
  for (const std::string suffix : {"_bucket", "_sum", "_count"})
    if (name.ends_with(suffix) && known(name.substr(0, name.size() - suffix.size()))) return true;
  return false;
}

TEST(Meters, HaveTheNamesThatWerePromised) {
  const Meters meters;
  for (const char* name :
       {"code_execution_total", "code_execution_duration_ms", "code_execution_errors_total", "sandbox_startup_ms",
        "sandbox_memory_mb", "tools_injected_count", "tool_discovery_ms", "checkpoint_save_ms"}) {
    EXPECT_TRUE(is_exported(meters, name)) << name;
  }
  const auto names = meters.names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST(Meters, ProcessFiguresAreRead) {
  Meters meters;
  update_process_figures(meters);
  EXPECT_GT(meters.process_resident_bytes.value(), 1 << 20);
  EXPECT_GE(meters.process_open_fds.value(), 3);
  EXPECT_GE(meters.process_threads.value(), 1);
  EXPECT_GT(meters.process_start_seconds.value(), 1.6e9);
}

// Prometheus' own checker. Its remarks on names concern units of milliseconds and megabytes, which are part of the
// contract.
TEST(Meters, PassPromtool) {
  if (!has_promtool()) GTEST_SKIP() << "promtool is not installed";
  Meters meters;
  EXPECT_LE(run("promtool check metrics", meters.text()).code, 3);
  use(meters);
  const Said said = run("promtool check metrics", meters.text());
  std::istringstream lines(said.text);
  for (std::string line; std::getline(lines, line);) {
    const bool about_units = line.ends_with("metric names should not contain abbreviated units");
    const std::string name = line.substr(0, line.find(' '));
    EXPECT_TRUE(about_units && (name.ends_with("_ms") || name.ends_with("_mb"))) << line;
  }
  EXPECT_TRUE(said.code == 0 || said.code == 3) << said.text;  // 3: remarks on names; 1: it cannot be parsed
  EXPECT_EQ(run("promtool check metrics", meters.text() + "broken{ 1\n").code, 1);
}

TEST(Meters, AlertsUseNamesThatAreThere) {
  const Meters meters;
  std::istringstream lines(whole(kContrib + "alerts.yml"));
  std::size_t rules = 0;
  std::string expression;
  bool folded = false;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("expr: ");
    if (at != std::string::npos) {
      expression = line.substr(at + 6);
      folded = expression == ">";
      ++rules;
    } else if (folded && line.find(": ") != std::string::npos) {
      folded = false;
      expression.clear();
    } else if (folded) {
      expression = line;
    } else {
      continue;
    }
    for (const std::string& name : names_in(expression)) EXPECT_TRUE(is_exported(meters, name)) << name;
  }
  EXPECT_GE(rules, 10u);
  if (has_promtool()) {
    const Said said = run("promtool check rules " + kContrib + "alerts.yml");
    EXPECT_EQ(said.code, 0) << said.text;
  }
}

TEST(Meters, DashboardUsesNamesThatAreThere) {
  const Meters meters;
  const json::value board = json::parse(whole(kContrib + "grafana-dashboard.json"));
  std::set<std::string> used;
  for (const json::value& panel : board.at("panels").as_array()) {
    for (const json::value& target : panel.at("targets").as_array()) {
      for (const std::string& name : names_in(std::string(target.at("expr").as_string()))) {
        EXPECT_TRUE(is_exported(meters, name)) << name << " in " << panel.at("title");
        used.insert(name);
      }
    }
  }
  EXPECT_GE(used.size(), 20u);
  EXPECT_FALSE(is_exported(meters, "code_execution_totals"));
}

}  // namespace
}  // namespace glovebox::observe
