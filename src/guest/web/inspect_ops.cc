// What console's inspector must know of a value without running any of the value's own code.
#include "guest/text.h"
#include "guest/web/native_call.h"
#include "guest/web/web_ops.h"

namespace glovebox::guest {
namespace {

const char* class_name(v8::Local<v8::Value> value) {
  // Proxies first: every other check sees through them to their target.
  if (value->IsProxy()) return "Proxy";
  if (value->IsFunction()) return "Function";
  if (value->IsArray()) return "Array";
  if (value->IsNativeError()) return "Error";
  if (value->IsMap()) return "Map";
  if (value->IsSet()) return "Set";
  if (value->IsDate()) return "Date";
  if (value->IsRegExp()) return "RegExp";
  if (value->IsPromise()) return "Promise";
  if (value->IsTypedArray()) return "TypedArray";
  if (value->IsDataView()) return "DataView";
  if (value->IsArrayBuffer()) return "ArrayBuffer";
  if (value->IsSharedArrayBuffer()) return "SharedArrayBuffer";
  if (value->IsWeakMap()) return "WeakMap";
  if (value->IsWeakSet()) return "WeakSet";
  if (value->IsWeakRef()) return "WeakRef";
  if (value->IsNumberObject()) return "Number";
  if (value->IsStringObject()) return "String";
  if (value->IsBooleanObject()) return "Boolean";
  if (value->IsBigIntObject()) return "BigInt";
  if (value->IsSymbolObject()) return "Symbol";
  if (value->IsArgumentsObject()) return "Arguments";
  if (value->IsMapIterator()) return "Map Iterator";
  if (value->IsSetIterator()) return "Set Iterator";
  if (value->IsGeneratorObject()) return "Generator";
  if (value->IsModuleNamespaceObject()) return "Module";
  return "Object";
}

// class_of(object): what it is by its internal slots, whatever its prototype claims.
void class_of(const Arguments& arguments) {
  arguments.GetReturnValue().Set(name(arguments.GetIsolate(), class_name(arguments[0])));
}

// named_keys(object): its own enumerable keys that are no array indices, so that a long array costs nothing.
void named_keys(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  if (!arguments[0]->IsObject() || arguments[0]->IsProxy()) {
    return throw_type_error(isolate, "expected an object that is not a proxy");
  }
  v8::Local<v8::Array> keys;
  if (arguments[0]
          .As<v8::Object>()
          ->GetPropertyNames(isolate->GetCurrentContext(), v8::KeyCollectionMode::kOwnOnly, v8::ONLY_ENUMERABLE,
                             v8::IndexFilter::kSkipIndices, v8::KeyConversionMode::kConvertToString)
          .ToLocal(&keys)) {
    arguments.GetReturnValue().Set(keys);
  }
}

// promise_result(promise): undefined while it is pending, then an array of "fulfilled" or "rejected" and the value.
void promise_result(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  if (!arguments[0]->IsPromise()) return throw_type_error(isolate, "a promise is expected");
  const auto promise = arguments[0].As<v8::Promise>();
  if (promise->State() == v8::Promise::kPending) return;
  const bool fulfilled = promise->State() == v8::Promise::kFulfilled;
  v8::Local<v8::Value> result[] = {name(isolate, fulfilled ? "fulfilled" : "rejected"), promise->Result()};
  arguments.GetReturnValue().Set(v8::Array::New(isolate, result, 2));
}

}  // namespace

std::span<const NativeFunction> inspect_functions() {
  static constexpr NativeFunction functions[] = {
      {"class_of", class_of},
      {"named_keys", named_keys},
      {"promise_result", promise_result},
  };
  return functions;
}

}  // namespace glovebox::guest
