// One instance of the language server: its sealed process, its open documents, and checks one after the other. Used by
// one thread, which may block until a deadline.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/finding.h"
#include "check/language_server.h"
#include "check/sealed_process.h"

namespace glovebox::check {

struct SessionSpec {
  std::string program;
  std::size_t memory_bytes = 0;
  std::uint32_t missing_layers = 0;
};

class CheckSession {
 public:
  using Deadline = LanguageServer::Deadline;

  // Started, initialized and warmed up, so that the next check is fast. `stop` as in LanguageServer.
  static Result<std::unique_ptr<CheckSession>> start(const SessionSpec& spec,
                                                     const std::shared_ptr<const std::string>& declarations, int stop,
                                                     Deadline deadline);

  // After a failure the session cannot be used any more.
  Result<std::vector<Diagnostic>> check(const std::string& code, const std::shared_ptr<const std::string>& declarations,
                                        Deadline deadline);

 private:
  CheckSession(SealedProcess process, int stop);
  Result<std::vector<TypeFinding>> findings_in(const char* document, const std::string& text, std::size_t most,
                                               Deadline deadline);
  void put(const char* document, const std::string& text);
  std::string uri_of(const std::string& document) const;

  SealedProcess process_;
  LanguageServer server_;
  std::shared_ptr<const std::string> declarations_;
  std::vector<std::string> opened_;
  int version_ = 0;
};

}  // namespace glovebox::check
