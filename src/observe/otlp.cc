#include "observe/otlp.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/text/json_builder.h"
#include "observe/semantic_names.h"

namespace glovebox::observe {
namespace {

using base::ListText;

// 64 bits are texts in protobuf's JSON.
std::string attribute_json(std::string_view key, const AttributeValue& value) {
  base::ObjectText typed;
  if (const auto* text = std::get_if<std::string>(&value)) {
    typed.text("stringValue", *text);
  } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
    typed.text("intValue", std::to_string(*number));
  } else if (const auto* real = std::get_if<double>(&value)) {
    typed.json("doubleValue", boost::json::serialize(boost::json::value(*real)));
  } else {
    typed.flag("boolValue", std::get<bool>(value));
  }
  return base::ObjectText().text("key", key).json("value", typed.done()).done();
}

std::string span_json(const TraceId& trace, const Span& span, std::int64_t now_us) {
  const auto nanoseconds = [](std::int64_t us) { return std::to_string(us) + "000"; };
  base::ObjectText out, status;
  out.text("traceId", to_hex(trace)).text("spanId", to_hex(span.id));
  if (span.parent) out.text("parentSpanId", to_hex(span.parent));
  out.text("name", span.name).number("kind", static_cast<int>(span.kind));
  out.text("startTimeUnixNano", nanoseconds(span.start_us));
  out.text("endTimeUnixNano", nanoseconds(std::max(span.end_us ? span.end_us : now_us, span.start_us)));
  out.json("attributes",
           base::json_list(span.attributes, [](const auto& one) { return attribute_json(one.first, one.second); }));
  status.number("code", static_cast<int>(span.status)).text_if("message", span.message);
  return out.json("status", status.done()).done();
}

}  // namespace

std::string to_otlp(const std::vector<Trace>& traces, const Resource& resource, std::int64_t now_us) {
  ListText attributes, spans;
  attributes.json(attribute_json(names::kServiceName, std::string("glovebox")));
  attributes.json(attribute_json(names::kServiceVersion, resource.version));
  if (!resource.instance.empty()) attributes.json(attribute_json(names::kServiceInstance, resource.instance));
  for (const Trace& trace : traces)
    for (const Span& span : trace.spans) spans.json(span_json(trace.id, span, now_us));
  base::ObjectText scope, scoped, all;
  scope.text("name", "glovebox").text("version", resource.version);
  scoped.json("scope", scope.done()).json("spans", spans.done());
  all.json("resource", base::ObjectText().json("attributes", attributes.done()).done());
  all.json("scopeSpans", ListText().json(scoped.done()).done());
  return base::ObjectText().json("resourceSpans", ListText().json(all.done()).done()).done();
}

}  // namespace glovebox::observe
