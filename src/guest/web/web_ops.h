// The native halves of the guest's web globals. Each function adds its operations to `host`, the object that only the
// prelude sees; the prelude builds the public classes on them.
#pragma once

#include <v8.h>

namespace glovebox::guest {

void install_inspect_ops(v8::Isolate* isolate, v8::Local<v8::Context> context, v8::Local<v8::Object> host);
void install_url_ops(v8::Isolate* isolate, v8::Local<v8::Context> context, v8::Local<v8::Object> host);
void install_text_ops(v8::Isolate* isolate, v8::Local<v8::Context> context, v8::Local<v8::Object> host);
void install_digest_ops(v8::Isolate* isolate, v8::Local<v8::Context> context, v8::Local<v8::Object> host);
void install_clone_ops(v8::Isolate* isolate, v8::Local<v8::Context> context, v8::Local<v8::Object> host);

}  // namespace glovebox::guest
