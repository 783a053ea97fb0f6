#include "cli/session/terminal_prompt.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/read_until.hpp>
#include <istream>

#include "base/digest.h"
#include "gateway/approvals/approval_text.h"
#include "gateway/approvals/reply.h"

namespace glovebox::cli {
namespace {

// Between an approval request and its prompt, so that a key that was meant for something else is dropped.
constexpr std::chrono::milliseconds kPause{300};

std::size_t columns_of(int terminal) {
  winsize size{};
  return ::ioctl(terminal, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : gateway::ApprovalLayout{}.columns;
}

std::string question_text(std::string_view word, bool can_be_remembered) {
  if (word == "y") {
    return can_be_remembered ? "Allow? [y]es once, for this [r]un, for this [s]ession, [a]lways, [n]o > "
                             : "Allow? [y]es once, [n]o > ";
  }
  const std::string yes(word);
  std::string text = "Allow? Type " + yes + " for yes, once";
  if (can_be_remembered) text += ", " + yes + "r for this run, " + yes + "s for this session, " + yes + "a for always";
  return text + ", n for no > ";
}

}  // namespace

std::unique_ptr<TerminalPrompt> TerminalPrompt::open(const boost::asio::any_io_executor& executor) {
  const int fd = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return nullptr;
  return std::unique_ptr<TerminalPrompt>(new TerminalPrompt(executor, fd));
}

void TerminalPrompt::ask(const gateway::ApprovalRequest& request, Answered answered) {
  const std::size_t calls = gateway::calls_on(request);
  add({request, "", calls > 1 ? std::to_string(calls) : "y", gateway::can_be_remembered(request), true,
       std::move(answered)});
}

void TerminalPrompt::ask_for_code(const gateway::ApprovalRequest& request, std::string note, std::string code,
                                  Answered answered) {
  add({request, std::move(note), std::move(code), false, false, std::move(answered)});
}

void TerminalPrompt::add(Question question) {
  questions_.push_back(std::move(question));
  if (questions_.size() == 1) show();
}

// A yes is to what the person has seen: whatever is typed before the question appears is dropped.
void TerminalPrompt::show() {
  const Question& question = questions_.front();
  gateway::ApprovalLayout layout;
  layout.columns = columns_of(terminal_.native_handle());
  print("\n" + gateway::approval_text(question.request, layout) + "\n" + question.note);
  pause_.expires_after(kPause);
  pause_.async_wait([this](auto error) {
    if (error) return;
    forget_what_was_typed();
    print(question_text(questions_.front().word, questions_.front().can_be_remembered));
    read();
  });
}

void TerminalPrompt::forget_what_was_typed() {
  typed_.consume(typed_.size());
  ::tcflush(terminal_.native_handle(), TCIFLUSH);
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
  auto reply = gateway::typed_reply(line, questions_.front().word, questions_.front().can_be_remembered);
  if (!reply && !questions_.front().may_try_again) reply = gateway::Reply{};
  if (!reply) {
    print(question_text(questions_.front().word, questions_.front().can_be_remembered));
    return read();
  }
  const Question question = std::move(questions_.front());
  questions_.pop_front();
  gateway::ApprovalAnswer answer;
  answer.approval = question.request.id;
  answer.approved = reply->approved;
  answer.scope = reply->scope;
  answer.who = "terminal";
  answer.channel = "terminal";
  answer.shown = base::sha256_hex(question.request.json);
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

}  // namespace glovebox::cli
