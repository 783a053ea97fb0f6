#include "gateway/audit/audit_log.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "base/digest.h"
#include "gateway/audit_check/audit_check.h"

namespace glovebox::gateway {
namespace {

using Kind = AuditProblem::Kind;

class AuditLogTest : public testing::Test {
 protected:
  AuditLogTest() : settings_{.path = path_, .key = key(), .clock = [] { return std::int64_t{1'794'758'851'123}; }} {}
  ~AuditLogTest() override { std::filesystem::remove_all(folder_); }

  AuditKey key(const std::string& name = "audit.key") const {
    return std::move(AuditKey::keep(folder_ + "/keys/" + name)).value();
  }
  AuditLog open() {
    auto log = AuditLog::open(settings_);
    EXPECT_TRUE(log.ok()) << (log ? "" : log.failure().message);
    return std::move(log).value();
  }
  // Like a gateway, with the head that the store has.
  void write_some(int count) {
    AuditLog log = open();
    for (int i = 0; i < count; ++i) ASSERT_TRUE(log.append(AuditEvent("x").number("i", i)).ok());
    settings_.known = log.head();
  }
  std::vector<std::string> lines(const std::string& suffix = "") const {
    std::ifstream file(path_ + suffix);
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);) all.push_back(line);
    return all;
  }
  void write(const std::vector<std::string>& all) const {
    std::ofstream file(path_, std::ios::trunc);
    for (const std::string& line : all) file << line << '\n';
  }
  AuditReport check(const std::string& kept = "") const {
    KnownRecords known{.head = settings_.known, .hashes = {}, .kept = kept};
    if (known.head) known.hashes[known.head->sequence] = known.head->hash;
    return check_audit(path_, &settings_.key, known).value();
  }
  Kind problem() const {
    const AuditReport report = check();
    EXPECT_TRUE(report.problem) << "it is intact";
    return report.problem ? report.problem->kind : Kind::kNoKey;
  }
  std::uint64_t broken_line() const {
    const AuditReport report = check();
    return report.problem ? report.problem->line : 0;
  }

  std::string folder_ = [] {
    char name[] = "/tmp/glovebox-audit-XXXXXX";
    return std::string(::mkdtemp(name));
  }();
  std::string path_ = folder_ + "/audit.log";
  AuditSettings settings_;
};

