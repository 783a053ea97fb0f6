// URLs and query strings by ada, the parser inside Node's executable. The executable exports ada's C interface; its
// header is not shipped, so the few functions used are declared here.
#include <cstring>

#include "guest/web/native_call.h"
#include "guest/web/web_ops.h"

extern "C" {

struct ada_string {
  const char* data;
  std::size_t length;
};
struct ada_owned_string {
  const char* data;
  std::size_t length;
};
struct ada_string_pair {
  ada_string key;
  ada_string value;
};
struct ada_url_components {
  std::uint32_t protocol_end;
  std::uint32_t username_end;
  std::uint32_t host_start;
  std::uint32_t host_end;
  std::uint32_t port;
  std::uint32_t pathname_start;
  std::uint32_t search_start;
  std::uint32_t hash_start;
};
using ada_url = void*;
using ada_url_search_params = void*;
using ada_entries_iterator = void*;

ada_url ada_parse(const char* input, std::size_t length);
ada_url ada_parse_with_base(const char* input, std::size_t length, const char* base, std::size_t base_length);
bool ada_can_parse(const char* input, std::size_t length);
bool ada_can_parse_with_base(const char* input, std::size_t length, const char* base, std::size_t base_length);
bool ada_is_valid(ada_url url);
void ada_free(ada_url url);
ada_string ada_get_href(ada_url url);
ada_owned_string ada_get_origin(ada_url url);
const ada_url_components* ada_get_components(ada_url url);
bool ada_set_href(ada_url url, const char* input, std::size_t length);
bool ada_set_protocol(ada_url url, const char* input, std::size_t length);
bool ada_set_username(ada_url url, const char* input, std::size_t length);
bool ada_set_password(ada_url url, const char* input, std::size_t length);
bool ada_set_host(ada_url url, const char* input, std::size_t length);
bool ada_set_hostname(ada_url url, const char* input, std::size_t length);
bool ada_set_port(ada_url url, const char* input, std::size_t length);
bool ada_set_pathname(ada_url url, const char* input, std::size_t length);
void ada_set_search(ada_url url, const char* input, std::size_t length);
void ada_set_hash(ada_url url, const char* input, std::size_t length);
void ada_free_owned_string(ada_owned_string text);

ada_url_search_params ada_parse_search_params(const char* input, std::size_t length);
void ada_free_search_params(ada_url_search_params params);
std::size_t ada_search_params_size(ada_url_search_params params);
void ada_search_params_append(ada_url_search_params params, const char* key, std::size_t key_length, const char* value,
                              std::size_t value_length);
ada_owned_string ada_search_params_to_string(ada_url_search_params params);
ada_entries_iterator ada_search_params_get_entries(ada_url_search_params params);
bool ada_search_params_entries_iter_has_next(ada_entries_iterator entries);
ada_string_pair ada_search_params_entries_iter_next(ada_entries_iterator entries);
void ada_free_search_params_entries_iter(ada_entries_iterator entries);
}

namespace glovebox::guest {
namespace {

class ParsedUrl {
 public:
  explicit ParsedUrl(const Utf8Text& input) : url_(ada_parse(input.data(), input.size())) {}
  ParsedUrl(const Utf8Text& input, const Utf8Text& base)
      : url_(ada_parse_with_base(input.data(), input.size(), base.data(), base.size())) {}
  ~ParsedUrl() { ada_free(url_); }
  ParsedUrl(const ParsedUrl&) = delete;
  ParsedUrl& operator=(const ParsedUrl&) = delete;

  bool valid() const { return ada_is_valid(url_); }
  ada_url get() const { return url_; }

 private:
  ada_url url_;
};

class SearchParams {
 public:
  SearchParams(const char* input, std::size_t length) : params_(ada_parse_search_params(input, length)) {}
  ~SearchParams() { ada_free_search_params(params_); }
  SearchParams(const SearchParams&) = delete;
  SearchParams& operator=(const SearchParams&) = delete;

  ada_url_search_params get() const { return params_; }

