// One process of the type generator, as its gateway has it: it is sealed before it is asked anything, and every wait
// has a deadline. It is not trusted: what it sends is bounded here, and checked by those who asked.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "glovebox/result.h"
#include "jail/confinement/confined_process.h"

namespace glovebox::types {

class GeneratorProcess {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  struct Spec {
    std::string program;
    std::uint32_t missing_layers = 0;  // kWithout… that the owner accepts
    int stop = -1;                     // when it becomes readable, every wait ends
  };

  // The process dies with the calling thread.
  static Result<GeneratorProcess> start(const Spec& spec, Deadline deadline);

  // The answer, as bytes. After a failure the process can only be ended.
  Result<std::string> ask(std::string_view question, Deadline deadline);

  pid_t pid() const { return process_.pid(); }
  // Waits for it to end by itself, and returns its wait status.
  int reap() { return process_.reap(); }

 private:
  GeneratorProcess(jail::ConfinedProcess process, base::UniqueFd socket, int stop)
      : process_(std::move(process)), socket_(std::move(socket)), stop_(stop) {}
  Result<void> greet(Deadline deadline);
  Result<void> wait(short events, Deadline deadline) const;
  Result<void> send(std::string_view bytes, Deadline deadline) const;
  Result<void> receive(char* bytes, std::size_t size, Deadline deadline) const;
  std::string rest_of_report(Deadline deadline) const;

  jail::ConfinedProcess process_;
  base::UniqueFd socket_;
  int stop_;
};

}  // namespace glovebox::types
