// LanguageServer: a client of the language server protocol over two pipes, with a deadline for everything.
//
// Used on a thread where SIGPIPE is blocked. The server is not trusted: what it sends is bounded, its requests are
// refused, and after its first violation, as after any failure, it can only be killed.
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

  // Neither descriptor blocks; all are owned by the caller. When `stop` becomes readable, a waiting call fails.
  LanguageServer(int input, int output, int stop) : input_(input), output_(output), stop_(stop) {}

  // The result, as JSON. Whatever else the server sends meanwhile is read and dropped.
  Result<std::string> ask(std::string_view method, std::string_view params_json, Deadline deadline);
  // Sent with the next request.
  void tell(std::string_view method, std::string_view params_json);

 private:
  // Writes what is pending and reads until a whole message has arrived.
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
