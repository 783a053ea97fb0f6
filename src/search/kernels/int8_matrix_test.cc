#include "search/kernels/int8_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace glovebox::search {
namespace {

std::vector<const Kernels*> usable() {
  std::vector<const Kernels*> found;
  for (const Kernels* kernels : {&kPortableKernels, &kAvx2Kernels, &kAvx512Kernels, &kAmxKernels})
    if (is_usable(*kernels)) found.push_back(kernels);
  return found;
}

std::vector<float> random_floats(std::size_t count, std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::vector<float> out(count);
  for (float& value : out) value = normal(random);
  return out;
}

// Rows that do not fill a tile, columns that do not fill a vector, and columns that are kept exact.
TEST(Int8Matrix, ProductsAreThoseOfFloats) {
  std::mt19937 random(1);
  for (const auto& [columns, rows, count] : std::vector<std::array<std::size_t, 3>>{
           {384, 100, 1}, {384, 64, 7}, {384, 40, 33}, {1536, 48, 17}, {30, 5, 40}, {100, 17, 3}}) {
    std::vector<std::vector<float>> weights;
    Int8Matrix matrix(columns, {3, 20});
    matrix.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      weights.push_back(random_floats(columns, random));
      matrix.set_row(row, weights.back(), static_cast<float>(row));
    }
    std::vector<float> left = random_floats(columns * count, random);
    for (std::size_t i = 0; i < count; ++i) left[i * columns + 20] *= 1000;
    for (const Kernels* kernels : usable()) {
      Int8Matrix::Scratch scratch;
      std::vector<float> out(count * matrix.padded_rows());
      matrix.multiply(left.data(), count, out.data(), scratch, *kernels);
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t row = 0; row < rows; ++row) {
          double wanted = static_cast<double>(row);
          for (std::size_t c = 0; c < columns; ++c) wanted += double{left[i * columns + c]} * weights[row][c];
          EXPECT_NEAR(out[i * matrix.padded_rows() + row], wanted, 0.06 * std::sqrt(columns) + 1e-5 * std::fabs(wanted))
              << kernels->name << " " << columns << "×" << rows << "×" << count;
        }
    }
  }
}

TEST(Int8Matrix, RowsAreGivenBack) {
  std::mt19937 random(3);
  Int8Matrix matrix(100, {3, 20});
  matrix.resize(40);
  std::vector<std::vector<float>> rows;
  for (std::size_t row = 0; row < 40; ++row) {
    rows.push_back(random_floats(100, random));
    matrix.set_row(row, rows.back());
  }
  for (std::size_t row = 0; row < 40; ++row) {
    const std::vector<float> back = matrix.row(row);
    ASSERT_EQ(back.size(), 100u);
    for (std::size_t c = 0; c < 100; ++c) EXPECT_NEAR(back[c], rows[row][c], c == 3 || c == 20 ? 0 : 0.02) << c;
  }
}

TEST(Int8Matrix, WhatIsNoNumberIsNothing) {
  Int8Matrix matrix(4);
  matrix.resize(1);
  matrix.set_row(0, std::vector<float>{1, NAN, INFINITY, -1});
  Int8Matrix::Scratch scratch;
  std::vector<float> out(matrix.padded_rows());
  const std::vector<float> left = {1, 1, 1, 1};
  for (const Kernels* kernels : usable()) {
    matrix.multiply(left.data(), 1, out.data(), scratch, *kernels);
    EXPECT_TRUE(std::isfinite(out[0])) << kernels->name;
  }
}

TEST(Kernels, HalvesAndCurvesAgree) {
  std::mt19937 random(2);
  std::vector<unsigned char> halves(2 * 37 + 1);
  for (auto& byte : halves) byte = static_cast<unsigned char>(random() & 0x3B);  // neither infinite nor NaN
  const std::vector<float> values = random_floats(64, random);
  for (const Kernels* kernels : usable()) {
    std::vector<float> portable(37);
    std::vector<float> other(37);
    kPortableKernels.widen(halves.data() + 1, 37, portable.data());
    kernels->widen(halves.data() + 1, 37, other.data());
    EXPECT_EQ(portable, other) << kernels->name;
    std::vector<float> bent = values;
    kernels->gelu(bent.data(), bent.size());
    for (std::size_t i = 0; i < bent.size(); ++i)
      EXPECT_NEAR(bent[i], 0.5 * values[i] * (1 + std::erf(values[i] / std::sqrt(2.0))), 1e-5) << kernels->name;
  }
}

}  // namespace
}  // namespace glovebox::search
