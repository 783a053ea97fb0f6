// The calls that a run made to the gateway, for its result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glovebox/sandbox.h"

namespace glovebox::broker {

// Denied calls have twice the room, so that other calls do not crowd them out.
class CallTrace {
 public:
  void add(TraceEntry entry);
  std::vector<TraceEntry> take() { return std::move(entries_); }
  std::size_t calls() const { return calls_; }
  std::size_t denied() const { return denied_; }
  std::size_t tool_calls() const { return tool_calls_; }
  std::uint64_t tool_result_bytes() const { return tool_result_bytes_; }

 private:
  std::vector<TraceEntry> entries_;
  std::size_t calls_ = 0;
  std::size_t denied_ = 0;
  std::size_t tool_calls_ = 0;
  std::uint64_t tool_result_bytes_ = 0;
};

}  // namespace glovebox::broker
