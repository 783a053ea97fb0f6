#include "guest/value_encoder.h"

#include <charconv>
#include <cmath>
#include <vector>

#include "base/text/json_text.h"
#include "guest/text.h"

namespace glovebox::guest {
namespace {

constexpr const char* kNotSerializable = "RESULT_NOT_SERIALIZABLE";
constexpr const char* kTooLarge = "RESULT_TOO_LARGE";

// What JSON would lose without a word, and what to return instead.
const char* advice_for(v8::Local<v8::Object> object) {
  if (object->IsPromise()) return "a Promise; await it";
  if (object->IsArrayBuffer() || object->IsSharedArrayBuffer()) return "an ArrayBuffer; use an array or base64 text";
  if (object->IsArrayBufferView()) return "a typed array; use Array.from(it) or base64 text";
  if (object->IsWeakMap() || object->IsWeakSet() || object->IsWeakRef()) return "a weak collection";
  if (object->IsRegExp()) return "a RegExp; use its source";
  if (object->IsGeneratorObject()) return "a generator; use [...it]";
  return nullptr;
}

// Most text is ASCII and can be written from where V8 has it.
bool append_ascii(v8::Isolate* isolate, v8::Local<v8::String> text, std::string& out) {
  const v8::String::ValueView view(isolate, text);
  if (!view.is_one_byte()) return false;
  const std::string_view bytes(reinterpret_cast<const char*>(view.data8()), static_cast<std::size_t>(view.length()));
  if (!is_ascii(bytes)) return false;
  base::append_json_string(out, bytes);
  return true;
}

bool is_plain_name(const std::string& key) {
  if (key.empty() || key.size() > 64) return false;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const char c = key[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
    if (!letter && !(i > 0 && c >= '0' && c <= '9')) return false;
  }
  return true;
}

}  // namespace

ValueEncoder::ValueEncoder(v8::Isolate* isolate, v8::Local<v8::Context> context, EncodeLimits limits,
                           EncodePurpose purpose)
    : isolate_(isolate),
      context_(context),
      limits_(limits),
      purpose_(purpose),
      to_json_name_(name(isolate, "toJSON")) {}

EncodeStatus ValueEncoder::encode(v8::Local<v8::Value> value, std::string_view root, std::string& out) {
  root_ = root;
  out_ = &out;
  start_ = out.size();
  depth_ = 0;
  threw_ = false;
  if (write(value, nullptr)) return EncodeStatus::kEncoded;
  return threw_ ? EncodeStatus::kThrew : EncodeStatus::kRefused;
}

bool ValueEncoder::fits(const Step* at) {
  if (out_->size() - start_ <= limits_.max_bytes) return true;
  return refuse_size(at, purpose_ == EncodePurpose::kResult ? "the result" : "all of it");
}

bool ValueEncoder::refuse_size(const Step* at, const std::string& what) {
  const bool is_result = purpose_ == EncodePurpose::kResult;
  return refuse(kTooLarge, at,
                what + " exceeds " + std::to_string(limits_.max_bytes) + " bytes; " +
                    (is_result ? "return less, or raise maxOutputBytes (--max-output)" : "send less"));
}

bool ValueEncoder::write(v8::Local<v8::Value> value, const Step* at) {
  if (value->IsString()) return write_string(value.As<v8::String>(), at);
  if (value->IsInt32()) {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, value.As<v8::Int32>()->Value()).ptr;
    out_->append(digits, static_cast<std::size_t>(end - digits));
    return fits(at);
  }
  if (value->IsNumber()) {
    write_number(value.As<v8::Number>()->Value());
    return fits(at);
  }
  if (value->IsNullOrUndefined()) {
    *out_ += "null";
    return fits(at);
  }
  if (value->IsBoolean()) {
    *out_ += value->IsTrue() ? "true" : "false";
    return fits(at);
  }
  if (value->IsBigInt()) return refuse(kNotSerializable, at, "a BigInt; use a string or a number");
  if (value->IsSymbol()) return refuse(kNotSerializable, at, "a symbol");
  if (value->IsFunction()) return refuse(kNotSerializable, at, "a function; call it and use its value");
  if (value->IsObject()) return write_object(value.As<v8::Object>(), at);
  return refuse(kNotSerializable, at, "a value that JSON does not have");
}

void ValueEncoder::write_number(double number) {
  if (!std::isfinite(number)) {
    *out_ += "null";
    return;
  }
  if (number == 0) number = 0;  // -0 is 0, as in JSON.stringify
  char digits[32];
  // Digits beyond 64 bits are refused by readers that take them for an integer, the gateway's among them; with an
  // exponent the same number is a double to everyone.
  const auto end = std::abs(number) < 1e18
                       ? std::to_chars(digits, digits + sizeof digits, number).ptr
                       : std::to_chars(digits, digits + sizeof digits, number, std::chars_format::scientific).ptr;
  out_->append(digits, static_cast<std::size_t>(end - digits));
}

