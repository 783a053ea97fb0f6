// structuredClone by V8's own serializer: write the value, hand over the transferred buffers, read it back.
#include <vector>

#include "guest/text.h"
#include "guest/web/native_call.h"
#include "guest/web/web_ops.h"

namespace glovebox::guest {
namespace {

// What the prelude passes beside the value.
struct CloneRequest {
  v8::Local<v8::Function> throw_data_clone_error;  // (message): throws the DOMException
  v8::Local<v8::Function> clone_platform_object;   // (object): its clone, or undefined when it has none
  v8::LocalVector<v8::Object> platform_prototypes;
  v8::LocalVector<v8::ArrayBuffer> transferred;

  explicit CloneRequest(v8::Isolate* isolate) : platform_prototypes(isolate), transferred(isolate) {}
};

// Leaves the exception pending that the prelude throws for `message`.
void throw_data_clone_error(v8::Isolate* isolate, const CloneRequest& request, v8::Local<v8::String> message) {
  v8::Local<v8::Value> arguments[] = {message};
  v8::Local<v8::Value> ignored;
  if (request.throw_data_clone_error->Call(isolate->GetCurrentContext(), v8::Undefined(isolate), 1, arguments)
          .ToLocal(&ignored)) {
    throw_type_error(isolate, "the value could not be cloned");
  }
}

// Web objects have no form on the wire. Their clones wait here, and the wire carries a number. Global handles, because
// the serializer closes the scope in which a clone was made.
using PlatformClones = std::vector<v8::Global<v8::Object>>;

class Writer : public v8::ValueSerializer::Delegate {
 public:
  Writer(v8::Isolate* isolate, const CloneRequest& request, PlatformClones& clones)
      : isolate_(isolate), request_(request), clones_(clones), serializer_(isolate, this) {}

  v8::ValueSerializer& serializer() { return serializer_; }

  void ThrowDataCloneError(v8::Local<v8::String> message) override {
    throw_data_clone_error(isolate_, request_, message);
  }

  bool HasCustomHostObject(v8::Isolate*) override { return true; }

  // To V8 a URL is an object like any other. Its chain of prototypes distinguishes it.
  v8::Maybe<bool> IsHostObject(v8::Isolate*, v8::Local<v8::Object> object) override {
    constexpr int kLongestChain = 16;
    v8::Local<v8::Value> prototype = object->GetPrototypeV2();
    for (int i = 0; i < kLongestChain && prototype->IsObject() && !prototype->IsProxy(); ++i) {
      for (const auto& candidate : request_.platform_prototypes) {
        if (prototype->StrictEquals(candidate)) return v8::Just(true);
      }
      prototype = prototype.As<v8::Object>()->GetPrototypeV2();
    }
    return v8::Just(false);
  }

  v8::Maybe<bool> WriteHostObject(v8::Isolate* isolate, v8::Local<v8::Object> object) override {
    v8::Local<v8::Value> arguments[] = {object};
    v8::Local<v8::Value> clone;
    if (!request_.clone_platform_object->Call(isolate->GetCurrentContext(), v8::Undefined(isolate), 1, arguments)
             .ToLocal(&clone)) {
      return v8::Nothing<bool>();
    }
    if (!clone->IsObject()) return refuse<bool>("This object could not be cloned.");
    serializer_.WriteUint32(static_cast<std::uint32_t>(clones_.size()));
    clones_.emplace_back(isolate, clone.As<v8::Object>());
    return v8::Just(true);
  }

  v8::Maybe<std::uint32_t> GetSharedArrayBufferId(v8::Isolate*, v8::Local<v8::SharedArrayBuffer>) override {
    return refuse<std::uint32_t>("A SharedArrayBuffer could not be cloned.");
  }

  v8::Maybe<std::uint32_t> GetWasmModuleTransferId(v8::Isolate*, v8::Local<v8::WasmModuleObject>) override {
    return refuse<std::uint32_t>("A WebAssembly.Module could not be cloned.");
  }

 private:
  template <typename T>
  v8::Maybe<T> refuse(const char* message) {
    ThrowDataCloneError(name(isolate_, message));
    return v8::Nothing<T>();
  }

  v8::Isolate* isolate_;
  const CloneRequest& request_;
  PlatformClones& clones_;
  v8::ValueSerializer serializer_;
};

class Reader : public v8::ValueDeserializer::Delegate {
 public:
  Reader(v8::Isolate* isolate, std::span<const std::uint8_t> wire, const PlatformClones& clones)
      : clones_(clones), deserializer_(isolate, wire.data(), wire.size(), this) {}

  v8::ValueDeserializer& deserializer() { return deserializer_; }

