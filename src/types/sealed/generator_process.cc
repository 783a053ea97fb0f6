#include "types/sealed/generator_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <vector>

#include "base/program_part.h"
#include "base/sockets/socket_pair.h"
#include "base/system_error.h"
#include "base/text/log_text.h"
#include "base/text/utf8.h"
#include "base/try.h"
#include "jail/confinement/seccomp_policy.h"
#include "types/sealed/generator_confinement.h"
#include "types/sealed/generator_limits.h"
#include "types/sealed/generator_protocol.h"

namespace glovebox::types {
namespace {

constexpr std::size_t kMostReportBytes = 256;

Failure ended() {
  return {ErrorCode::kSandboxUnavailable, "the type generator ended"};
}

}  // namespace

Result<GeneratorProcess> GeneratorProcess::start(const Spec& spec, Deadline deadline) {
  const base::UniqueFd program(::open(spec.program.c_str(), O_RDONLY | O_CLOEXEC));
  if (!program.valid()) {
    return Failure{ErrorCode::kNotFound, base::system_failure(errno, "the type generator " + spec.program).message +
                                             "; " + base::kIncompleteCopy};
  }
  auto [ours, theirs] = GLOVEBOX_TRY(base::socket_pair(SOCK_STREAM));

  int descriptors[] = {jail::kNowhere, jail::kNowhere, jail::kNowhere, theirs.get(), program.get()};
  static_assert(std::size(descriptors) == kGeneratorProgramFd + 1);
  const char* const arguments[] = {"glovebox-types", nullptr};
  const char* const environment[] = {nullptr};
  jail::Subject subject{generator_confinement(), spec.missing_layers};
  subject.descriptors = descriptors;
  subject.peer = kGeneratorSocketFd;
  subject.folder = "/";
  subject.closed_by_exec = 1u << kGeneratorProgramFd;
  subject.program = kGeneratorProgramFd;
  subject.arguments = const_cast<char* const*>(arguments);
  subject.environment = const_cast<char* const*>(environment);
  subject.report_head = {&kNotSealed, 1};
  auto process = GLOVEBOX_TRY(jail::ConfinedProcess::start(subject));
  theirs.reset();
  GeneratorProcess generator(std::move(process), std::move(ours), spec.stop);
  GLOVEBOX_TRY_VOID(generator.greet(deadline));
  return generator;
}

Result<void> GeneratorProcess::greet(Deadline deadline) {
  const std::vector<sock_filter> filter = GLOVEBOX_TRY(jail::compile_seccomp_filter(generator_confinement().filter));
  GeneratorHello hello;
  hello.missing_layers = process_.missing_layers();
  hello.filter_instructions = static_cast<std::uint32_t>(filter.size());
  std::string greeting(reinterpret_cast<const char*>(&hello), sizeof hello);
  greeting.append(reinterpret_cast<const char*>(filter.data()), filter.size() * sizeof(sock_filter));
  // One that could not be started is gone before it reads this, and has left its reason.
  (void)send(greeting, deadline);
  char word = 0;
  GLOVEBOX_TRY_VOID(receive(&word, 1, deadline));
  if (word == kSealed) return {};
  if (word != kNotSealed) return Failure{ErrorCode::kProtocol, "the type generator is of another build"};
  return Failure{ErrorCode::kSandboxUnavailable, "the type generator could not be sealed: " + rest_of_report(deadline)};
}

std::string GeneratorProcess::rest_of_report(Deadline deadline) const {
  std::string text;
  char letter = 0;
  while (text.size() < kMostReportBytes && receive(&letter, 1, deadline)) text += letter;
  return base::is_utf8(text) ? base::neutralise(text) : "for no reason that can be read";
}

Result<std::string> GeneratorProcess::ask(std::string_view question, Deadline deadline) {
  auto size = static_cast<std::uint32_t>(question.size());
  std::string message(reinterpret_cast<const char*>(&size), sizeof size);
  message += question;
  GLOVEBOX_TRY_VOID(send(message, deadline));
  GLOVEBOX_TRY_VOID(receive(reinterpret_cast<char*>(&size), sizeof size, deadline));
  if (size > kMostAnswerBytes) return Failure{ErrorCode::kProtocol, "the type generator's answer is too long"};
  std::string answer(size, '\0');
  GLOVEBOX_TRY_VOID(receive(answer.data(), answer.size(), deadline));
  return answer;
}

Result<void> GeneratorProcess::wait(short events, Deadline deadline) const {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return Failure{ErrorCode::kSandboxUnavailable, "the type generator took too long"};
    pollfd polled[] = {{socket_.get(), events, 0}, {stop_, POLLIN, 0}};
    const int ready = ::poll(polled, 2, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000)));
    if (ready < 0 && errno != EINTR) return base::system_failure(errno, "poll");
    if (ready <= 0) continue;
    if (polled[1].revents) return Failure{ErrorCode::kSandboxUnavailable, "the type generator is being closed"};
    return {};
  }
}

Result<void> GeneratorProcess::send(std::string_view bytes, Deadline deadline) const {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno != EAGAIN && errno != EINTR) return ended();
    if (count < 0) {
      GLOVEBOX_TRY_VOID(wait(POLLOUT, deadline));
    } else {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  return {};
}

Result<void> GeneratorProcess::receive(char* bytes, std::size_t size, Deadline deadline) const {
  while (size > 0) {
    const ssize_t count = ::recv(socket_.get(), bytes, size, MSG_DONTWAIT);
    if (count < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNRESET) return ended();
    if (count == 0) return ended();
    if (count < 0) {
      // What it has left unread resets the connection once, before what it has said can be read.
      if (errno != ECONNRESET) GLOVEBOX_TRY_VOID(wait(POLLIN, deadline));
    } else {
      bytes += count;
      size -= static_cast<std::size_t>(count);
    }
  }
  return {};
}

}  // namespace glovebox::types
