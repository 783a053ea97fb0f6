// What the gateway and the type generator say to each other on their socket (SOCK_STREAM).
//
// The gateway begins with a GeneratorHello and the filter. The generator seals itself and answers kSealed; or
// kNotSealed and why, and ends. From then on the gateway sends questions and the generator answers each with a part
// (types/part_message.h), both as a length of four bytes and that many bytes.
#pragma once

#include <cstdint>

namespace glovebox::types {

// Both come from one build; a program of another one would misread everything that follows.
inline constexpr std::uint32_t kGeneratorVersion = 1;

struct GeneratorHello {
  std::uint32_t version = kGeneratorVersion;
  std::uint32_t missing_layers = 0;  // kWithout… of jail/zygote_protocol.h
  std::uint32_t filter_instructions = 0;
};

inline constexpr char kSealed = 'S';
inline constexpr char kNotSealed = 'N';

}  // namespace glovebox::types
