// Reads Python programs one after the other, in a guest that is kept for that as TypeScript's checker is: our program
// asks for the next one as it would call a tool. It is started when it is needed, and let go when it has been idle.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "code_check/python/written_calls.h"
#include "glovebox/sandbox.h"
#include "glovebox/tools.h"

namespace glovebox::code_check {

class PythonReader : public std::enable_shared_from_this<PythonReader> {
 public:
  using Done = std::function<void(Result<WrittenCalls>)>;

  // All of it happens on the executor's thread. `stays`: a guest may wait for the next program; it holds a place and
  // memory that runs may want.
  PythonReader(boost::asio::any_io_executor executor, Sandbox& sandbox, bool stays);

  // `servers` are names that a program has without `mcp.` before them. `done` is called later, once; it fails where no
  // guest can be had or a program takes too long. Not at all when this is gone.
  void read(const std::string& code, const std::vector<std::string>& servers, Done done);

 private:
  class Desk;
  struct Question {
    std::string asked;
    Done done;
  };

  void start();
  void on_call(std::uint64_t generation, const std::string& arguments, const ToolAnswer& answer);
  void on_end(std::uint64_t generation, const std::string& why);
  void hand_next();
  void let_go();
  void finish(Result<WrittenCalls> read);
  // Replaces the timer that was set before.
  void after(std::chrono::milliseconds time, std::function<void()> action);
  void no_alarm();

  boost::asio::any_io_executor executor_;
  Sandbox& sandbox_;
  bool stays_;
  std::deque<Question> line_;
  std::optional<Question> asked_;      // of the guest
  std::optional<ToolAnswer> waiting_;  // the guest, for the next one
  std::optional<Run> run_;
  std::uint64_t generation_ = 0;  // which guest; earlier ones are not listened to
  std::size_t read_ = 0;          // by this one
  boost::asio::steady_timer timer_;
  std::uint64_t alarm_ = 0;  // the timer that counts: the handler of a cancelled one may still run
};

}  // namespace glovebox::code_check
