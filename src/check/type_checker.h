// TypeChecker: checks TypeScript programs against the declarations of the tools, with TypeScript's own language server,
// which is kept warm in a sealed process (check/sealed_process.h).
//
// Programs and declarations are hostile. Whatever they do to the server, a check ends in bounded time: with its
// findings, or with a note that says why it failed. The next check replaces a server that has died, lied or hung.
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
  // The tools, as TypeScript (types/declarations.h). The same object is not sent twice in a row.
  std::shared_ptr<const std::string> declarations;
  // When the caller gives up.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

struct CheckReport {
  std::vector<Diagnostic> diagnostics;  // all of them warnings so far
  std::string note;                     // why nothing was checked; empty when it was
  double milliseconds = 0;              // from the request to the answer
};

struct TypeCheckerOptions {
  std::string program;  // TypeScript 7's tsc; empty: beside this program, or where it was built
  std::chrono::milliseconds check_time = kCheckTime;
  std::chrono::milliseconds start_time = kStartTime;
  std::chrono::milliseconds whole_time = kWholeTime;  // of both, with the time in the queue
  std::chrono::milliseconds idle_time = kIdleTime;
  std::size_t memory_bytes = kMemoryLimit;
  std::uint32_t missing_layers = 0;  // kWithout… of jail/zygote_protocol.h: missing here, and the owner accepts that
};

class TypeChecker {
 public:
  TypeChecker(boost::asio::any_io_executor executor, TypeCheckerOptions options);
  // Open requests are not answered any more.
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