TEST_F(AuditLogTest, EachRecordHangsOnTheOneBefore) {
  ::umask(0);
  {
    AuditLog log = open();
    ASSERT_TRUE(log.append(AuditEvent("run.started").text("code", "a\n\"b\"\r").number("n", 3)).ok());
    ASSERT_TRUE(log.append(AuditEvent("call").json("arguments", R"({"a":1})").milliseconds("ms", 1.5)).ok());
  }
  {
    AuditLog log = open();
    ASSERT_TRUE(log.append(AuditEvent("run.ended")).ok());
    settings_.known = log.head();
  }
  const auto all = lines();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(boost::json::parse(all[0]).at("event").as_string(), "audit.began");
  const auto first = boost::json::parse(all[1]);
  EXPECT_EQ(first.at("seq").as_int64(), 2);
  EXPECT_EQ(first.at("time").as_string(), "2026-11-15T16:07:31.123Z");
  EXPECT_EQ(first.at("code").as_string(), "a\n\"b\"\r");
  EXPECT_EQ(boost::json::parse(all[2]).at("prev"), first.at("hmac"));
  EXPECT_EQ(boost::json::parse(all[3]).at("seq").as_int64(), 4);
  const auto report = check();
  EXPECT_TRUE(report.intact());
  EXPECT_EQ(report.records, 4u);
  EXPECT_EQ(report.unkeyed, 0u);
  EXPECT_FALSE(report.torn);
  struct stat status {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(AuditLogTest, TheFirstBrokenRecordIsFound) {
  write_some(9);
  const auto whole = lines();
  const auto line_of = [&](const std::vector<std::string>& all) {
    write(all);
    return broken_line();
  };
  auto changed = whole;
  changed[4].replace(changed[4].find("\"i\":3"), 5, "\"i\":5");
  EXPECT_EQ(line_of(changed), 5u);
  EXPECT_EQ(problem(), Kind::kChanged);
  auto removed = whole;
  removed.erase(removed.begin() + 2);
  EXPECT_EQ(line_of(removed), 3u);
  EXPECT_EQ(problem(), Kind::kMissing);
  auto swapped = whole;
  std::swap(swapped[6], swapped[7]);
  EXPECT_EQ(line_of(swapped), 7u);
  auto added = whole;
  added.insert(added.begin() + 1, whole[0]);
  EXPECT_EQ(line_of(added), 2u);
  auto rubbish = whole;
  rubbish[9] = "{}";
  EXPECT_EQ(line_of(rubbish), 10u);
  write(whole);
  EXPECT_TRUE(check().intact());
  // Every byte counts; a sample is tested.
  std::string text;
  for (const std::string& line : whole) text += line + "\n";
  for (std::size_t i = 0; i < text.size(); i += 17) {
    std::string other = text;
    other[i] = other[i] == 'x' ? 'y' : 'x';
    std::ofstream(path_, std::ios::trunc) << other;
    ASSERT_FALSE(check().intact()) << i;
  }
  // Records after a broken one do not hide it.
  write(changed);
  write_some(1);
  EXPECT_EQ(broken_line(), 5u);
}

// An attacker can write the log, but not read the key.
TEST_F(AuditLogTest, HashesThatAreComputedAnewDoNotHideAChange) {
  write_some(9);
  auto forged = lines();
  std::string previous = forged[3].substr(forged[3].size() - 66, 64);
  for (std::size_t i = 4; i < forged.size(); ++i) {
    std::string line = forged[i].substr(0, forged[i].size() - 75);
    line.replace(line.find("\"prev\":\"") + 8, 64, previous);
    if (i == 4) line.replace(line.find("\"i\":3"), 5, "\"i\":7");
    previous = base::sha256_hex(line);
    forged[i] = line + ",\"hmac\":\"" + previous + "\"}";
  }
  write(forged);
  EXPECT_EQ(problem(), Kind::kRecomputed);
  EXPECT_EQ(broken_line(), 5u);
  for (std::size_t i = 4; i < forged.size(); ++i) forged[i].replace(forged[i].size() - 73, 4, "hash");
  write(forged);
  EXPECT_EQ(problem(), Kind::kRecomputed);
  // A log without keyed records is not accepted as one of a former version if the store has a head.
  forged.clear();
  write(forged);
  std::ofstream(path_) << R"({"seq":1,"time":"","prev":")" + std::string(64, '0') + R"(","event":"x")";
  const std::string alone = R"({"seq":1,"time":"","prev":")" + std::string(64, '0') + R"(","event":"x")";
  write({alone + ",\"hash\":\"" + base::sha256_hex(alone) + "\"}"});
  EXPECT_EQ(problem(), Kind::kReplaced);
}

TEST_F(AuditLogTest, ALogThatWasCutEmptiedOrTakenAwayIsToldAsSuch) {
  write_some(9);
  const auto whole = lines();
  write({whole.begin(), whole.begin() + 4});
  EXPECT_EQ(problem(), Kind::kCut);
  EXPECT_EQ(check().problem->reason, "the end was cut off: records 5 to 10 are missing");
  write({});
  EXPECT_EQ(problem(), Kind::kEmptied);
  std::filesystem::remove(path_);
  EXPECT_EQ(problem(), Kind::kEmptied);
  // Later records do not close the gap.
  write({whole.begin(), whole.begin() + 4});
  write_some(2);
  EXPECT_EQ(problem(), Kind::kMissing);
  EXPECT_EQ(check().problem->reason, "records 5 to 10 are missing before it");
  write({});
  write_some(2);
  EXPECT_EQ(problem(), Kind::kEmptied);
}

TEST_F(AuditLogTest, ALogThatIsCutWhileAGatewayRunsShowsTheGap) {
  AuditLog log = open();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(log.append(AuditEvent("x")).ok());
  const auto whole = lines();
  write({whole.begin(), whole.begin() + 3});
  ASSERT_TRUE(log.append(AuditEvent("x")).ok());
  settings_.known = log.head();
  EXPECT_EQ(check().problem->reason, "records 4 to 6 are missing before it");
  write({});
  ASSERT_TRUE(log.append(AuditEvent("x")).ok());
  EXPECT_EQ(problem(), Kind::kEmptied);
}

TEST_F(AuditLogTest, TheLogOfAnotherWorkspaceIsToldAsSuch) {
  write_some(3);
  settings_.path = path_ = folder_ + "/other.log";
  settings_.known.reset();
  write_some(20);
  std::filesystem::copy_file(folder_ + "/audit.log", path_, std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(problem(), Kind::kReplaced);
  write_some(1);
  EXPECT_EQ(problem(), Kind::kReplaced);
  EXPECT_EQ(check().problem->file, "other.log.1");
}

TEST_F(AuditLogTest, AHeadThatTheOwnerKeptMustBeThere) {
  write_some(3);
  const std::string kept = settings_.known->hash;
  write_some(2);
  EXPECT_EQ(check(kept).since_kept, 2u);
  const auto report = check(std::string(64, 'a'));
  ASSERT_TRUE(report.problem);
  EXPECT_EQ(report.problem->kind, Kind::kCut);
}

TEST_F(AuditLogTest, WithoutStoreOrKeyNothingIsWellOrBroken) {
  write_some(3);
  EXPECT_EQ(check_audit(path_, &settings_.key, {}).value().problem->kind, Kind::kNotKnown);
  EXPECT_EQ(check_audit(path_, nullptr, {settings_.known}).value().problem->kind, Kind::kNoKey);
  const AuditKey other = key("other.key");
  EXPECT_EQ(check_audit(path_, &other, {settings_.known}).value().problem->kind, Kind::kChanged);
}

// A log of a former version: plain hashes, and no record that begins the file.
TEST_F(AuditLogTest, AnOldLogGoesOnWithKeys) {
  std::vector<std::string> old;
  std::string previous(64, '0');
  for (int i = 1; i <= 3; ++i) {
    const std::string line =
        "{\"seq\":" + std::to_string(i) + R"(,"time":"t","prev":")" + previous + R"(","event":"x")";
    previous = base::sha256_hex(line);
    old.push_back(line + ",\"hash\":\"" + previous + "\"}");
  }
  write(old);
  EXPECT_TRUE(check().intact());
  EXPECT_EQ(check().unkeyed, 3u);
  write_some(2);
  EXPECT_TRUE(check().intact());
  EXPECT_EQ(check().unkeyed, 3u);
  EXPECT_EQ(check().records, 6u);
  // Keyed records also protect the unkeyed ones before them.
  std::ofstream(path_ + ".1", std::ios::trunc) << old[0] << '\n';
  EXPECT_FALSE(check().intact());
}

TEST_F(AuditLogTest, AFullFileIsPutAsideAndTheChainGoesOn) {
  settings_.options.file_bytes = 2000;
  write_some(40);
  const auto files = old_audit_files(path_);
  ASSERT_GT(files.size(), 3u);
  EXPECT_LT(std::filesystem::file_size(path_), 2500u);
  EXPECT_TRUE(check().intact()) << check().problem->reason;
  EXPECT_EQ(check().records, settings_.known->sequence);
  // A crash may come before the first record of the next file.
  std::filesystem::rename(path_, path_ + "." + std::to_string(files.back().number + 1));
  write_some(1);
  EXPECT_TRUE(check().intact()) << check().problem->reason;
  const std::string away = folder_ + "/away";
  std::filesystem::rename(files[1].path, away);
  EXPECT_EQ(problem(), Kind::kMissing);
  std::filesystem::rename(away, files[1].path);
  std::filesystem::rename(files[0].path, away);
  EXPECT_EQ(problem(), Kind::kEmptied);
}

TEST_F(AuditLogTest, OldFilesAreDroppedOnTheRecord) {
  settings_.options.file_bytes = 2000;
  settings_.options.keep_files = 2;
  write_some(60);
  EXPECT_EQ(old_audit_files(path_).size(), 2u);
  EXPECT_TRUE(check().intact()) << check().problem->reason;
  std::filesystem::remove(old_audit_files(path_).front().path);
  EXPECT_EQ(problem(), Kind::kEmptied);
}

TEST_F(AuditLogTest, ATextIsNewOncePerFile) {
  settings_.options.file_bytes = 2000;
  AuditLog log = open();
  EXPECT_TRUE(log.is_new("a"));
  EXPECT_FALSE(log.is_new("a"));
  while (old_audit_files(path_).empty()) ASSERT_TRUE(log.append(AuditEvent("x")).ok());
  EXPECT_TRUE(log.is_new("a"));
}

TEST_F(AuditLogTest, ATornLineIsTakenAwayAndSaidSo) {
  write_some(3);
  settings_.known.reset();
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 20);
  EXPECT_TRUE(check().torn);
  settings_.known = open().head();
  const auto report = check();
  EXPECT_TRUE(report.intact()) << report.problem->reason;
  EXPECT_FALSE(report.torn);
  EXPECT_EQ(report.records, 4u);
  EXPECT_NE(lines().back().find("\"event\":\"audit.repaired\""), std::string::npos);
}

TEST_F(AuditLogTest, ProcessesKeepOneChain) {
  constexpr int kProcesses = 4;
  constexpr int kRecords = 100;
  settings_.options.file_bytes = 10'000;
  write_some(1);
  for (int process = 0; process < kProcesses; ++process) {
    if (::fork() != 0) continue;
    AuditLog log = open();
    int failed = 0;
    for (int i = 0; i < kRecords; ++i) failed += !log.append(AuditEvent("x").number("process", process)).ok();
    ::_exit(failed);
  }
  for (int process = 0; process < kProcesses; ++process) {
    int status = 0;
    ASSERT_GT(::wait(&status), 0);
    EXPECT_EQ(status, 0);
  }
  const auto report = check();
  EXPECT_TRUE(report.intact()) << report.problem->reason << " " << report.problem->line;
  EXPECT_EQ(report.records, 2u + kProcesses * kRecords + old_audit_files(path_).size());
}

TEST_F(AuditLogTest, SaysThatItCannotBeWritten) {
  settings_.path = "/proc/audit.log";
  EXPECT_FALSE(AuditLog::open(settings_).ok());
  EXPECT_EQ(check_audit(folder_ + "/none", &settings_.key, {}).failure().code, ErrorCode::kNotFound);
}

TEST_F(AuditLogTest, WhatMayWaitIsWrittenWithTheNextRecordInOrder) {
  AuditLog log = open();
  EXPECT_TRUE(log.append_soon(AuditEvent("first")).value());
  EXPECT_FALSE(log.append_soon(AuditEvent("second")).value()) << "somebody sees to it already";
  EXPECT_EQ(lines().size(), 1u);
  ASSERT_TRUE(log.append(AuditEvent("third")).ok());
  ASSERT_EQ(lines().size(), 4u);
  EXPECT_NE(lines()[1].find("\"first\""), std::string::npos);
  EXPECT_NE(lines()[3].find("\"third\""), std::string::npos);
  EXPECT_TRUE(log.append_soon(AuditEvent("fourth")).value());
  ASSERT_TRUE(log.write_waiting().ok());
  ASSERT_TRUE(log.write_waiting().ok());
  EXPECT_EQ(lines().size(), 5u);
  settings_.known = log.head();
  EXPECT_TRUE(check().intact());
}

TEST_F(AuditLogTest, WhatNeverCameToBeWrittenLeavesAWholeLog) {
  {
    AuditLog log = open();
    ASSERT_TRUE(log.append(AuditEvent("call.begun")).ok());
    settings_.known = log.head();
    EXPECT_TRUE(log.append_soon(AuditEvent("call.ended")).value());
  }
  EXPECT_TRUE(check().intact());
  EXPECT_EQ(lines().size(), 2u);
  write_some(1);
  EXPECT_TRUE(check().intact());
}

TEST_F(AuditLogTest, NothingWaitsWhereEverythingIsSynced) {
  settings_.options.sync_all = true;
  AuditLog log = open();
  EXPECT_FALSE(log.append_soon(AuditEvent("x")).value());
  EXPECT_EQ(lines().size(), 2u);
}

TEST_F(AuditLogTest, ARecordThatCouldNotBeWrittenIsNotWrittenLater) {
  AuditLog log = open();
  EXPECT_TRUE(log.append_soon(AuditEvent("call.ended")).value());
  std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  EXPECT_FALSE(log.append(AuditEvent("call.begun")).ok());
  std::filesystem::remove(path_);
  ASSERT_TRUE(log.append(AuditEvent("run.ended")).ok());
  std::string all;
  for (const std::string& line : lines()) all += line;
  EXPECT_NE(all.find("call.ended"), std::string::npos);
  EXPECT_EQ(all.find("call.begun"), std::string::npos);
}

TEST_F(AuditLogTest, AKeyIsTheOwnersAlone) {
  const std::string path = folder_ + "/fresh/state/audit.key";
  ::umask(0);
  ASSERT_TRUE(AuditKey::keep(path).ok());
  EXPECT_EQ(AuditKey::keep(path).value().mac("x"), AuditKey::read(path).value().mac("x"));
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  ASSERT_EQ(::stat((folder_ + "/fresh/state").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  EXPECT_FALSE(AuditKey::keep(path).ok());
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  ASSERT_EQ(::chmod((folder_ + "/fresh/state").c_str(), 0777), 0);
  EXPECT_FALSE(AuditKey::keep(path).ok());
  ASSERT_EQ(::chmod((folder_ + "/fresh/state").c_str(), 0700), 0);
  std::filesystem::rename(path, folder_ + "/elsewhere");
  std::filesystem::create_symlink(folder_ + "/elsewhere", path);
  EXPECT_FALSE(AuditKey::keep(path).ok());
  std::filesystem::remove(path);
  std::ofstream(path) << "short";
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  EXPECT_FALSE(AuditKey::keep(path).ok());
  EXPECT_FALSE(AuditKey::keep("").ok());
}

}  // namespace
}  // namespace glovebox::gateway
