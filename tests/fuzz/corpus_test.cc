// Runs every fuzz target over its kept corpus, and over every cut of each file, without a fuzzer.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>

#include "base/source_folder.h"

// clang-format off
#define ALL_TARGETS(TARGET)                                                                   \
  TARGET(answers) TARGET(audit_line) TARGET(capability) TARGET(card) TARGET(config)           \
  TARGET(embeddings) TARGET(frames) TARGET(history) TARGET(json_members) TARGET(json_text)    \
  TARGET(log_text) TARGET(mcp_events) TARGET(mcp_http) TARGET(mcp_message) TARGET(mcp_schema) \
  TARGET(net_names) TARGET(privacy) TARGET(sandbox_config) TARGET(search_text)                \
  TARGET(skill_words) TARGET(state_row) TARGET(tool_call) TARGET(tool_rules)                  \
  TARGET(type_parts) TARGET(types)
// clang-format on

#define DECLARE(name) extern "C" int fuzz_##name##_input(const std::uint8_t* data, std::size_t size);
ALL_TARGETS(DECLARE)

namespace {

using Target = int (*)(const std::uint8_t*, std::size_t);

const std::map<std::string, Target>& targets() {
#define ROW(name) {#name, fuzz_##name##_input},
  static const std::map<std::string, Target> all{ALL_TARGETS(ROW)};
  return all;
}

void feed(Target target, const std::string& bytes) {
  // An allocation of exactly this size, so that a sanitizer sees one byte too many.
  const auto exact = std::make_unique<std::uint8_t[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), exact.get());
  EXPECT_EQ(target(exact.get(), bytes.size()), 0);
}

class Corpus : public testing::TestWithParam<std::string> {};

TEST_P(Corpus, HoldsItsProperties) {
  const Target target = targets().at(GetParam());
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(glovebox::base::source_folder() + "/tests/fuzz/corpus/" + GetParam())) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    feed(target, bytes);
    for (std::size_t length = 0; length < bytes.size() && length < 300; ++length) feed(target, bytes.substr(0, length));
    ++files;
  }
  EXPECT_GT(files, 0) << "no corpus";
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& [name, target] : targets()) all.push_back(name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Of, Corpus, testing::ValuesIn(names()), [](const auto& info) { return info.param; });

TEST(Corpora, AreAllReplayed) {
  for (const auto& entry :
       std::filesystem::directory_iterator(glovebox::base::source_folder() + "/tests/fuzz/corpus")) {
    EXPECT_TRUE(targets().contains(entry.path().filename())) << entry.path() << " is missing from ALL_TARGETS";
  }
}

}  // namespace
