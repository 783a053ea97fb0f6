#include "privacy/disguises/look_alikes.h"

#include <algorithm>
#include <iterator>

namespace glovebox::privacy {
namespace {

// Where the ten digits of a script begin.
constexpr std::uint32_t kZeros[] = {
    0x0660,  0x06f0,  0x07c0,  0x0966,  0x09e6,  0x0a66,  0x0ae6,  0x0b66,  0x0be6,  0x0c66,  0x0ce6,  0x0d66,  0x0de6,
    0x0e50,  0x0ed0,  0x0f20,  0x1040,  0x1090,  0x17e0,  0x1810,  0x1946,  0x19d0,  0x1a80,  0x1a90,  0x1b50,  0x1bb0,
    0x1c40,  0x1c50,  0x2080,  0xa620,  0xa8d0,  0xa900,  0xa9d0,  0xa9f0,  0xaa50,  0xabf0,  0xff10,  0x104a0, 0x10d30,
    0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50,
    0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0};

bool is_between(std::uint32_t code, std::uint32_t first, std::uint32_t last) {
  return code >= first && code <= last;
}

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};
// Unicode's Default_Ignorable_Code_Point (DerivedCoreProperties.txt, 15.1), and what stands for an object or for
// nothing: marks of annotations, U+FFFC, the empty pattern of Braille. Then marks that are drawn on another character:
// an accent on a digit is a disguise, and the words of the rules are compared without accents.
constexpr Range kInvisible[] = {
    {0x00ad, 0x00ad}, {0x0300, 0x036f}, {0x0483, 0x0489},   {0x0591, 0x05bd},   {0x061c, 0x061c},
    {0x064b, 0x065f}, {0x115f, 0x1160}, {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x1ab0, 0x1ace},
    {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x202a, 0x202e},   {0x2060, 0x206f},   {0x20d0, 0x20f0},
    {0x2800, 0x2800}, {0x3164, 0x3164}, {0xfe00, 0xfe0f},   {0xfe20, 0xfe2f},   {0xfeff, 0xfeff},
    {0xffa0, 0xffa0}, {0xfff0, 0xfffc}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};

bool is_invisible(std::uint32_t code) {
  const Range* range = std::lower_bound(std::begin(kInvisible), std::end(kInvisible), code,
                                        [](const Range& one, std::uint32_t wanted) { return one.last < wanted; });
  return range != std::end(kInvisible) && code >= range->first;
}

}  // namespace

int read_as(std::uint32_t code) {
  if (code < 0x20 || code == 0x7f)
    return code == '\t' || code == '\n' || code == '\r' ? static_cast<int>(code) : kNothing;
  if (code < 0x80) return static_cast<int>(code);
  if (code < 0xad) return code == 0xa0 ? ' ' : code == 0x85 ? '\n' : kShown;
  if (code == 0xb2 || code == 0xb3) return static_cast<int>('0' + code - 0xb0);
  if (code == 0xb9) return '1';
  if (is_invisible(code)) return kNothing;
  if (code < 0x660) return kShown;
  for (const std::uint32_t zero : kZeros) {
    if (code < zero) break;
    if (code < zero + 10) return static_cast<int>('0' + code - zero);
  }
  if (is_between(code, 0x2000, 0x200a) || code == 0x202f || code == 0x205f || code == 0x3000) return ' ';
  if (is_between(code, 0x2010, 0x2015) || code == 0x2212 || code == 0xfe58 || code == 0xfe63) return '-';
  if (code == 0x2028 || code == 0x2029) return '\n';
  if (code == 0x2070) return '0';
  if (is_between(code, 0x2074, 0x2079)) return static_cast<int>('0' + code - 0x2070);
  if (is_between(code, 0x2460, 0x2468)) return static_cast<int>('1' + code - 0x2460);
  if (code == 0x24ea) return '0';
  if (code == 0x2024 || code == 0x3002 || code == 0xff61) return '.';
  if (code == 0x2236) return ':';
  if (code == 0xfe6b) return '@';
  if (is_between(code, 0xff01, 0xff5e)) return static_cast<int>(code - 0xff01 + 0x21);
  if (is_between(code, 0x1d400, 0x1d6a3)) {
    const std::uint32_t place = (code - 0x1d400) % 52;
    return static_cast<int>(place < 26 ? 'A' + place : 'a' + place - 26);
  }
  if (is_between(code, 0x1d7ce, 0x1d7ff)) return static_cast<int>('0' + (code - 0x1d7ce) % 10);
  return kShown;
}

}  // namespace glovebox::privacy
