// TypeChecker: TypeScript programs against the declarations of the tools, by TypeScript's own language server, which is
// kept warm in a sealed process (check/sealed_process.h).
//
// Programs and declarations are hostile. Whatever they do to the server, a check ends in time: with what was found, or
// with a note that says why it could not be made. A server that dies, lies or hangs is replaced by the next check.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "check/limits.h"
#include "glovebox/diagnostic.h"

namespace glovebox::check {

struct CheckRequest {
  std::string code;
  // What the tools are, as TypeScript (types/declarations.h). The same object is not sent twice.
  std::shared_ptr<const std::string> declarations;
};

struct CheckReport {
  std::vector<Diagnostic> diagnostics;  // all of them warnings so far
  std::string note;                     // why nothing was checked; empty when it was
  double milliseconds = 0;              // from the question to the answer
};

struct TypeCheckerOptions {
  std::string program;  // TypeScript 7's tsc; empty: beside this program, or where it was built
  std::chrono::milliseconds check_time = kCheckTime;
  std::chrono::milliseconds start_time = kStartTime;
  std::chrono::milliseconds idle_time = kIdleTime;
  std::size_t memory_bytes = kMemoryLimit;
  std::uint32_t missing_layers = 0;  // kWithout… of jail/zygote_protocol.h: not here, and the owner accepts that
};

class TypeChecker {
 public:
  TypeChecker(boost::asio::any_io_executor executor, TypeCheckerOptions options);
  // Questions that are open are not answered any more.
  ~TypeChecker();
  TypeChecker(const TypeChecker&) = delete;
  TypeChecker& operator=(const TypeChecker&) = delete;

  // `done` runs on the executor, once, never from within this function.
  void check(CheckRequest request, std::function<void(CheckReport)> done);

 private:
  class Worker;
  std::shared_ptr<Worker> worker_;
};

}  // namespace glovebox::check
