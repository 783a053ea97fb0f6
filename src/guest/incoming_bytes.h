// The bytes that come with a reply, gathered while they arrive: straight from the socket into the memory that the code
// will see.
#pragma once

#include <v8.h>

#include <cstdint>
#include <unordered_map>

#include "guest/memory.h"

namespace glovebox::guest {

class IncomingBytes {
 public:
  explicit IncomingBytes(CountingAllocator& buffers) : buffers_(buffers) {}

  // Where the next `size` bytes of a call go; null when there is no memory for them. `expected` is how many it will be
  // in all, as far as the sender knows.
  char* room(std::uint64_t call_id, std::uint64_t expected, std::size_t size);

  struct Gathered {
    char* data = nullptr;
    std::size_t size = 0;
    std::size_t capacity = 0;
    bool lost = false;  // there was no memory
  };
  // All bytes of a call; the caller gives them to release(), or to V8 with it as the deleter.
  Gathered take(std::uint64_t call_id);
  void release(const Gathered& gathered);

 private:
  CountingAllocator& buffers_;
  std::unordered_map<std::uint64_t, Gathered> gathered_;
};

// As an ArrayBuffer that owns them. Empty with a pending exception when they were lost.
v8::MaybeLocal<v8::ArrayBuffer> to_array_buffer(v8::Isolate* isolate, IncomingBytes& incoming,
                                                IncomingBytes::Gathered gathered);
// As text, invalid UTF-8 replaced. Plain ASCII is not copied.
v8::MaybeLocal<v8::String> to_text(v8::Isolate* isolate, IncomingBytes& incoming, IncomingBytes::Gathered gathered);

}  // namespace glovebox::guest
