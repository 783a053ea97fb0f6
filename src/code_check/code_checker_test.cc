#include "code_check/code_checker.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace glovebox::code_check {
namespace {

class CodeCheckerTest : public testing::Test {
 protected:
  // What is said about a program that calls a tool of a server that does not exist.
  std::vector<Diagnostic> check() {
    CodeCheckerOptions options;
    options.read_python = [this](const std::string&, std::function<void(Result<WrittenCalls>)> done) {
      WrittenCalls written;
      written.calls.push_back({"nope", "read", {1, 5}, {1, 9}, {1, 10}, {1, 14}, nullptr});
      boost::asio::post(loop_, [done, written] { done(written); });
    };
    options.has_remote = [] { return false; };
    options.drop_known = drop_known_;
    options.nearest = [](const auto&, const auto&, const auto& done) { done({}); };
    const auto catalog = catalog::Catalog::create(loop_.get_executor(), {});
    const auto checker = std::make_shared<CodeChecker>(loop_.get_executor(), catalog, nullptr, std::move(options));
    std::optional<gateway::CodeReport> report;
    checker->check({"mcp.nope.read()", Language::kPython, "ann"},
                   [&](gateway::CodeReport made) { report = std::move(made); });
    while (!report) loop_.run_one();
    EXPECT_EQ(report->note, "");
    return report->diagnostics;
  }

  boost::asio::io_context loop_;
  std::function<void(std::vector<Diagnostic>&)> drop_known_ = [](std::vector<Diagnostic>&) {};
};

TEST_F(CodeCheckerTest, SaysWhatToWriteInstead) {
  const auto found = check();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message.find("there is no server 'nope'"), 0u) << found[0].message;
}

TEST_F(CodeCheckerTest, DoesNotBlameNamesThatAreKnownElsewhere) {
  drop_known_ = [](std::vector<Diagnostic>& found) {
    std::erase_if(found, [](const Diagnostic& one) { return one.message.find("'nope'") != std::string::npos; });
  };
  EXPECT_TRUE(check().empty());
}

}  // namespace
}  // namespace glovebox::code_check
