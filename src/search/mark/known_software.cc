#include "search/mark/known_software.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include "search/encoder/minilm_weights.h"
#include "search/kernels/int8_matrix.h"

namespace glovebox::search {
namespace {

// A vector per line, a hexadecimal digit per number: steps between -7.5 and 7.5. Cosines are off by 0.004 on average.
constexpr auto kTable = std::to_array<std::string_view>({
#include "search/mark/known_software.inc"
});
constexpr float kStep = 0.018F;
constexpr std::string_view kDigits = "0123456789abcdef";

Int8Matrix read_table() {
  Int8Matrix table(kMiniLmSize);
  table.resize(kTable.size());
  for (std::size_t row = 0; row < kTable.size(); ++row) {
    std::vector<float> vector;
    float squares = 0;
    for (const char digit : kTable[row]) {
      vector.push_back((static_cast<float>(kDigits.find(digit)) - 7.5F) * kStep);
      squares += vector.back() * vector.back();
    }
    for (float& value : vector) value /= std::sqrt(squares);
    table.set_row(row, vector);
  }
  return table;
}

const Int8Matrix& table() {
  static const Int8Matrix made = read_table();
  return made;
}

}  // namespace

std::vector<KnownSoftware> known_software(std::span<const std::vector<float>> texts) {
  std::vector<float> rows;
  for (const std::vector<float>& vector : texts) {
    if (vector.size() != kMiniLmSize) return {};
    rows.insert(rows.end(), vector.begin(), vector.end());
  }
  const std::size_t width = table().padded_rows();
  Int8Matrix::Scratch scratch;
  std::vector<float> cosines(texts.size() * width);
  table().multiply(rows.data(), texts.size(), cosines.data(), scratch, best_kernels());
  std::vector<KnownSoftware> nearest;
  for (std::size_t text = 0; text < texts.size(); ++text) {
    const float* first = cosines.data() + text * width;
    const float* best = std::max_element(first, first + kTable.size());
    nearest.push_back({static_cast<std::size_t>(best - first), *best});
  }
  return nearest;
}

double closeness_to(const KnownSoftware& software, std::span<const float> tool) {
  const std::vector<float> vector = table().row(software.which);
  return std::inner_product(vector.begin(), vector.end(), tool.begin(), 0.0);
}

std::string known_software_digits(std::span<const float> vector) {
  std::string digits;
  for (const float value : vector)
    digits += kDigits[static_cast<std::size_t>(std::clamp(std::floor(value / kStep + 8.0F), 0.0F, 15.0F))];
  return digits;
}

}  // namespace glovebox::search
