// The guest's only source of randomness: a stream derived from the seed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace glovebox::guest {

class SeededRandom {
 public:
  void seed(std::string_view text);
  void seed(std::span<const unsigned char> bytes);
  void fill(std::span<unsigned char> out);
  std::uint32_t next_word();

 private:
  void refill();

  std::array<unsigned char, 32> key_{};
  std::array<unsigned char, 32> block_{};
  std::uint64_t counter_ = 0;
  std::size_t used_ = 32;
};

}  // namespace glovebox::guest
