#include "guest/memory.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "guest/host_socket.h"

namespace glovebox::guest {
namespace {

// Static text: there may be no memory left to build it. The gateway words the message, it knows the limit.
constexpr std::string_view kOutOfMemory =
    R"({"frame":"fail","type":"MemoryError","code":"MEMORY_LIMIT","message":"out of memory","stack":""})";

// From here on speed is worth more than the memory that it takes.
constexpr size_t kRoomyHeapBytes = size_t{256} << 20;

constexpr size_t kYoungHalvesBytes = size_t{32} << 20;

size_t on_near_heap_limit(void*, size_t, size_t) {
  send_last_words(kOutOfMemory);
}
void on_fatal_out_of_memory(const char*, const v8::OOMDetails&) {
  send_last_words(kOutOfMemory);
}
void on_new_failed() {
  send_last_words(kOutOfMemory);
}

}  // namespace

bool CountingAllocator::take(size_t length) {
  if (used_ > limit_ || length > limit_ - used_) return false;
  used_ += length;
  return true;
}

void* CountingAllocator::Allocate(size_t length) {
  if (!take(length)) return nullptr;
  void* data = std::calloc(length ? length : 1, 1);
  if (!data) used_ -= length;
  return data;
}

void* CountingAllocator::AllocateUninitialized(size_t length) {
  // Zeroed all the same: what malloc returns may hold what the zygote left there.
  return Allocate(length);
}

void CountingAllocator::Free(void* data, size_t length) {
  used_ -= length;
  std::free(data);
}

void end_guest_on_exhaustion(v8::Isolate* isolate) {
  isolate->SetOOMErrorHandler(on_fatal_out_of_memory);
  isolate->AddNearHeapLimitCallback(on_near_heap_limit, nullptr);
  std::set_new_handler(on_new_failed);
}

void keep_freed_memory() {
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 8 << 20);
  ::mallopt(M_TOP_PAD, 256 << 10);
}

void heed_complaint(std::string_view text) {
  if (text.find("out of memory") != std::string_view::npos) send_last_words(kOutOfMemory);
}

void limit_heap(v8::Isolate* isolate, size_t bytes) {
  // Within a small limit V8 is to collect rather than to grow its young generation.
  isolate->SetPriority(bytes < kRoomyHeapBytes ? v8::Isolate::Priority::kBestEffort
                                               : v8::Isolate::Priority::kUserBlocking);
  // V8's limit is for the old generation alone; both halves of the young one count as well.
  const size_t old_generation = std::max(bytes / 2, bytes - std::min(bytes, kYoungHalvesBytes));
  isolate->RemoveNearHeapLimitCallback(on_near_heap_limit, old_generation);
  isolate->AddNearHeapLimitCallback(on_near_heap_limit, nullptr);
}

}  // namespace glovebox::guest
