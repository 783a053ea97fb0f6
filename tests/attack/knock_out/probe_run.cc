// probe_run PROBES OWNER [LAYER,…]: runs each probe of the file in its own guest, with OWNER, a JSON object, as
// `owner`. Prints a line for each that found something, and at the end how the others ended. Layers that may be missing
// are named.
#include <cstdio>
#include <fstream>
#include <map>
#include <string>

#include "../oracle/program_file.h"
#include "../oracle/testbed.h"
#include "base/program_part.h"
#include "glovebox/sandbox.h"

namespace {

using namespace glovebox;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

enum class End { kNothing, kKilled, kRefused, kFound };

struct Finding {
  End end = End::kNothing;
  std::string what{};
};

Finding find(Sandbox& sandbox, const std::string& code, const std::string& owner) {
  RunRequest request;
  request.language = Language::kJavaScript;
  const bool is_block = code.starts_with('{');
  request.code = "const owner = context;\nconst found = (() => " + (is_block ? code : "(" + code + ")") +
                 ")();\nreturn typeof found === 'number' && found <= 0 ? null : found";
  request.context_json = owner;
  const auto outcome = attack::run_to_end(sandbox, std::move(request));
  if (!outcome) return {End::kFound, "the run did not end"};
  const RunError* error = outcome->error();
  if (error && error->code == "FORBIDDEN_SYSTEM_CALL") return {End::kKilled};
  if (error && (error->code == "SEAL_FAILED" || outcome->metrics.execution_ms == 0)) return {End::kRefused};
  const std::string json = to_json(*outcome);
  if (!error && json.find("\"result\":null") != std::string::npos) return {End::kNothing};
  return {End::kFound, json};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  SandboxOptions options;
  options.pool_size = 0;
  options.warm_typescript = false;
  options.guest_library_path = base::program_part("libglovebox-guest-probe.so");
  if (argc > 3) options.degraded = split(argv[3]);
  auto sandbox = Sandbox::start(std::move(options));
  if (sandbox) {
    if (const auto warm = sandbox->wait_until_warm(); !warm) sandbox = warm.failure();
  }
  if (!sandbox) {
    std::printf("refused: %s\n", sandbox.failure().message.c_str());
    return 4;
  }
  std::ifstream probes(argv[1]);
  std::map<End, int> ends;
  for (std::string line; std::getline(probes, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t code = line.find(" | ", line.find(" | ") + 3);
    const Finding finding = find(*sandbox, line.substr(code + 3), argv[2]);
    if (finding.end == End::kFound) std::printf("found: %s: %s\n", line.substr(0, code).c_str(), finding.what.c_str());
    ++ends[finding.end];
  }
  std::printf("nothing %d, killed %d, refused %d\n", ends[End::kNothing], ends[End::kKilled], ends[End::kRefused]);
  return 0;
}
