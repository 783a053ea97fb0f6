#include "types/program/sealed_loop.h"

#include <errno.h>
#include <unistd.h>

#include <vector>

#include "jail/confinement/confinement.h"
#include "types/sealed/generator_confinement.h"
#include "types/sealed/generator_limits.h"
#include "types/sealed/generator_protocol.h"

namespace glovebox::types {
namespace {

// Ends the process where the gateway is gone.
void read_all(void* bytes, std::size_t size) {
  for (char* at = static_cast<char*>(bytes); size > 0;) {
    const ssize_t count = ::read(kGeneratorSocketFd, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) ::_exit(0);
    at += count;
    size -= static_cast<std::size_t>(count);
  }
}

void write_all(const void* bytes, std::size_t size) {
  for (const char* at = static_cast<const char*>(bytes); size > 0;) {
    const ssize_t count = ::write(kGeneratorSocketFd, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) ::_exit(0);
    at += count;
    size -= static_cast<std::size_t>(count);
  }
}

[[noreturn]] void refuse(std::string_view why) {
  const std::string report = kNotSealed + std::string(why);
  write_all(report.data(), report.size());
  ::_exit(1);
}

void seal() {
  GeneratorHello hello;
  read_all(&hello, sizeof hello);
  constexpr std::uint32_t kMostInstructions = 4096;  // the kernel's own limit
  if (hello.version != kGeneratorVersion || hello.filter_instructions > kMostInstructions)
    refuse("it is of another build than the gateway");
  std::vector<sock_filter> filter(hello.filter_instructions);
  read_all(filter.data(), filter.size() * sizeof(sock_filter));
  int descriptors[] = {jail::kNone, jail::kNone, jail::kNone, kGeneratorSocketFd};
  jail::Subject subject{generator_confinement(), hello.missing_layers};
  subject.filter = filter;
  subject.descriptors = descriptors;
  subject.peer = kGeneratorSocketFd;
  if (const jail::Step* failed = jail::apply_steps(jail::MadeIn::kProgram, subject)) {
    char text[256];
    refuse({text, jail::describe_failure(*failed, subject, text)});
  }
}

}  // namespace

void serve_sealed(AnswerQuestion answer) {
  seal();
  write_all(&kSealed, 1);
  std::string question;
  while (true) {
    std::uint32_t size = 0;
    read_all(&size, sizeof size);
    if (size > kMostQuestionBytes) ::_exit(1);
    question.resize(size);
    read_all(question.data(), size);
    std::string message(sizeof size, '\0');
    message += answer(question);
    size = static_cast<std::uint32_t>(message.size() - sizeof size);
    message.replace(0, sizeof size, reinterpret_cast<const char*>(&size), sizeof size);
    write_all(message.data(), message.size());
  }
}

}  // namespace glovebox::types
