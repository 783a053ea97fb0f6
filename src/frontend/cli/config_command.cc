#include "frontend/cli/config_command.h"

#include <cstdio>

#include "base/json_text.h"
#include "broker/guest_frames.h"
#include "broker/log_text.h"
#include "config/config_file.h"
#include "frontend/cli/exit_codes.h"

namespace glovebox::frontend {
namespace {

// A file's name may be any bytes, JSON may not.
std::string json_text(const std::string& text) {
  return base::json_string(broker::is_utf8(text) ? text : "?");
}

void print_json(const std::string& file, const std::vector<config::ConfigProblem>& problems) {
  std::string out = std::string("{\"ok\":") + (problems.empty() ? "true" : "false") + ",\"file\":" + json_text(file) +
                    ",\"problems\":[";
  for (const config::ConfigProblem& problem : problems) {
    if (out.back() != '[') out += ',';
    out += "{\"message\":" + json_text(problem.message);
    if (problem.position) {
      out += ",\"line\":" + std::to_string(problem.position->line) +
             ",\"column\":" + std::to_string(problem.position->column);
    }
    out += '}';
  }
  std::puts((out + "]}").c_str());
}

}  // namespace

int run_config_validate(const std::string& file, bool json) {
  const auto config = config::read_config_file(file);
  if (json) {
    print_json(file, config ? std::vector<config::ConfigProblem>{} : config.failure().problems);
  } else if (config) {
    std::printf("%s: ok\n", file.c_str());
  } else {
    std::fprintf(stderr, "%s\n", broker::neutralise(config.failure().text()).c_str());
  }
  return config ? kOk : kUsage;
}

}  // namespace glovebox::frontend
