#include "observe/otlp.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/text/json_text.h"
#include "observe/semantic_names.h"

namespace glovebox::observe {
namespace {

void append_attribute(std::string& out, std::string_view key, const AttributeValue& value) {
  out += out.back() == '[' ? "{\"key\":" : ",{\"key\":";
  base::append_json_string(out, key);
  out += ",\"value\":{";
  if (const auto* text = std::get_if<std::string>(&value)) {
    out += "\"stringValue\":";
    base::append_json_string(out, *text);
  } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
    out += "\"intValue\":\"" + std::to_string(*number) + "\"";  // 64 bits are texts in protobuf's JSON
  } else if (const auto* real = std::get_if<double>(&value)) {
    out += "\"doubleValue\":" + boost::json::serialize(boost::json::value(*real));
  } else {
    out += std::get<bool>(value) ? "\"boolValue\":true" : "\"boolValue\":false";
  }
  out += "}}";
}

void append_span(std::string& out, const TraceId& trace, const Span& span, std::int64_t now_us) {
  const auto nanoseconds = [](std::int64_t us) { return "\"" + std::to_string(us) + "000\""; };
  out += out.back() == '[' ? "{" : ",{";
  out += "\"traceId\":\"" + to_hex(trace) + "\",\"spanId\":\"" + to_hex(span.id) + "\"";
  if (span.parent) out += ",\"parentSpanId\":\"" + to_hex(span.parent) + "\"";
  out += ",\"name\":";
  base::append_json_string(out, span.name);
  out += ",\"kind\":" + std::to_string(static_cast<int>(span.kind));
  out += ",\"startTimeUnixNano\":" + nanoseconds(span.start_us);
  out += ",\"endTimeUnixNano\":" + nanoseconds(std::max(span.end_us ? span.end_us : now_us, span.start_us));
  out += ",\"attributes\":[";
  for (const auto& [key, value] : span.attributes) append_attribute(out, key, value);
  out += "],\"status\":{\"code\":" + std::to_string(static_cast<int>(span.status));
  if (!span.message.empty()) {
    out += ",\"message\":";
    base::append_json_string(out, span.message);
  }
  out += "}}";
}

}  // namespace

std::string to_otlp(const std::vector<Trace>& traces, const Resource& resource, std::int64_t now_us) {
  std::string out = R"({"resourceSpans":[{"resource":{"attributes":[)";
  append_attribute(out, names::kServiceName, std::string("glovebox"));
  append_attribute(out, names::kServiceVersion, resource.version);
  if (!resource.instance.empty()) append_attribute(out, names::kServiceInstance, resource.instance);
  out += R"(]},"scopeSpans":[{"scope":{"name":"glovebox","version":)";
  base::append_json_string(out, resource.version);
  out += "},\"spans\":[";
  for (const Trace& trace : traces)
    for (const Span& span : trace.spans) append_span(out, trace.id, span, now_us);
  return out + "]}]}]}";
}

}  // namespace glovebox::observe
