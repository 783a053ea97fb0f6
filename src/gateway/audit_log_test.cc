#include "gateway/audit_log.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace glovebox::gateway {
namespace {

class AuditLogTest : public testing::Test {
 protected:
  AuditLogTest() {
    char name[] = "/tmp/glovebox-audit-XXXXXX";
    folder_ = ::mkdtemp(name);
    path_ = folder_ + "/audit.log";
  }
  ~AuditLogTest() override { std::filesystem::remove_all(folder_); }

  AuditLog open() {
    auto log = AuditLog::open(path_, [] { return std::int64_t{1'794'758'851'123}; });
    EXPECT_TRUE(log.ok());
    return std::move(log).value();
  }
  std::vector<std::string> lines() const {
    std::ifstream file(path_);
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);) all.push_back(line);
    return all;
  }
  void write(const std::vector<std::string>& all) const {
    std::ofstream file(path_, std::ios::trunc);
    for (const std::string& line : all) file << line << '\n';
  }

  std::string folder_;
  std::string path_;
};

TEST_F(AuditLogTest, EachRecordHangsOnTheOneBefore) {
  ::umask(0);
  {
    AuditLog log = open();
    ASSERT_TRUE(log.append(AuditEvent("run.started").text("code", "a\n\"b\"\r").number("n", 3)).ok());
    ASSERT_TRUE(log.append(AuditEvent("call").json("arguments", R"({"a":1})").milliseconds("ms", 1.5)).ok());
  }
  ASSERT_TRUE(open().append(AuditEvent("run.ended")).ok());
  const auto all = lines();
  ASSERT_EQ(all.size(), 3u);
  const auto first = boost::json::parse(all[0]);
  EXPECT_EQ(first.at("seq").as_int64(), 1);
  EXPECT_EQ(first.at("time").as_string(), "2026-11-15T16:07:31.123Z");
  EXPECT_EQ(first.at("code").as_string(), "a\n\"b\"\r");
  EXPECT_EQ(boost::json::parse(all[1]).at("prev"), first.at("hash"));
  EXPECT_EQ(boost::json::parse(all[2]).at("seq").as_int64(), 3);
  const auto report = verify_audit(path_).value();
  EXPECT_TRUE(report.intact);
  EXPECT_EQ(report.records, 3u);
  EXPECT_FALSE(report.torn);
  struct stat status {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(AuditLogTest, VerifyFindsTheFirstBrokenRecord) {
  {
    AuditLog log = open();
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(log.append(AuditEvent("x").number("i", i)).ok());
  }
  const auto whole = lines();
  const auto verdict = [&](const std::vector<std::string>& all) {
    write(all);
    return verify_audit(path_).value();
  };
  auto changed = whole;
  changed[4].replace(changed[4].find("\"i\":4"), 5, "\"i\":5");
  EXPECT_EQ(verdict(changed).broken_line, 5u);
  EXPECT_EQ(verdict(changed).reason, "it was changed");
  auto removed = whole;
  removed.erase(removed.begin() + 2);
  EXPECT_EQ(verdict(removed).broken_line, 3u);
  auto swapped = whole;
  std::swap(swapped[6], swapped[7]);
  EXPECT_EQ(verdict(swapped).broken_line, 7u);
  auto added = whole;
  added.insert(added.begin() + 1, whole[0]);
  EXPECT_EQ(verdict(added).broken_line, 2u);
  auto rubbish = whole;
  rubbish[9] = "{}";
  EXPECT_EQ(verdict(rubbish).broken_line, 10u);
  EXPECT_TRUE(verdict(whole).intact);
  // Every byte counts; a part of them is tried.
  std::string text;
  for (const std::string& line : whole) text += line + "\n";
  for (std::size_t i = 0; i < text.size(); i += 17) {
    std::string other = text;
    other[i] = other[i] == 'x' ? 'y' : 'x';
    std::ofstream(path_, std::ios::trunc) << other;
    const auto report = verify_audit(path_).value();
    ASSERT_TRUE(!report.intact || report.torn || report.records < 10) << i;
  }
  // Records after a broken one do not hide it.
  write(changed);
  ASSERT_TRUE(open().append(AuditEvent("later")).ok());
  EXPECT_EQ(verify_audit(path_).value().broken_line, 5u);
}

TEST_F(AuditLogTest, ATornLineIsTakenAwayAndSaidSo) {
  {
    AuditLog log = open();
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(log.append(AuditEvent("x").number("i", i)).ok());
  }
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 20);
  EXPECT_TRUE(verify_audit(path_).value().torn);
  { AuditLog log = open(); }
  const auto report = verify_audit(path_).value();
  EXPECT_TRUE(report.intact) << report.reason;
  EXPECT_FALSE(report.torn);
  EXPECT_EQ(report.records, 3u);
  EXPECT_NE(lines().back().find("\"event\":\"audit.repaired\""), std::string::npos);
}

TEST_F(AuditLogTest, ProcessesKeepOneChain) {
  constexpr int kProcesses = 4;
  constexpr int kRecords = 100;
  for (int process = 0; process < kProcesses; ++process) {
    if (::fork() != 0) continue;
    AuditLog log = open();
    int failed = 0;
    for (int i = 0; i < kRecords; ++i) failed += !log.append(AuditEvent("x").number("process", process)).ok();
    ::_exit(failed == 0 ? 0 : 1);
  }
  for (int process = 0; process < kProcesses; ++process) {
    int status = 0;
    ASSERT_GT(::wait(&status), 0);
    EXPECT_EQ(status, 0);
  }
  const auto report = verify_audit(path_).value();
  EXPECT_TRUE(report.intact) << report.reason << " " << report.broken_line;
  EXPECT_EQ(report.records, static_cast<std::uint64_t>(kProcesses * kRecords));
}

TEST_F(AuditLogTest, SaysThatItCannotBeWritten) {
  auto log = AuditLog::open("/dev/full", [] { return std::int64_t{0}; });
  EXPECT_FALSE(log.ok());
  EXPECT_EQ(verify_audit(folder_ + "/none").failure().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace glovebox::gateway
