// Result<T>: a value or an Error. The only error channel of Glovebox's own code.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace glovebox {

// What went wrong, as a closed set: callers switch on it, people read the message.
enum class ErrorCode {
  kInvalidArgument,     // the caller's input is wrong; the message says how to mend it
  kNotFound,            // a file or program that must exist does not
  kSystem,              // the operating system refused a call that normally succeeds
  kFeatureMissing,      // the kernel lacks a confinement layer; the message names it
  kSandboxUnavailable,  // the zygote did not start or died
  kProtocol,            // a peer broke the frame grammar
};

struct [[nodiscard]] Failure {
  ErrorCode code;
  std::string message;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}            // NOLINT(google-explicit-constructor)
  Result(Failure failure) : state_(std::move(failure)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  T* operator->() { return &value(); }

  const Failure& failure() const& { return std::get<1>(state_); }
  Failure&& failure() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Failure> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Failure failure) : failure_(std::move(failure)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !failure_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Failure& failure() const& { return *failure_; }
  Failure&& failure() && { return std::move(*failure_); }

 private:
  std::optional<Failure> failure_;
};

}  // namespace glovebox
