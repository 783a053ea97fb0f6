// A JavaScript value as JSON text, in one bounded walk that names the place of what it refuses.
//
// Unlike JSON.stringify it loses nothing silently: undefined is null, and a function, symbol, BigInt, Map, Set, buffer
// or cycle is an error. Getters, proxies and toJSON are guest code; they run here as they would anywhere in the guest.
#pragma once

#include <v8.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace glovebox::guest {

struct EncodeLimits {
  std::size_t max_bytes;
  int max_depth;
};

// What the value is for, in the words of an error. Arguments leave out what is undefined, as everyone who writes
// `{ page: undefined }` expects; a result says null.
enum class EncodePurpose { kResult, kArguments };

struct EncodeRefusal {
  const char* code;     // RESULT_NOT_SERIALIZABLE or RESULT_TOO_LARGE
  std::string path;     // e.g. result.items[3].callback
  std::string message;  // says what is there and what to return instead
};

enum class EncodeStatus { kEncoded, kRefused, kThrew };

class ValueEncoder {
 public:
  ValueEncoder(v8::Isolate* isolate, v8::Local<v8::Context> context, EncodeLimits limits,
               EncodePurpose purpose = EncodePurpose::kResult);

  // Appends to `out`. kThrew: guest code threw on the way; the exception is pending in the caller's TryCatch.
  EncodeStatus encode(v8::Local<v8::Value> value, std::string_view root, std::string& out);
  const EncodeRefusal& refusal() const { return refusal_; }

 private:
  struct Step {
    const Step* outer;
    v8::Local<v8::Value> container;  // for cycles
    v8::Local<v8::String> key;       // empty for an array's element
    std::uint32_t index;
  };

  bool write(v8::Local<v8::Value> value, const Step* at);
  bool write_object(v8::Local<v8::Object> object, const Step* at);
  // `container`: the array, or what has its elements in it.
  bool write_array(v8::Local<v8::Array> array, v8::Local<v8::Object> container, const Step* at);
  bool write_map(v8::Local<v8::Map> map, const Step* at);
  bool write_members(v8::Local<v8::Object> object, const Step* at, bool first);
  bool write_error(v8::Local<v8::Object> error, const Step* at);
  bool write_string(v8::Local<v8::String> text, const Step* at);
  void write_number(double number);
  bool apply_to_json(v8::Local<v8::Object> object, const Step* at, v8::Local<v8::Value>& replaced);

  bool fits(const Step* at);
  bool refuse(const char* code, const Step* at, const std::string& what);
  bool refuse_size(const Step* at, const std::string& what);
  bool threw();
  std::string path_of(const Step* at) const;

  v8::Isolate* isolate_;
  v8::Local<v8::Context> context_;
  EncodeLimits limits_;
  EncodePurpose purpose_;
  std::string_view root_;
  std::string* out_ = nullptr;
  std::size_t start_ = 0;
  int depth_ = 0;
  bool threw_ = false;
  std::string scratch_;
  v8::Local<v8::String> to_json_name_;
  EncodeRefusal refusal_;
};

}  // namespace glovebox::guest
