// Checks a program before its run: lists the servers that it names, has TypeScript's checker, or a guest that parses
// Python (python_check/), check it, and suggests corrections.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "check/kept_verdicts.h"
#include "check/type_checker.h"
#include "code_check/python/written_calls.h"
#include "code_check/tool_advice.h"
#include "gateway/runs/code_check.h"
#include "types/sealed/type_generator.h"

namespace glovebox::code_check {

struct CodeCheckerOptions {
  check::TypeCheckerOptions types{};
  // What a guest reads in Python code; `done` is called on this thread.
  std::function<void(const std::string& code, std::function<void(Result<WrittenCalls>)> done)> read_python;
  // Whether names that are unknown here are asked of another gateway, so that they may be called.
  std::function<bool()> has_remote;
  // Removes findings about names that are tools although no server has them.
  std::function<void(std::vector<Diagnostic>&)> drop_known;
  SearchTools nearest;
};

class CodeChecker : public std::enable_shared_from_this<CodeChecker> {
 public:
  CodeChecker(boost::asio::any_io_executor executor, std::shared_ptr<catalog::Catalog> catalog,
              std::shared_ptr<types::TypeGenerator> types, CodeCheckerOptions options);

  // Servers that the program speaks of and that have not been listed yet are started for it. One that cannot be listed
  // in time can be called anyhow, as far as the check is concerned. `done` as gateway::CheckCode has it.
  void check(gateway::CodeToCheck code, std::function<void(gateway::CodeReport)> done);

  // The declarations are made again when they are next needed.
  void tools_changed() {
    stale_ = true;
    ++changes_;
    read_.clear();
  }

 private:
  struct Question;

  std::vector<std::string> servers_in(const std::string& code) const;
  // Waits for their lists, but no longer than `until`.
  void list(std::vector<std::string> servers, std::chrono::steady_clock::time_point until, std::function<void()> done);
  void ask(const std::shared_ptr<Question>& question);
  void ask_about_python(const std::shared_ptr<Question>& question);
  check::CheckReport check_python_of(const Question& question, const WrittenCalls& written) const;
  void on_report(const std::shared_ptr<Question>& question, check::CheckReport report);
  using Declarations = std::shared_ptr<const std::string>;
  // With these as well, which may have any tool.
  void declare(const std::vector<std::string>& foreign, std::function<void(Declarations)> then);
  types::ComposeText all_tools(const std::vector<std::string>& foreign) const;
  void check_against(const std::shared_ptr<Question>& question, const Declarations& declared);

  boost::asio::any_io_executor executor_;
  std::shared_ptr<catalog::Catalog> catalog_;
  std::shared_ptr<types::TypeGenerator> types_;
  CodeCheckerOptions options_;
  check::TypeChecker checker_;
  Declarations declarations_;
  bool stale_ = true;
  std::size_t changes_ = 0;
  std::string digest_;  // of the declarations
  check::KeptVerdicts verdicts_;
  // Programs that were read last, for those that run again and again.
  std::deque<std::pair<std::string, std::shared_ptr<const WrittenCalls>>> read_;
};

}  // namespace glovebox::code_check
