#include "guest/prelude_text.h"

#include "guest/assets.h"

namespace glovebox::guest {

std::deque<PreludeText>& prelude_texts() {
  static std::deque<PreludeText> texts = [] {
    std::deque<PreludeText> all;
    for (const PreludeFile& file : prelude_files()) all.emplace_back(file.name, file.text);
    return all;
  }();
  return texts;
}

}  // namespace glovebox::guest
