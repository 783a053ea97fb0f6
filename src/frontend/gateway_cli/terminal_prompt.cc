#include "frontend/gateway_cli/terminal_prompt.h"

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/read_until.hpp>
#include <istream>

#include "frontend/mcp_tools/run_reply.h"

namespace glovebox::frontend {
namespace {

constexpr const char* kMany = "Allow? [y]es once, for this [r]un, for this [s]ession, [a]lways, [n]o > ";
constexpr const char* kOnce = "Allow? [y]es once, [n]o > ";

}  // namespace

std::optional<Reply> read_reply(std::string_view line, bool can_be_remembered) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  const auto is = [line](std::string_view letter, std::string_view word) { return line == letter || line == word; };
  if (is("n", "no")) return Reply{false, store::Scope::kOnce};
  if (is("y", "yes")) return Reply{true, store::Scope::kOnce};
  if (!can_be_remembered) return std::nullopt;
  if (is("r", "run")) return Reply{true, store::Scope::kRun};
  if (is("s", "session")) return Reply{true, store::Scope::kSession};
  if (is("a", "always")) return Reply{true, store::Scope::kAlways};
  return std::nullopt;
}

std::unique_ptr<TerminalPrompt> TerminalPrompt::open(const boost::asio::any_io_executor& executor) {
  const int fd = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return nullptr;
  return std::unique_ptr<TerminalPrompt>(new TerminalPrompt(executor, fd));
}

void TerminalPrompt::ask(const gateway::ApprovalCard& card, std::function<void(gateway::ApprovalAnswer)> answered) {
  questions_.push_back({card, std::move(answered)});
  if (questions_.size() == 1) show();
}

void TerminalPrompt::show() {
  const gateway::ApprovalCard& card = questions_.front().card;
  print("\n" + card_text(card) + "\n" + (can_be_remembered(card) ? kMany : kOnce));
  read();
}

void TerminalPrompt::read() {
  boost::asio::async_read_until(terminal_, typed_, '\n', [this](auto error, std::size_t) {
    if (error) return;
    std::istream stream(&typed_);
    std::string line;
    std::getline(stream, line);
    on_line(line);
  });
}

void TerminalPrompt::on_line(const std::string& line) {
  const auto reply = read_reply(line, can_be_remembered(questions_.front().card));
  if (!reply) {
    print(can_be_remembered(questions_.front().card) ? kMany : kOnce);
    return read();
  }
  const Question question = std::move(questions_.front());
  questions_.pop_front();
  gateway::ApprovalAnswer answer;
  answer.approval = question.card.id;
  answer.approved = reply->approved;
  answer.scope = reply->scope;
  answer.who = "terminal";
  answer.channel = "terminal";
  question.answered(std::move(answer));
  if (!questions_.empty()) show();
}

void TerminalPrompt::print(const std::string& text) {
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t written = ::write(terminal_.native_handle(), left.data(), left.size());
    if (written <= 0 && errno != EINTR) return;
    if (written > 0) left.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace glovebox::frontend
