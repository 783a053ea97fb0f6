// Approvals on the terminal of the person who typed the command, whatever standard input and output are used for.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/streambuf.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "gateway/approval_answer.h"
#include "gateway/approval_card.h"

namespace glovebox::frontend {

class TerminalPrompt {
 public:
  // Null when there is no terminal.
  static std::unique_ptr<TerminalPrompt> open(const boost::asio::any_io_executor& executor);

  // One card after the other. `answered` is not called when the terminal ends.
  void ask(const gateway::ApprovalCard& card, std::function<void(gateway::ApprovalAnswer)> answered);

 private:
  struct Question {
    gateway::ApprovalCard card;
    std::function<void(gateway::ApprovalAnswer)> answered;
  };
  TerminalPrompt(const boost::asio::any_io_executor& executor, int fd) : terminal_(executor, fd) {}
  void show();
  void read();
  void on_line(const std::string& line);
  void print(const std::string& text);

  boost::asio::posix::stream_descriptor terminal_;
  boost::asio::streambuf typed_;
  std::deque<Question> questions_;
};

// What a person typed; nothing where it has no meaning.
struct Reply {
  bool approved = false;
  store::Scope scope = store::Scope::kOnce;
};
std::optional<Reply> read_reply(std::string_view line, bool can_be_remembered);

}  // namespace glovebox::frontend