  v8::MaybeLocal<v8::Object> ReadHostObject(v8::Isolate* isolate) override {
    std::uint32_t index = 0;
    if (deserializer_.ReadUint32(&index) && index < clones_.size()) return clones_[index].Get(isolate);
    throw_type_error(isolate, "the value could not be cloned");
    return {};
  }

 private:
  const PlatformClones& clones_;
  v8::ValueDeserializer deserializer_;
};

bool read_request(const Arguments& arguments, CloneRequest& request) {
  v8::Isolate* isolate = arguments.GetIsolate();
  const auto context = isolate->GetCurrentContext();
  if (!arguments[1]->IsArray() || !arguments[2]->IsFunction() || !arguments[3]->IsFunction() ||
      !arguments[4]->IsArray()) {
    throw_type_error(isolate, "two functions between two arrays are expected");
    return false;
  }
  request.throw_data_clone_error = arguments[2].As<v8::Function>();
  request.clone_platform_object = arguments[3].As<v8::Function>();

  const auto prototypes = arguments[4].As<v8::Array>();
  for (std::uint32_t i = 0; i < prototypes->Length(); ++i) {
    v8::Local<v8::Value> prototype;
    if (!prototypes->Get(context, i).ToLocal(&prototype)) return false;
    if (prototype->IsObject()) request.platform_prototypes.push_back(prototype.As<v8::Object>());
  }

  const auto transfer = arguments[1].As<v8::Array>();
  for (std::uint32_t i = 0; i < transfer->Length(); ++i) {
    v8::Local<v8::Value> item;
    if (!transfer->Get(context, i).ToLocal(&item)) return false;
    const char* objection = nullptr;
    if (!item->IsArrayBuffer()) {
      objection = "A value in the transfer list could not be transferred.";
    } else if (const auto buffer = item.As<v8::ArrayBuffer>(); buffer->WasDetached() || !buffer->IsDetachable()) {
      objection = "An ArrayBuffer is detached or fixed in its place and could not be transferred.";
    } else {
      for (const auto& earlier : request.transferred) {
        if (earlier->StrictEquals(item)) objection = "The transfer list contains a duplicate ArrayBuffer.";
      }
    }
    if (objection) {
      throw_data_clone_error(isolate, request, name(isolate, objection));
      return false;
    }
    request.transferred.push_back(item.As<v8::ArrayBuffer>());
  }
  return true;
}

// Moves the memory of each transferred buffer into a new one. Writing may have run getters that detached some.
bool hand_over(v8::Isolate* isolate, const CloneRequest& request, v8::LocalVector<v8::ArrayBuffer>& received) {
  for (const auto& buffer : request.transferred) {
    const std::shared_ptr<v8::BackingStore> store = buffer->GetBackingStore();
    if (buffer->WasDetached() || !buffer->IsDetachable() || !buffer->Detach({}).FromMaybe(false)) {
      throw_data_clone_error(isolate, request, name(isolate, "An ArrayBuffer could not be transferred."));
      return false;
    }
    received.push_back(v8::ArrayBuffer::New(isolate, store));
  }
  return true;
}

// structured_clone(value, transfer, throw_data_clone_error, clone_platform_object, platform_prototypes): the clone.
void structured_clone(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  const auto context = isolate->GetCurrentContext();
  CloneRequest request(isolate);
  if (!read_request(arguments, request)) return;

  PlatformClones clones;
  Writer writer(isolate, request, clones);
  writer.serializer().WriteHeader();
  for (std::uint32_t id = 0; id < request.transferred.size(); ++id) {
    writer.serializer().TransferArrayBuffer(id, request.transferred[id]);
  }
  if (!writer.serializer().WriteValue(context, arguments[0]).FromMaybe(false)) return;
  const auto [memory, length] = writer.serializer().Release();
  const std::unique_ptr<std::uint8_t[], FreeMemory> wire(memory);

  v8::LocalVector<v8::ArrayBuffer> received(isolate);
  if (!hand_over(isolate, request, received)) return;

  Reader reader(isolate, {wire.get(), length}, clones);
  if (!reader.deserializer().ReadHeader(context).FromMaybe(false)) return;
  for (std::uint32_t id = 0; id < received.size(); ++id) {
    reader.deserializer().TransferArrayBuffer(id, received[id]);
  }
  v8::Local<v8::Value> clone;
  if (reader.deserializer().ReadValue(context).ToLocal(&clone)) arguments.GetReturnValue().Set(clone);
}

}  // namespace

std::span<const NativeFunction> clone_functions() {
  static constexpr NativeFunction functions[] = {
      {"structured_clone", structured_clone},
  };
  return functions;
}

}  // namespace glovebox::guest
