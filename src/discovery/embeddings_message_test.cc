#include "discovery/embeddings_message.h"

#include <gtest/gtest.h>

namespace glovebox::discovery {
namespace {

TEST(EmbeddingsMessage, GoesToTheEndpoint) {
  EXPECT_EQ(endpoint_url("https://e.example/v1/embeddings"), "https://e.example/v1/embeddings");
  EXPECT_EQ(endpoint_url("https://e.example/v1"), "https://e.example/v1/embeddings");
  EXPECT_EQ(endpoint_url("https://e.example/v1/"), "https://e.example/v1/embeddings");
  EXPECT_EQ(endpoint_url("http://127.0.0.1:8080"), "http://127.0.0.1:8080/v1/embeddings");
  EXPECT_EQ(endpoint_url("https://e.example/x?api-version=1"), "https://e.example/x?api-version=1");
}

TEST(EmbeddingsMessage, SaysTextsAsTheyAre) {
  EXPECT_EQ(embeddings_request("m", {"a \"b\"\n", ""}, 0),
            R"({"model":"m","input":["a \"b\"\n"," "],"encoding_format":"float"})");
  EXPECT_EQ(embeddings_request("m", {"\xff"}, 8),
            R"({"model":"m","input":["�"],"encoding_format":"float","dimensions":8})");
}

TEST(EmbeddingsMessage, VectorsAreMadeToUnitLengthInTheOrderOfTheTexts) {
  const auto vectors =
      read_embeddings(R"({"data":[{"index":1,"embedding":[0,2]},{"index":0,"embedding":[3,-4.0]}],"usage":{}})", 2, 2);
  ASSERT_TRUE(vectors.ok()) << vectors.failure().message;
  EXPECT_EQ(vectors.value(), (Vectors{{0.6F, -0.8F}, {0, 1}}));
}

TEST(EmbeddingsMessage, LargeNumbersHaveADirectionToo) {
  const auto vectors = read_embeddings(R"({"data":[{"embedding":[3e150,4e150]}]})", 1, 0);
  ASSERT_TRUE(vectors.ok());
  EXPECT_EQ(vectors->front(), (std::vector<float>{0.6F, 0.8F}));
}

TEST(EmbeddingsMessage, RefusesWhatCannotBeUsed) {
  const struct {
    const char* body;
    std::size_t count;
    std::size_t dimensions;
    const char* says;
  } cases[] = {
      {"<html>", 1, 0, "cannot be used"},
      {"{}", 1, 0, "no \"data\""},
      {R"({"data":[]})", 1, 0, "0 vectors for 1 texts"},
      {R"({"data":[5]})", 1, 0, "no \"embedding\""},
      {R"({"data":[{"embedding":"AAAA"}]})", 1, 0, "no \"embedding\""},
      {R"({"data":[{"embedding":[]}]})", 1, 0, "0 dimensions"},
      {R"({"data":[{"embedding":[1,"2"]}]})", 1, 0, "not a number"},
      {R"({"data":[{"embedding":[0,0]}]})", 1, 0, "a vector is zero"},
      {R"({"data":[{"embedding":[1e300,1e300]}]})", 1, 0, "a vector is zero"},
      {R"({"data":[{"embedding":[1,2,3]}]})", 1, 2, "3 dimensions and not 2"},
      {R"({"data":[{"embedding":[1]},{"embedding":[1,2]}]})", 2, 0, "beside others"},
      {R"({"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]})", 2, 0, "two vectors"},
      {R"({"data":[{"index":7,"embedding":[1]}]})", 1, 0, "wrong \"index\""},
      {R"({"data":[{"index":-1,"embedding":[1]}]})", 1, 0, "wrong \"index\""},
      {R"({"data":[{"index":0.5,"embedding":[1]}]})", 1, 0, "wrong \"index\""},
  };
  for (const auto& item : cases) {
    const auto read = read_embeddings(item.body, item.count, item.dimensions);
    ASSERT_FALSE(read.ok()) << item.body;
    EXPECT_NE(read.failure().message.find(item.says), std::string::npos) << item.body << "\n" << read.failure().message;
  }
  std::string huge = R"({"data":[{"embedding":[1)";
  for (int i = 0; i < 5000; ++i) huge += ",1";
  EXPECT_FALSE(read_embeddings(huge + "]}]}", 1, 0).ok());
}

TEST(EmbeddingsMessage, ErrorsAreToldWithoutTheKey) {
  EXPECT_EQ(error_words(R"({"error":{"message":"Incorrect key s3cret, s3cret"}})", "s3cret"), "Incorrect key …, …");
  EXPECT_EQ(error_words(R"({"error":"no"})", ""), "no");
  EXPECT_EQ(error_words(R"({"message":"no"})", ""), "no");
  EXPECT_EQ(error_words("<html>", ""), "");
  EXPECT_LT(error_words(R"({"error":")" + std::string(10'000, 'x') + "\"}", "").size(), 300u);
}

}  // namespace
}  // namespace glovebox::discovery
