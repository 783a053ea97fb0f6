// Records in the audit log how a call ended: with the next record, or a moment later. Nothing waits for it. After a
// crash in between, the log says that the call was begun, but not how it ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace glovebox::gateway {

struct Services;

struct CallEnd {
  std::string run;  // empty: the run is gone
  std::uint64_t call;
  std::string tool;
  std::string_view outcome;
  std::string_view code;
  std::string_view detail;  // of a failure, for the owner
  double milliseconds;
  std::size_t bytes;
};
void note_call_end(const std::shared_ptr<Services>& services, const CallEnd& end);

}  // namespace glovebox::gateway
