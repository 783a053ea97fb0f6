#include "guest/memory.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "guest/host_socket.h"
#include "guest/pages/memory_map.h"

namespace glovebox::guest {
namespace {

// Static text: there may be no memory left to build it. The gateway words the message, it knows the limit.
constexpr std::string_view kOutOfMemory =
    R"({"frame":"fail","type":"MemoryError","code":"MEMORY_LIMIT","message":"out of memory","stack":""})";

// From here on speed counts for more than the memory that it takes.
constexpr size_t kRoomyHeapBytes = size_t{256} << 20;

// Buffers that take this part of the memory limit justify a collection.
constexpr size_t kCollectAtPart = 4;

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

void CountingAllocator::set_limit(size_t bytes) {
  limit_ = bytes;
  // What the zygote left is in use.
  collect_beyond_ = std::max(bytes / kCollectAtPart, 2 * used_);
}

bool CountingAllocator::take(size_t length) {
  if (used_ > limit_ || length > limit_ - used_) return false;
  if (used_ + length > collect_beyond_) {
    if (!was_refused_) {
      was_refused_ = true;
      return false;
    }
    // What is left is in use. The next collection comes when there is twice as much: programs that use much do not
    // collect for every buffer.
    collect_beyond_ = std::max(limit_ / kCollectAtPart, 2 * (used_ + length));
  }
  was_refused_ = false;
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

void* CountingAllocator::allocate_or_collect(size_t length) {
  if (void* data = Allocate(length)) return data;
  auto* isolate = v8::Isolate::GetCurrent();
  isolate->MemoryPressureNotification(v8::MemoryPressureLevel::kCritical);
  isolate->MemoryPressureNotification(v8::MemoryPressureLevel::kNone);
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

void keep_freed_memory(AllocatorSteps steps) {
  const bool is_huge = steps == AllocatorSteps::kHugePages;
  ::mallopt(M_MMAP_THRESHOLD, is_huge ? 8 << 20 : 1 << 20);
  ::mallopt(M_TRIM_THRESHOLD, is_huge ? 64 << 20 : 8 << 20);
  ::mallopt(M_TOP_PAD, is_huge ? 4 << 20 : 256 << 10);
}

// What the engine's start takes from the allocator is faulted in at once, if possible as a huge page: page by page it
// costs four times as much. A kernel that cannot do it leaves it to the faults.
__attribute__((constructor)) void touch_memory_for_start() {
  constexpr std::size_t kUsedByStart = 1536 << 10;
  // The block begins a page after the break, and the piece that holds it ends behind it: what the allocator notes
  // before and after a piece is memory in use, which would keep the block from becoming a huge page.
  const auto begin = reinterpret_cast<std::uintptr_t>(::sbrk(0));
  ::sbrk(static_cast<std::intptr_t>(-(begin + kPageBytes) & (kHugePageBytes - 1)));
  constexpr std::size_t kPiece = kHugePageBytes + kPageBytes;
  ::mallopt(M_MMAP_THRESHOLD, 2 * kPiece);
  ::mallopt(M_TRIM_THRESHOLD, 2 * kPiece);
  ::mallopt(M_TOP_PAD, 0);
  void* const piece = std::malloc(kPiece);
  const auto block = (reinterpret_cast<std::uintptr_t>(piece) + kHugePageBytes - 1) & ~(kHugePageBytes - 1);
  if (piece != nullptr && block - reinterpret_cast<std::uintptr_t>(piece) <= kPageBytes) {
    ::madvise(reinterpret_cast<void*>(block), kHugePageBytes, MADV_HUGEPAGE);
    ::madvise(reinterpret_cast<void*>(block), kUsedByStart, MADV_POPULATE_WRITE);
    // What a run gives back and takes again is small.
    ::madvise(reinterpret_cast<void*>(block), kHugePageBytes, MADV_NOHUGEPAGE);
  }
  std::free(piece);
  keep_freed_memory();
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
