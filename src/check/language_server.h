// The language server protocol, our side of it: questions and answers over two pipes, with a deadline for everything.
//
// Used on a thread where SIGPIPE is blocked. The other side is not trusted. What it sends is bounded, what it asks is
// refused, and its first breach ends it: after a failure it is good for nothing but being killed.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::check {

class LanguageServer {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  // Neither descriptor blocks; all stay their owner's. When `stop` becomes readable, whoever waits is told so.
  LanguageServer(int input, int output, int stop) : input_(input), output_(output), stop_(stop) {}

  // The result, as JSON. Whatever it says meanwhile is read and dropped.
  Result<std::string> ask(std::string_view method, std::string_view params_json, Deadline deadline);
  // Leaves with the next question.
  void tell(std::string_view method, std::string_view params_json);

 private:
  // Writes what is due and reads until a whole message has come.
  Result<std::string> next_message(Deadline deadline);
  // The first whole message in received_; empty when there is none.
  Result<std::string> take_message();
  Result<void> write_some();
  Result<void> read_some();
  void send(std::string_view message);

  int input_;
  int output_;
  int stop_;
  std::int64_t next_id_ = 1;
  std::string to_send_;
  std::size_t sent_ = 0;
  std::string received_;
  std::size_t answer_bytes_ = 0;
};

}  // namespace glovebox::check
