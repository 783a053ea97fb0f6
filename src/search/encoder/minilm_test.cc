#include "search/encoder/minilm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/sanitized.h"
#include "base/source_folder.h"
#include "search/encoder/wordpiece.h"
#include "search/weights/reference_minilm.h"

namespace glovebox::search {
namespace {

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * b[i];
  return sum;
}

TEST(MiniLm, TextsThatMeanTheSameLieCloser) {
  const auto encoder = open_minilm(tools_minilm());
  ASSERT_TRUE(encoder) << encoder.failure().message;
  const std::vector<std::string> texts = {"Find some electropop songs from 2019", "search for electronic pop music",
                                          "install a kernel module"};
  const auto vectors = (*encoder)->embed(texts);
  ASSERT_TRUE(vectors);
  ASSERT_EQ(vectors->size(), 3u);
  for (const auto& vector : *vectors) EXPECT_NEAR(cosine(vector, vector), 1, 1e-5);
  EXPECT_GT(cosine((*vectors)[0], (*vectors)[1]), 0.5);
  EXPECT_LT(cosine((*vectors)[0], (*vectors)[2]), 0.2);
}

// The other texts of a batch must not affect a vector, and texts that fill several batches stay in order.
TEST(MiniLm, AVectorDependsOnItsTextAlone) {
  const auto encoder = open_minilm(tools_minilm());
  ASSERT_TRUE(encoder) << encoder.failure().message;
  std::vector<std::string> texts;
  for (int i = 0; i < 7; ++i) texts.push_back("text " + std::string(static_cast<std::size_t>(60 * i), 'a' + i));
  for (int i = 0; i < 40; ++i) texts.push_back("A sentence with the number " + std::to_string(i) + " within it.");
  const auto together = (*encoder)->embed(texts);
  ASSERT_TRUE(together);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto alone = (*encoder)->embed_one(texts[i]);
    ASSERT_TRUE(alone);
    EXPECT_EQ((*together)[i], *alone) << texts[i];
  }
}

TEST(MiniLm, AnyBytesAreAText) {
  const auto encoder = open_minilm(tools_minilm());
  ASSERT_TRUE(encoder) << encoder.failure().message;
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  std::string many;
  for (int i = 0; i < 5000; ++i) many += all;
  for (const std::string& text : {std::string(), all, many, std::string(1 << 20, 'a'), std::string(100000, '!')}) {
    const auto vector = (*encoder)->embed_one(text);
    ASSERT_TRUE(vector);
    EXPECT_NEAR(cosine(*vector, *vector), 1, 1e-5);
  }
}

TEST(MiniLm, AllKernelsAgree) {
  const auto portable = open_minilm(tools_minilm(), kPortableKernels);
  ASSERT_TRUE(portable) << portable.failure().message;
  for (const Kernels* kernels : {&kAvx2Kernels, &kAvx512Kernels}) {
    if (!is_usable(*kernels)) continue;
    const auto other = open_minilm(tools_minilm(), *kernels);
    ASSERT_TRUE(other);
    for (const char* text : {"weather", "Read the file and send what is in it to everybody who asked for it."})
      EXPECT_GT(cosine(*(*portable)->embed_one(text), *(*other)->embed_one(text)), 0.9985) << kernels->name;
  }
}

// Odd texts as well as ordinary ones: large values in one of them must not reduce the precision of the rest.
std::vector<std::string> reference_texts() {
  return {"weather", "github - create issue: Creates an issue in a repository. Parameters: owner, title",
          "{\"id\": 12, \"url\": \"https://example.org/a?b=c\"} \xe6\x97\xa5\xe6\x9c\xac"};
}

double least_cosine(const MiniLmFiles& files, const std::string& reference_weights) {
  const auto encoder = open_minilm(files);
  const auto tokenizer = WordPiece::open(files.tokenizer, 30522);
  EXPECT_TRUE(encoder && tokenizer);
  const ReferenceMiniLm reference(reference_weights);
  double least = 1;
  for (const std::string& text : reference_texts()) {
    const std::vector<double> wanted = reference.embed(tokenizer->tokens(text, kMostTokens));
    const std::vector<float> ours = *(*encoder)->embed_one(text);
    double cosine = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) cosine += ours[i] * wanted[i];
    least = std::min(least, cosine);
  }
  return least;
}

TEST(MiniLm, AgreesWithDoublePrecision) {
  if (base::is_sanitized()) GTEST_SKIP() << "the reference is plain loops: minutes with sanitizers";
  EXPECT_GT(least_cosine(tools_minilm(), tools_minilm().weights), 0.999);
}

// The loss from quantising our weights to bytes.
TEST(MiniLm, OurWeightsAreThoseThatWereTrained) {
  if (base::is_sanitized()) GTEST_SKIP() << "the reference is plain loops: minutes with sanitizers";
  const std::string trained = base::source_folder() + "/../shared/model/model/model.fp16.safetensors";
  if (!std::filesystem::exists(trained)) GTEST_SKIP() << "there is no " << trained;
  EXPECT_GT(least_cosine(tools_minilm(), trained), 0.999);
}

TEST(MiniLm, MissingOrOtherWeightsAreRefused) {
  MiniLmFiles files = tools_minilm();
  files.weights = "/nonexistent";
  EXPECT_EQ(open_minilm(files).failure().code, ErrorCode::kNotFound);
  files.weights = base_minilm().weights;
  const auto other = open_minilm(files);
  ASSERT_FALSE(other);
  EXPECT_NE(other.failure().message.find("not the file that this program was made with"), std::string::npos);
}

TEST(MiniLm, EachModelHasItsName) {
  EXPECT_NE((*open_minilm(tools_minilm()))->model(), (*open_minilm(base_minilm()))->model());
}

TEST(WordPiece, CutsAsBertDoes) {
  const auto tokenizer = WordPiece::open(tools_minilm().tokenizer, 30522);
  ASSERT_TRUE(tokenizer) << tokenizer.failure().message;
  const auto tokens = [&](const char* text) { return tokenizer->tokens(text, 256); };
  using Ids = std::vector<std::uint32_t>;
  EXPECT_EQ(tokens("Hello, World!"), (Ids{101, 7592, 1010, 2088, 999, 102}));
  EXPECT_EQ(tokens("embeddings"), (Ids{101, 7861, 8270, 4667, 2015, 102}));
  EXPECT_EQ(tokens("CAFÉ"), tokens("cafe"));
  EXPECT_EQ(tokens("a\u200b\x01"
                   "b"),
            tokens("ab"));
  EXPECT_EQ(tokens("日本"), tokens("日 本"));
  EXPECT_EQ(tokens(std::string(101, 'x').c_str()), (Ids{101, 100, 102}));
  EXPECT_EQ(tokens(""), (Ids{101, 102}));
  const Ids cut = tokenizer->tokens("one two three four five six", 5);
  EXPECT_EQ(cut.size(), 5u);
  EXPECT_EQ(cut.back(), 102u);
}

TEST(WordPiece, RefusesWhatIsNoTokenizer) {
  EXPECT_FALSE(WordPiece::open(base::source_folder() + "/package.json", 30522));
  EXPECT_FALSE(WordPiece::open(tools_minilm().tokenizer, 1000));
}

}  // namespace
}  // namespace glovebox::search
