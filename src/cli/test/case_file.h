// A recorded run as a file: its input, its calls and their answers, and how it ended. docs/testing-runs.md has the
// format.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/runs/run_settings.h"
#include "glovebox/rehearsal.h"
#include "glovebox/sandbox.h"
#include "store/records.h"

namespace glovebox::cli {

struct CaseFile {
  std::string run;  // the id it had
  Language language = Language::kTypeScript;
  std::string name;
  std::string code;
  std::string context_json;
  std::string seed;
  std::int64_t now_ms = 0;
  gateway::RunSettings settings;  // limits and grants
  std::vector<ToolNamespace> servers;
  std::map<std::string, std::string> definitions;  // server:tool and the hash of its definition
  std::vector<RecordedCall> calls;
  std::string end_json;  // {"value": …} or {"error": {type, code, message}}
};

// The failure's message says what is wrong with the file.
Result<CaseFile> read_case(std::string_view text);

}  // namespace glovebox::cli
