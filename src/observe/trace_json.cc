#include "observe/trace_json.h"

#include <boost/json.hpp>

#include "base/text/json_builder.h"
#include "base/text/utf8.h"

namespace glovebox::observe {
namespace {

namespace json = boost::json;
using base::ObjectText;

const char* name_of(Span::Kind kind) {
  switch (kind) {
    case Span::Kind::kServer: return "server";
    case Span::Kind::kClient: return "client";
    default: return "internal";
  }
}

std::string json_of(const AttributeValue& value) {
  // A double is written with a point or exponent, so that it is read back as one.
  if (const auto* text = std::get_if<std::string>(&value)) return base::json_text(*text);
  return std::visit([](const auto& scalar) { return json::serialize(json::value(scalar)); }, value);
}

std::string json_of(const Span& span) {
  ObjectText out;
  out.text("id", to_hex(span.id));
  if (span.parent) out.text("parent", to_hex(span.parent));
  out.text("name", span.name).text("kind", name_of(span.kind)).number("start", span.start_us);
  if (span.end_us) out.number("end", span.end_us);
  if (span.status != Span::Status::kUnset) out.text("status", span.status == Span::Status::kError ? "error" : "ok");
  out.text_if("message", span.message);
  if (!span.attributes.empty()) {
    ObjectText attributes;
    for (const auto& [key, value] : span.attributes) attributes.json(key, json_of(value));
    out.json("attributes", attributes.done());
  }
  return out.done();
}

Failure damaged(const char* what) {
  return {ErrorCode::kProtocol, std::string("the store is damaged: ") + what + " of a trace"};
}

bool read(const json::value& value, AttributeValue& into) {
  if (value.is_string()) {
    into = std::string(value.get_string());
  } else if (value.is_int64()) {
    into = value.get_int64();
  } else if (value.is_double()) {
    into = value.get_double();
  } else if (value.is_bool()) {
    into = value.get_bool();
  } else {
    return false;
  }
  return true;
}

const json::value* text_in(const json::object& object, const char* key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_string() ? value : nullptr;
}

std::string_view view(const json::value& value) {
  return {value.get_string().data(), value.get_string().size()};
}

std::int64_t number_in(const json::object& object, const char* key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_int64() ? value->get_int64() : 0;
}

Result<Span> span_of(const json::value& value) {
  if (!value.is_object()) return damaged("a span");
  const json::object& object = value.get_object();
  Span span;
  const json::value* id = text_in(object, "id");
  const auto read_id = id ? span_id_of(view(*id)) : std::nullopt;
  if (!read_id) return damaged("the id of a span");
  span.id = *read_id;
  if (const json::value* parent = text_in(object, "parent")) {
    const auto read_parent = span_id_of(view(*parent));
    if (!read_parent) return damaged("the parent of a span");
    span.parent = *read_parent;
  }
  if (const json::value* name = text_in(object, "name")) span.name = view(*name);
  const json::value* kind = text_in(object, "kind");
  if (kind && view(*kind) == "server") span.kind = Span::Kind::kServer;
  if (kind && view(*kind) == "client") span.kind = Span::Kind::kClient;
  span.start_us = number_in(object, "start");
  span.end_us = number_in(object, "end");
  const json::value* status = text_in(object, "status");
  if (status) span.status = view(*status) == "error" ? Span::Status::kError : Span::Status::kOk;
  if (const json::value* message = text_in(object, "message")) span.message = view(*message);
  const json::value* attributes = object.if_contains("attributes");
  if (attributes && !attributes->is_object()) return damaged("attributes");
  for (const auto& [key, one] : attributes ? attributes->get_object() : json::object()) {
    AttributeValue read_value;
    if (!read(one, read_value)) return damaged("an attribute");
    span.attributes.emplace_back(std::string(key), std::move(read_value));
  }
  return span;
}

}  // namespace

std::string to_json(const Trace& trace) {
  base::ListText spans;
  for (const Span& span : trace.spans) spans.json(json_of(span));
  return ObjectText().text("trace", to_hex(trace.id)).json("spans", spans.done()).done();
}

Result<Trace> trace_of(std::string_view text) {
  json::error_code error;
  const json::value tree = json::parse(json::string_view(text.data(), text.size()), error);
  if (error || !tree.is_object()) return damaged("the JSON");
  const json::value* id = text_in(tree.get_object(), "trace");
  const auto read_id = id ? trace_id_of(view(*id)) : std::nullopt;
  const json::value* spans = tree.get_object().if_contains("spans");
  if (!read_id || !spans || !spans->is_array()) return damaged("the id");
  Trace trace{*read_id, {}};
  for (const json::value& value : spans->get_array()) {
    auto span = span_of(value);
    if (!span) return span.failure();
    trace.spans.push_back(std::move(span).value());
  }
  return trace;
}

}  // namespace glovebox::observe
