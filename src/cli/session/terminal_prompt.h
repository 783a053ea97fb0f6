// Asks for approvals on the terminal of the person who typed the command, whatever standard input and output are used
// for.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/streambuf.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "gateway/approvals/approval_answer.h"
#include "gateway/approvals/approval_request.h"

namespace glovebox::cli {

class TerminalPrompt {
 public:
  // Null when there is no terminal.
  static std::unique_ptr<TerminalPrompt> open(const boost::asio::any_io_executor& executor);

  using Answered = std::function<void(gateway::ApprovalAnswer)>;
  // One request after the other. What was typed before the prompt is shown does not count. Several calls are allowed by
  // their number. `answered` is not called when the terminal ends.
  void ask(const gateway::ApprovalRequest& request, Answered answered);
  // A yes is `code`, which is shown on the terminal only; anything else is a no. `note` is shown below the request.
  void ask_for_code(const gateway::ApprovalRequest& request, std::string note, std::string code, Answered answered);

 private:
  struct Question {
    gateway::ApprovalRequest request;
    std::string note;
    std::string word;  // what a yes is
    bool can_be_remembered = false;
    bool may_try_again = true;
    Answered answered;
  };
  TerminalPrompt(const boost::asio::any_io_executor& executor, int fd) : terminal_(executor, fd), pause_(executor) {}
  void add(Question question);
  void show();
  void forget_what_was_typed();
  void read();
  void on_line(const std::string& line);
  void print(const std::string& text);

  boost::asio::posix::stream_descriptor terminal_;
  boost::asio::steady_timer pause_;
  boost::asio::streambuf typed_;
  std::deque<Question> questions_;
};

}  // namespace glovebox::cli