bool ValueEncoder::write_string(v8::Local<v8::String> text, const Step* at) {
  // Before anything is copied: a rope of half a gigabyte costs its owner nothing until it is flattened.
  if (static_cast<std::size_t>(text->Length()) > limits_.max_bytes) {
    return refuse_size(at, "a string of " + std::to_string(text->Length()) + " characters");
  }
  if (!append_ascii(isolate_, text, *out_)) {
    scratch_.clear();
    append_utf8(isolate_, text, scratch_);
    base::append_json_string(*out_, scratch_);
    if (scratch_.capacity() > (std::size_t{1} << 20)) scratch_ = {};
  }
  return fits(at);
}

bool ValueEncoder::apply_to_json(v8::Local<v8::Object> object, const Step* at, v8::Local<v8::Value>& replaced) {
  v8::Local<v8::Value> method;
  if (!object->Get(context_, to_json_name_).ToLocal(&method)) return threw();
  if (!method->IsFunction()) return true;
  v8::Local<v8::Value> key = v8::String::Empty(isolate_);
  if (at) key = at->key.IsEmpty() ? v8::Integer::NewFromUnsigned(isolate_, at->index).As<v8::Value>() : at->key;
  if (!method.As<v8::Function>()->Call(context_, object, 1, &key).ToLocal(&replaced)) return threw();
  return true;
}

bool ValueEncoder::write_object(v8::Local<v8::Object> object, const Step* at) {
  v8::Local<v8::Value> replaced;
  if (!apply_to_json(object, at, replaced)) return false;
  if (!replaced.IsEmpty()) {
    if (!replaced->IsObject()) return write(replaced, at);
    if (replaced->IsFunction()) return write(replaced, at);
    object = replaced.As<v8::Object>();
  }
  if (object->IsStringObject()) return write_string(object.As<v8::StringObject>()->ValueOf(), at);
  if (object->IsNumberObject()) {
    write_number(object.As<v8::NumberObject>()->ValueOf());
    return fits(at);
  }
  if (object->IsBooleanObject()) {
    *out_ += object.As<v8::BooleanObject>()->ValueOf() ? "true" : "false";
    return fits(at);
  }
  if (object->IsBigIntObject() || object->IsSymbolObject()) return refuse(kNotSerializable, at, "a boxed primitive");
  if (const char* advice = advice_for(object)) return refuse(kNotSerializable, at, advice);

  if (depth_ >= limits_.max_depth) {
    return refuse(kTooLarge, at, "nested deeper than " + std::to_string(limits_.max_depth) + " levels");
  }
  for (const Step* step = at; step; step = step->outer) {
    if (step->container == object) return refuse(kNotSerializable, at, "a cycle: it contains itself");
  }
  ++depth_;
  bool written;
  if (object->IsArray()) {
    written = write_array(object.As<v8::Array>(), object, at);
  } else if (object->IsSet()) {
    written = write_array(object.As<v8::Set>()->AsArray(), object, at);
  } else if (object->IsMap()) {
    written = write_map(object.As<v8::Map>(), at);
  } else if (object->IsNativeError()) {
    written = write_error(object, at);
  } else {
    *out_ += '{';
    written = write_members(object, at, true);
  }
  --depth_;
  return written;
}

bool ValueEncoder::write_array(v8::Local<v8::Array> array, v8::Local<v8::Object> container, const Step* at) {
  const std::uint32_t length = array->Length();
  // An element takes two bytes at least, so a length of 2^32-1 is refused without being walked.
  if (length / 2 > limits_.max_bytes) {
    return refuse_size(at, "an array of " + std::to_string(length) + " elements");
  }
  *out_ += '[';
  for (std::uint32_t i = 0; i < length; ++i) {
    const v8::HandleScope scope(isolate_);
    if (i > 0) *out_ += ',';
    const Step step{at, container, {}, i};
    v8::Local<v8::Value> element;
    if (!array->Get(context_, i).ToLocal(&element)) return threw();
    if (!write(element, &step)) return false;
  }
  *out_ += ']';
  return fits(at);
}

