#include "guest/incoming_bytes.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "guest/text.h"
#include "guest/web/native_call.h"

namespace glovebox::guest {
namespace {

// Owns the memory that a string's characters are in.
class GatheredText : public v8::String::ExternalOneByteStringResource {
 public:
  GatheredText(IncomingBytes& incoming, IncomingBytes::Gathered gathered) : incoming_(incoming), gathered_(gathered) {}
  ~GatheredText() override { incoming_.release(gathered_); }
  const char* data() const override { return gathered_.data; }
  size_t length() const override { return gathered_.size; }

 private:
  IncomingBytes& incoming_;
  IncomingBytes::Gathered gathered_;
};

struct Owner {
  IncomingBytes& incoming;
  IncomingBytes::Gathered gathered;
};

}  // namespace

char* IncomingBytes::room(std::uint64_t call_id, std::uint64_t expected, std::size_t size) {
  Gathered& gathered = gathered_[call_id];
  if (gathered.lost) return nullptr;
  const std::size_t needed = gathered.size + size;
  if (needed > gathered.capacity) {
    const std::size_t wanted =
        gathered.capacity == 0 ? std::max<std::size_t>(needed, expected) : std::max(needed, 2 * gathered.capacity);
    auto* grown = static_cast<char*>(buffers_.allocate_or_collect(wanted));
    if (!grown) {
      release(gathered);
      gathered = {};
      gathered.lost = true;
      return nullptr;
    }
    if (gathered.data) std::memcpy(grown, gathered.data, gathered.size);
    release(gathered);
    gathered.data = grown;
    gathered.capacity = wanted;
  }
  return gathered.data + std::exchange(gathered.size, needed);
}

IncomingBytes::Gathered IncomingBytes::take(std::uint64_t call_id) {
  const auto found = gathered_.find(call_id);
  if (found == gathered_.end()) return {};
  const Gathered gathered = found->second;
  gathered_.erase(found);
  return gathered;
}

void IncomingBytes::release(const Gathered& gathered) {
  if (gathered.data) buffers_.Free(gathered.data, gathered.capacity);
}

v8::MaybeLocal<v8::ArrayBuffer> to_array_buffer(v8::Isolate* isolate, IncomingBytes& incoming,
                                                IncomingBytes::Gathered gathered) {
  if (gathered.lost) {
    throw_buffer_too_large(isolate);
    return {};
  }
  if (!gathered.data) return v8::ArrayBuffer::New(isolate, 0);
  auto store = v8::ArrayBuffer::NewBackingStore(
      gathered.data, gathered.size,
      [](void*, size_t, void* data) {
        const std::unique_ptr<Owner> owner(static_cast<Owner*>(data));
        owner->incoming.release(owner->gathered);
      },
      new Owner{incoming, gathered});
  return v8::ArrayBuffer::New(isolate, std::move(store));
}

v8::MaybeLocal<v8::String> to_text(v8::Isolate* isolate, IncomingBytes& incoming, IncomingBytes::Gathered gathered) {
  if (gathered.lost) {
    throw_buffer_too_large(isolate);
    return {};
  }
  const std::string_view text(gathered.data, gathered.size);
  if (text.size() >= kLargeText && text.size() <= v8::String::kMaxLength && is_ascii(text)) {
    v8::Local<v8::String> string;
    auto* resource = new GatheredText(incoming, gathered);
    if (v8::String::NewExternalOneByte(isolate, resource).ToLocal(&string)) return string;
    delete resource;
    throw_string_too_long(isolate);
    return {};
  }
  const auto string = string_from_utf8(isolate, {reinterpret_cast<const std::uint8_t*>(gathered.data), gathered.size});
  incoming.release(gathered);
  return string;
}

}  // namespace glovebox::guest
