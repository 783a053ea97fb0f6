#include "wire/code_word.h"

namespace glovebox::wire {

bool is_code_word(std::string_view word) {
  if (word.empty() || word.size() > 64) return false;
  for (const char c : word) {
    if (!((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) return false;
  }
  return true;
}

}  // namespace glovebox::wire
