#include "broker/trace.h"

#include "wire/limits.h"

namespace glovebox::broker {

void CallTrace::add(TraceEntry entry) {
  ++calls_;
  if (entry.op == "tool") {
    ++tool_calls_;
    tool_result_bytes_ += entry.bytes;
  }
  std::size_t room = wire::kMaxTraceEntries;
  if (entry.outcome == TraceEntry::Outcome::kDenied) {
    ++denied_;
    room *= 2;
  }
  if (entries_.size() < room) entries_.push_back(std::move(entry));
}

}  // namespace glovebox::broker
