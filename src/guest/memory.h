// The guest's memory limit on the engine's side: the JavaScript heap and the buffers beside it. The kernel's
// RLIMIT_DATA, set by the gateway, bounds the sum of everything.
#pragma once

#include <v8.h>

#include <cstddef>
#include <string_view>

namespace glovebox::guest {

// Buffers are outside V8's heap and its limit, so they are counted here. V8 is in no hurry to collect what is outside
// its heap, and the kernel does not know garbage from data: now and then the allocator refuses a buffer that it has
// room for, which makes V8 collect first and ask again.
class CountingAllocator : public v8::ArrayBuffer::Allocator {
 public:
  void* Allocate(size_t length) override;
  void* AllocateUninitialized(size_t length) override;
  // For callers other than V8, which would not collect and ask again by themselves.
  void* allocate_or_collect(size_t length);
  void Free(void* data, size_t length) override;
  void set_limit(size_t bytes);

 private:
  bool take(size_t length);

  size_t limit_ = SIZE_MAX;
  size_t used_ = 0;
  size_t collect_beyond_ = SIZE_MAX;
  bool was_refused_ = false;
};

// Ends the guest with MEMORY_LIMIT whenever V8 or the C++ runtime runs out.
void end_guest_on_exhaustion(v8::Isolate* isolate);

// What the engine prints to standard error. V8's page allocation reports nowhere else that memory ran out before it
// aborts; the guest then ends with MEMORY_LIMIT.
void heed_complaint(std::string_view text);

// By how much the allocator's memory grows: in a zygote that forks by whole huge pages, of which a run would use
// little.
enum class AllocatorSteps { kSmall, kHugePages };

// What the allocator gives back to the kernel after one stage of a run it faults in again in the next.
void keep_freed_memory(AllocatorSteps steps = AllocatorSteps::kSmall);

// Sets the heap's limit for this run. V8 takes limits only at birth, but restores one given to it later. A limit that
// was lowered cannot be raised again: what rehearses in a zygote sets none.
void limit_heap(v8::Isolate* isolate, size_t bytes);
inline constexpr size_t kNoHeapLimitYet = size_t{4} << 30;
enum class RehearsedIn : char { kZygote, kCopy };

}  // namespace glovebox::guest
