// Result<T>: a value, or the reason why there is none. The only error channel of Glovebox's own code.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace glovebox {

// What went wrong, as a closed set: callers switch on it, people read the message.
enum class ErrorCode {
  kInvalidArgument,     // the caller's input is wrong; the message says how to fix it
  kNotFound,            // a file or program that must exist does not
  kSystem,              // the operating system refused a call that normally succeeds
  kFeatureMissing,      // the kernel lacks a confinement layer; the message names it
  kSandboxUnavailable,  // the zygote did not start or died
  kProtocol,            // a peer broke the frame grammar
  kConflict,            // what was to be changed is no longer as it was seen
};

struct [[nodiscard]] Failure {
  ErrorCode code;
  std::string message;
};

// `E` is Failure but where callers need to know more than a person does, such as the errno of a file operation.
template <typename T, typename E = Failure>
class [[nodiscard]] Result {
 public:
  using Value = T;

  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(E failure) : state_(std::move(failure)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const E& failure() const& { return std::get<1>(state_); }
  E&& failure() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, E> state_;
};

template <typename E>
class [[nodiscard]] Result<void, E> {
 public:
  using Value = void;

  Result() = default;
  Result(E failure) : failure_(std::move(failure)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !failure_.has_value(); }
  explicit operator bool() const { return ok(); }
  const E& failure() const& { return *failure_; }
  E&& failure() && { return std::move(*failure_); }

 private:
  std::optional<E> failure_;
};

}  // namespace glovebox