 private:
  ada_url_search_params params_;
};

std::span<const std::uint8_t> bytes_of(const char* data, std::size_t length) {
  return {reinterpret_cast<const std::uint8_t*>(data), length};
}

// Returns the serialised URL and leaves the offsets of its parts in the caller's Uint32Array.
void return_url(const Arguments& arguments, const ParsedUrl& url, v8::Local<v8::Value> offsets) {
  v8::Isolate* isolate = arguments.GetIsolate();
  const ada_url_components* components = ada_get_components(url.get());
  const std::span<std::uint8_t> target = writable_bytes(offsets);
  if (!components || target.size() < sizeof(*components)) {
    return throw_type_error(isolate, "no place for the URL's parts");
  }
  std::memcpy(target.data(), components, sizeof(*components));
  const ada_string href = ada_get_href(url.get());
  v8::Local<v8::String> text;
  // A serialised URL is ASCII, so one byte is one character and ada's offsets are JavaScript's.
  if (string_from_latin1(isolate, bytes_of(href.data, href.length)).ToLocal(&text)) {
    arguments.GetReturnValue().Set(text);
  }
}

// url_parse(input, base or undefined, offsets): href, or undefined when it is no URL.
void url_parse(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  Utf8Text input;
  if (!input.take(isolate, arguments[0])) return;
  if (arguments[1]->IsUndefined()) {
    const ParsedUrl url(input);
    if (url.valid()) return_url(arguments, url, arguments[2]);
    return;
  }
  Utf8Text base;
  if (!base.take(isolate, arguments[1])) return;
  const ParsedUrl url(input, base);
  if (url.valid()) return_url(arguments, url, arguments[2]);
}

// url_can_parse(input, base or undefined): boolean.
void url_can_parse(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  Utf8Text input;
  if (!input.take(isolate, arguments[0])) return;
  if (arguments[1]->IsUndefined()) {
    return arguments.GetReturnValue().Set(ada_can_parse(input.data(), input.size()));
  }
  Utf8Text base;
  if (!base.take(isolate, arguments[1])) return;
  arguments.GetReturnValue().Set(ada_can_parse_with_base(input.data(), input.size(), base.data(), base.size()));
}

// The parts that a URL's setters change. 40_url.js passes the same numbers.
enum Part : std::uint32_t {
  kHref,
  kProtocol,
  kUsername,
  kPassword,
  kHost,
  kHostname,
  kPort,
  kPathname,
  kSearch,
  kHash,
  kPartCount,
};

// Only `href` can fail; the other setters ignore what they cannot use.
bool set_part(ada_url url, std::uint32_t part, const Utf8Text& value) {
  const char* text = value.data();
  const std::size_t length = value.size();
  switch (part) {
    case kHref: return ada_set_href(url, text, length);
    case kProtocol: ada_set_protocol(url, text, length); break;
    case kUsername: ada_set_username(url, text, length); break;
    case kPassword: ada_set_password(url, text, length); break;
    case kHost: ada_set_host(url, text, length); break;
    case kHostname: ada_set_hostname(url, text, length); break;
    case kPort: ada_set_port(url, text, length); break;
    case kPathname: ada_set_pathname(url, text, length); break;
    case kSearch: ada_set_search(url, text, length); break;
    case kHash: ada_set_hash(url, text, length); break;
    default: return false;
  }
  return true;
}

// url_set(href, part, value, offsets): the new href, or undefined when `href` itself was set to no URL.
void url_set(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  Utf8Text href;
  Utf8Text value;
  if (!href.take(isolate, arguments[0]) || !value.take(isolate, arguments[2])) return;
  if (!arguments[1]->IsUint32()) return throw_type_error(isolate, "no such part of a URL");
  const ParsedUrl url(href);
  if (url.valid() && set_part(url.get(), arguments[1].As<v8::Uint32>()->Value(), value)) {
    return_url(arguments, url, arguments[3]);
  }
}

// url_origin(href): the serialised origin.
void url_origin(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  Utf8Text href;
  if (!href.take(isolate, arguments[0])) return;
  const ParsedUrl url(href);
  if (!url.valid()) return;
  const ada_owned_string origin = ada_get_origin(url.get());
  v8::Local<v8::String> text;
  if (string_from_latin1(isolate, bytes_of(origin.data, origin.length)).ToLocal(&text)) {
    arguments.GetReturnValue().Set(text);
  }
  ada_free_owned_string(origin);
}

// form_parse(text): the names and values of application/x-www-form-urlencoded text, alternating in one array.
void form_parse(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  Utf8Text input;
  if (!input.take(isolate, arguments[0])) return;
  const SearchParams params(input.data(), input.size());
  const std::size_t pairs = ada_search_params_size(params.get());
  v8::LocalVector<v8::Value> flat(isolate);
  flat.reserve(pairs * 2);
  const ada_entries_iterator entries = ada_search_params_get_entries(params.get());
  bool complete = true;
  while (complete && ada_search_params_entries_iter_has_next(entries)) {
    const ada_string_pair pair = ada_search_params_entries_iter_next(entries);
    for (const ada_string& part : {pair.key, pair.value}) {
      v8::Local<v8::String> text;
      complete = complete && string_from_utf8(isolate, bytes_of(part.data, part.length)).ToLocal(&text);
      if (complete) flat.push_back(text);
    }
  }
  ada_free_search_params_entries_iter(entries);
  if (complete) arguments.GetReturnValue().Set(v8::Array::New(isolate, flat.data(), flat.size()));
}

// form_serialize(flat): the reverse of form_parse.
void form_serialize(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  const auto context = isolate->GetCurrentContext();
  if (!arguments[0]->IsArray()) return throw_type_error(isolate, "an array is expected");
  const auto flat = arguments[0].As<v8::Array>();
  const SearchParams params("", 0);
  for (std::uint32_t i = 0; i + 1 < flat->Length(); i += 2) {
    const v8::HandleScope scope(isolate);
    v8::Local<v8::Value> key;
    v8::Local<v8::Value> value;
    if (!flat->Get(context, i).ToLocal(&key) || !flat->Get(context, i + 1).ToLocal(&value)) return;
    Utf8Text key_text;
    Utf8Text value_text;
    if (!key_text.take(isolate, key) || !value_text.take(isolate, value)) return;
    ada_search_params_append(params.get(), key_text.data(), key_text.size(), value_text.data(), value_text.size());
  }
  const ada_owned_string query = ada_search_params_to_string(params.get());
  v8::Local<v8::String> text;
  if (string_from_latin1(isolate, bytes_of(query.data, query.length)).ToLocal(&text)) {
    arguments.GetReturnValue().Set(text);
  }
  ada_free_owned_string(query);
}

}  // namespace

std::span<const NativeFunction> url_functions() {
  static constexpr NativeFunction functions[] = {
      {"url_parse", url_parse},   {"url_can_parse", url_can_parse}, {"url_set", url_set},
      {"url_origin", url_origin}, {"form_parse", form_parse},       {"form_serialize", form_serialize},
  };
  return functions;
}

}  // namespace glovebox::guest
