// What a run may print. Guest and gateway count alike, so that an honest guest stops where the gateway would stop it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "wire/limits.h"

namespace glovebox::wire {

class LogBudget {
 public:
  explicit LogBudget(std::size_t bytes) : bytes_(bytes) {}

  // Whether a line of this many bytes still fits. After the first one that does not, none does.
  bool take(std::size_t text_bytes) {
    const std::size_t cost = std::max(text_bytes + 1, kMinLogLineCost);
    full_ = full_ || lines_ == kMaxLogLines || cost > bytes_ - used_;
    if (full_) {
      refused_ += cost;
      return false;
    }
    used_ += cost;
    ++lines_;
    return true;
  }

  bool is_full() const { return full_; }
  // The limit in words.
  std::string limit() const {
    return lines_ == kMaxLogLines ? std::to_string(kMaxLogLines) + " lines" : std::to_string(bytes_) + " bytes";
  }
  // Of lines that arrived after the limit.
  std::size_t refused_bytes() const { return refused_; }

 private:
  std::size_t bytes_;
  std::size_t used_ = 0;
  std::size_t lines_ = 0;
  std::size_t refused_ = 0;
  bool full_ = false;
};

}  // namespace glovebox::wire
