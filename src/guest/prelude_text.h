// The prelude's texts as V8's strings. V8 keeps the text of every function; these are read where they are in this
// library, so that neither the boot image nor the heap holds a copy.
#pragma once

#include <v8.h>

#include <cstddef>
#include <deque>
#include <string_view>

namespace glovebox::guest {

class PreludeText final : public v8::String::ExternalOneByteStringResource {
 public:
  PreludeText(const char* name, std::string_view text) : name_(name), text_(text) {}
  const char* name() const { return name_; }
  const char* data() const override { return text_.data(); }
  size_t length() const override { return text_.size(); }

 protected:
  // They outlive every isolate.
  void Dispose() override {}

 private:
  const char* name_;
  std::string_view text_;
};

// In the order of their numbers. A snapshot refers to each by its place among native_references().
std::deque<PreludeText>& prelude_texts();

}  // namespace glovebox::guest
