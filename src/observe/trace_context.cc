#include "observe/trace_context.h"

#include <algorithm>
#include <span>

#include "base/characters/ascii.h"
#include "base/random.h"
#include "base/text/hex.h"

namespace glovebox::observe {
namespace {

// Ids are random, but no secrets: one system call provides many.
void take_random(std::span<std::uint8_t> bytes) {
  thread_local std::array<std::uint8_t, 256> pool;
  thread_local std::size_t left = 0;
  if (left < bytes.size()) {
    base::fill_randomly(pool);
    left = pool.size();
  }
  left -= bytes.size();
  std::copy_n(pool.begin() + static_cast<std::ptrdiff_t>(left), bytes.size(), bytes.begin());
}

template <typename Id>
Id fresh() {
  Id id;
  do {
    take_random(id.bytes);
  } while (!id);
  return id;
}

template <std::size_t size>
bool read_hex(std::string_view text, std::array<std::uint8_t, size>& bytes) {
  // Upper case is not in the grammar.
  if (text.size() != size * 2 || std::any_of(text.begin(), text.end(), base::is_upper)) return false;
  for (std::size_t i = 0; i < size; ++i) {
    const int high = base::hex_value(text[2 * i]);
    const int low = base::hex_value(text[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return true;
}

template <typename Id>
std::optional<Id> id_of(std::string_view hex) {
  Id id;
  if (!read_hex(hex, id.bytes) || !id) return std::nullopt;
  return id;
}

constexpr std::size_t kLength = 55;
constexpr std::uint8_t kSampled = 1;

}  // namespace

TraceId new_trace_id() {
  return fresh<TraceId>();
}

SpanId new_span_id() {
  return fresh<SpanId>();
}

std::string to_hex(const TraceId& id) {
  return base::hex(id.bytes);
}

std::string to_hex(const SpanId& id) {
  return base::hex(id.bytes);
}

std::optional<TraceId> trace_id_of(std::string_view hex) {
  return id_of<TraceId>(hex);
}

std::optional<SpanId> span_id_of(std::string_view hex) {
  return id_of<SpanId>(hex);
}

std::optional<TraceContext> read_traceparent(std::string_view text) {
  if (text.size() < kLength || text[2] != '-' || text[35] != '-' || text[52] != '-') return std::nullopt;
  std::array<std::uint8_t, 1> version{};
  std::array<std::uint8_t, 1> flags{};
  if (!read_hex(text.substr(0, 2), version) || version[0] == 0xff) return std::nullopt;
  // A later version may have more fields, after another dash.
  if (text.size() > kLength && (version[0] == 0 || text[kLength] != '-')) return std::nullopt;
  const auto trace = trace_id_of(text.substr(3, 32));
  const auto span = span_id_of(text.substr(36, 16));
  if (!trace || !span || !read_hex(text.substr(53, 2), flags)) return std::nullopt;
  return TraceContext{*trace, *span, (flags[0] & kSampled) != 0};
}

std::string traceparent(const TraceContext& context) {
  return "00-" + to_hex(context.trace) + "-" + to_hex(context.span) + (context.sampled ? "-01" : "-00");
}

}  // namespace glovebox::observe
