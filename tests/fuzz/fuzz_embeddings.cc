// Answers of an embeddings endpoint: unit vectors of one length, as many as there are texts, or nothing.
#include <cmath>
#include <cstdint>
#include <string_view>

#include "discovery/embeddings_message.h"
#include "expect.h"

namespace fuzz_embeddings {

FUZZ_TARGET(embeddings) {
  using namespace glovebox::discovery;
  if (size == 0) return 0;
  const std::size_t count = data[0] % 4 + 1;
  const std::size_t dimensions = data[0] / 4 % 4;
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (const auto vectors = read_embeddings(body, count, dimensions)) {
    FUZZ_EXPECT(vectors->size() == count);
    for (const auto& vector : *vectors) {
      FUZZ_EXPECT(!vector.empty() && vector.size() == vectors->front().size());
      FUZZ_EXPECT(dimensions == 0 || vector.size() == dimensions);
      double squares = 0;
      for (const float number : vector) squares += double{number} * number;
      FUZZ_EXPECT(std::abs(squares - 1) < 1e-3);
    }
  }
  const std::string words = error_words(body, "secret");
  FUZZ_EXPECT(words.size() < 300 && words.find("secret") == std::string::npos);
  return 0;
}

}  // namespace fuzz_embeddings
