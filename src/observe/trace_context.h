// W3C Trace Context: which trace something belongs to, and which span it is a part of.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace glovebox::observe {

// All zeros stands for none.
struct TraceId {
  std::array<std::uint8_t, 16> bytes{};
  bool operator==(const TraceId&) const = default;
  explicit operator bool() const { return *this != TraceId(); }
};
struct SpanId {
  std::array<std::uint8_t, 8> bytes{};
  bool operator==(const SpanId&) const = default;
  explicit operator bool() const { return *this != SpanId(); }
};

TraceId new_trace_id();
SpanId new_span_id();
std::string to_hex(const TraceId& id);
std::string to_hex(const SpanId& id);
// Lower-case hexadecimal of the right length, and not all zeros.
std::optional<TraceId> trace_id_of(std::string_view hex);
std::optional<SpanId> span_id_of(std::string_view hex);

struct TraceContext {
  TraceId trace;
  SpanId span;
  bool sampled = true;
  bool operator==(const TraceContext&) const = default;
  explicit operator bool() const { return trace && span; }
};

// "00-<trace>-<span>-<flags>", and nothing where it is anything else: it comes from untrusted peers. Of a later
// version, the fields that version 00 has.
std::optional<TraceContext> read_traceparent(std::string_view text);
std::string traceparent(const TraceContext& context);

}  // namespace glovebox::observe