bool ValueEncoder::write_members(v8::Local<v8::Object> object, const Step* at, bool first) {
  v8::Local<v8::Array> keys;
  const auto filter = static_cast<v8::PropertyFilter>(v8::ONLY_ENUMERABLE | v8::SKIP_SYMBOLS);
  if (!object
           ->GetPropertyNames(context_, v8::KeyCollectionMode::kOwnOnly, filter, v8::IndexFilter::kIncludeIndices,
                              v8::KeyConversionMode::kConvertToString)
           .ToLocal(&keys)) {
    return threw();
  }
  const std::uint32_t count = keys->Length();
  for (std::uint32_t i = 0; i < count; ++i) {
    const v8::HandleScope scope(isolate_);
    v8::Local<v8::Value> key;
    if (!keys->Get(context_, i).ToLocal(&key) || !key->IsString()) return threw();
    const Step step{at, object, key.As<v8::String>(), 0};
    v8::Local<v8::Value> member;
    if (!object->Get(context_, key).ToLocal(&member)) return threw();
    if (member->IsUndefined() && purpose_ == EncodePurpose::kArguments) continue;
    if (!first) *out_ += ',';
    first = false;
    if (!write_string(step.key, &step)) return false;
    *out_ += ':';
    if (!write(member, &step)) return false;
  }
  *out_ += '}';
  return fits(at);
}

// As Object.fromEntries has it. Keys of several kinds might be the same text.
bool ValueEncoder::write_map(v8::Local<v8::Map> map, const Step* at) {
  const auto entries = map->AsArray();
  bool has_text = false;
  bool has_others = false;
  bool first = true;
  *out_ += '{';
  for (std::uint32_t i = 0; i < entries->Length(); i += 2) {
    const v8::HandleScope scope(isolate_);
    v8::Local<v8::Value> key, member;
    v8::Local<v8::String> text;
    if (!entries->Get(context_, i).ToLocal(&key) || !entries->Get(context_, i + 1).ToLocal(&member)) return threw();
    (key->IsString() ? has_text : has_others) = true;
    const bool is_plain = key->IsString() || key->IsNumber() || key->IsBoolean();
    if (!is_plain || (has_text && has_others)) {
      return refuse(kNotSerializable, at, "a Map whose keys are not all strings; use [...map]");
    }
    if (!key->ToString(context_).ToLocal(&text)) return threw();
    if (member->IsUndefined() && purpose_ == EncodePurpose::kArguments) continue;
    const Step step{at, map, text, 0};
    if (!first) *out_ += ',';
    first = false;
    if (!write_string(text, &step)) return false;
    *out_ += ':';
    if (!write(member, &step)) return false;
  }
  *out_ += '}';
  return fits(at);
}

// An error's name and message are not enumerable, and they are all that its reader wants.
bool ValueEncoder::write_error(v8::Local<v8::Object> error, const Step* at) {
  *out_ += '{';
  bool first = true;
  for (const char* field : {"name", "message"}) {
    const Step step{at, error, name(isolate_, field), 0};
    v8::Local<v8::Value> value;
    v8::Local<v8::String> text;
    if (!error->Get(context_, step.key).ToLocal(&value) || !value->ToString(context_).ToLocal(&text)) return threw();
    if (!first) *out_ += ',';
    first = false;
    base::append_json_string(*out_, field);
    *out_ += ':';
    if (!write_string(text, &step)) return false;
  }
  v8::Local<v8::Array> keys;
  if (!error->GetOwnPropertyNames(context_).ToLocal(&keys)) return threw();
  for (std::uint32_t i = 0; i < keys->Length(); ++i) {
    const v8::HandleScope scope(isolate_);
    v8::Local<v8::Value> key;
    v8::Local<v8::String> key_text;
    if (!keys->Get(context_, i).ToLocal(&key) || !key->ToString(context_).ToLocal(&key_text)) return threw();
    const std::string key_utf8 = to_utf8(isolate_, key_text);
    if (key_utf8 == "name" || key_utf8 == "message") continue;  // written already; a repeated key is refused
    const Step step{at, error, key_text, 0};
    *out_ += ',';
    base::append_json_string(*out_, key_utf8);
    *out_ += ':';
    v8::Local<v8::Value> member;
    if (!error->Get(context_, key).ToLocal(&member)) return threw();
    if (!write(member, &step)) return false;
  }
  *out_ += '}';
  return fits(at);
}

bool ValueEncoder::threw() {
  threw_ = true;
  return false;
}

bool ValueEncoder::refuse(const char* code, const Step* at, const std::string& what) {
  if (refusal_.message.empty()) {
    const std::string path = path_of(at);
    const bool is_result = purpose_ == EncodePurpose::kResult;
    refusal_ = {code, path, path + (is_result ? " cannot be returned: " : " cannot be sent: ") + what};
  }
  return false;
}

std::string ValueEncoder::path_of(const Step* at) const {
  std::vector<const Step*> steps;
  for (const Step* step = at; step; step = step->outer) steps.push_back(step);
  std::string path(root_);
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (path.size() > 1000) return path + "…";
    if ((*step)->key.IsEmpty()) {
      path += "[" + std::to_string((*step)->index) + "]";
      continue;
    }
    const std::string key = to_utf8(isolate_, (*step)->key, 200);
    path += is_plain_name(key) ? "." + key : "[" + base::json_string(key) + "]";
  }
  return path;
}

}  // namespace glovebox::guest
