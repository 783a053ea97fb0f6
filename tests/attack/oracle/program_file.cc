#include "program_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/source_folder.h"
#include "calls/tools/scripted_tools.h"
#include "cli/exec/grant_flags.h"
#include "terminal/quantities.h"

namespace glovebox::attack {
namespace {

namespace fs = std::filesystem;

// A program that is meant to run forever is ended by these unless it sets its own.
constexpr std::chrono::milliseconds kDefaultTimeout{5000};
constexpr std::size_t kDefaultMemoryBytes = std::size_t{128} << 20;

// Shared by all programs: the oracle counts threads, and this one existed before.
std::shared_ptr<ToolHost> scripted_tools() {
  using testing::ScriptedTools;
  static const auto shared = std::make_shared<ScriptedTools>(ScriptedTools::Ledger::kNone);
  return shared;
}

fs::path programs_folder() {
  return base::source_folder() + "/tests/attack";
}

std::string read_all(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// Megabytes of source are described, not stored: /*repeat N*/text/*end*/ is replaced by N copies of the text, in which
// #index# is the number of the copy.
void expand_repeats(std::string& code) {
  const std::string open = "/*repeat ", close = "/*end*/";
  for (std::size_t at = code.find(open); at != std::string::npos; at = code.find(open, at)) {
    const std::size_t body = code.find("*/", at) + 2;
    const std::size_t end = code.find(close, body);
    if (end == std::string::npos) throw std::runtime_error("a /*repeat*/ without its /*end*/");
    const std::size_t count = std::stoull(code.substr(at + open.size()));
    const std::string text = code.substr(body, end - body);
    const bool numbered = text.find("#index#") != std::string::npos;
    std::string copies;
    if (text.size() == 1) {
      copies.assign(count, text[0]);  // a hundred million of them
    } else {
      copies.reserve(count * text.size());
      for (std::size_t i = 0; i < count; ++i) {
        std::string copy = text;
        if (numbered) replace_all(copy, "#index#", std::to_string(i));
        copies += copy;
      }
    }
    code.replace(at, end + close.size() - at, copies);
    at += copies.size();
  }
}

// /*byte HH*/ is replaced by one byte that a text file should not contain.
void expand_bytes(std::string& code) {
  const std::string open = "/*byte ";
  for (std::size_t at = code.find(open); at != std::string::npos; at = code.find(open, at + 1)) {
    const std::size_t end = code.find("*/", at) + 2;
    const auto byte = static_cast<char>(std::stoul(code.substr(at + open.size(), 2), nullptr, 16));
    code.replace(at, end - at, 1, byte);
  }
}

std::vector<std::string>* grants_named(const std::string& name, cli::GrantFlags& flags) {
  if (name == "allow-read") return &flags.read;
  if (name == "allow-write") return &flags.write;
  if (name == "allow-net") return &flags.net;
  if (name == "allow-env") return &flags.env;
  if (name == "python-allow-import") return &flags.python_imports;
  return name == "allow-run" ? &flags.run : nullptr;
}

void apply_option(const std::string& name, const std::string& value, RunRequest& request) {
  SandboxConfig& config = request.config;
  if (name == "timeout")
    config.timeout = cli::parse_duration(value).value();
  else if (name == "cpu")
    config.cpu = config.python_cpu = cli::parse_duration(value).value();
  else if (name == "memory")
    config.memory_bytes = config.python_memory_bytes = cli::parse_size(value).value();
  else if (name == "max-output")
    config.max_output_bytes = cli::parse_size(value).value();
  else if (name == "max-log")
    config.max_log_bytes = cli::parse_size(value).value();
  else if (name == "max-read")
    config.max_read_bytes = cli::parse_size(value).value();
  else if (name == "max-write")
    config.max_write_bytes = cli::parse_size(value).value();
  else if (name == "max-files")
    config.max_new_files = std::stoull(value);
  else if (name == "tools")
    request.tools = scripted_tools();
  else if (name == "rpc-timeout")
    config.rpc_timeout = cli::parse_duration(value).value();
  else if (name == "max-tool-calls")
    config.max_tool_calls = std::stoul(value);
  else if (name == "max-fetch")
    config.max_fetch_bytes = cli::parse_size(value).value();
  else
    throw std::runtime_error("unknown option --" + name);
}

// --name value or --name=value, as on the command line.
void apply_options(const std::string& text, RunRequest& request) {
  cli::GrantFlags flags;
  std::istringstream words(text);
  for (std::string word, value; words >> word;) {
    if (!word.starts_with("--")) throw std::runtime_error("options: --name value …");
    if (word == "--allow-net-private") {
      flags.net_private = true;
      continue;
    }
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos)
      value = word.substr(equals + 1);
    else if (!(words >> value))
      throw std::runtime_error("options: --name value …");
    const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    if (auto* grants = grants_named(name, flags))
      grants->push_back(value);
    else
      apply_option(name, value, request);
  }
  if (const auto applied = apply_grant_flags(flags, request.config); !applied)
    throw std::runtime_error(applied.failure().message);
}

void apply_header(const std::string& key, const std::string& value, Program& program, std::string& before_code) {
  if (key == "options")
    apply_options(value, program.request);
  else if (key == "guest" && value == "probe")
    program.guest = GuestKind::kProbe;
  else if (key == "with")
    before_code += read_all(programs_folder() / "with" / value);
  else if (key == "packets" && value == "none")
    program.is_silent = true;
  else if (key == "files")
    program.files.push_back(value);
  else if (key == "vfs")
    program.file_modes = {value == "overlay" ? FileMode::kOverlay : FileMode::kDirect};
  else if (key == "gateway-peak")
    program.gateway_peak_bytes = cli::parse_size(value).value();
  else if (key == "expect")
    program.expected.push_back(value);
  else if (key == "or")
    program.expected.push_back(value);
  else if (key == "and" && !program.expected.empty())
    program.expected.back() += " " + value;
  else
    throw std::runtime_error("unknown header " + key);
}

Program describe(const fs::path& path) {
  Program program;
  program.path = path.string();
  program.group = path.lexically_relative(programs_folder()).begin()->string();
  program.name = path.stem().string();
  return program;
}

}  // namespace

std::vector<Program> list_programs(const std::string& group) {
  std::vector<Program> programs;
  for (const auto& entry : fs::recursive_directory_iterator(programs_folder() / group)) {
    if (entry.path().extension() == ".js" || entry.path().extension() == ".ts" || entry.path().extension() == ".py")
      programs.push_back(describe(entry.path()));
  }
  std::sort(programs.begin(), programs.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  const auto same = std::adjacent_find(programs.begin(), programs.end(),
                                       [](const auto& a, const auto& b) { return a.name == b.name; });
  if (same != programs.end()) throw std::runtime_error("two programs have the name of " + same->path);
  return programs;
}

Program read_program(const std::string& path) {
  Program program = describe(path);
  RunRequest& request = program.request;
  request.config.timeout = kDefaultTimeout;
  request.config.memory_bytes = kDefaultMemoryBytes;
  request.language = language_named(path.substr(path.rfind('.') + 1)).value_or(Language::kJavaScript);
  request.name = fs::path(path).filename().string();
  if (request.language == Language::kPython) program.guest = GuestKind::kPython;
  const std::string comment = request.language == Language::kPython ? "# " : "// ";
  const std::size_t word = comment.size();

  std::istringstream file(read_all(path));
  std::string before_code, code, line;
  bool in_header = true;
  try {
    for (int number = 1; std::getline(file, line); ++number) {
      const std::size_t colon = line.find(": ");
      // The first line says what the attack is; the header ends with the first line that is not a comment.
      if (in_header && line.starts_with(comment) && number > 1 && colon != std::string::npos &&
          line.substr(word, colon - word).find(' ') == std::string::npos) {
        apply_header(line.substr(word, colon - word), line.substr(colon + 2), program, before_code);
      } else if (!in_header || !line.starts_with(comment.substr(0, word - 1))) {
        in_header = false;
        code += line + "\n";
      }
    }
    expand_repeats(code);
    expand_bytes(code);
  } catch (const std::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
  if (program.file_modes.empty()) {
    program.file_modes = {FileMode::kDirect};
    if (!program.files.empty()) program.file_modes.push_back(FileMode::kOverlay);
  }
  if (program.expected.empty()) throw std::runtime_error(path + ": a program needs // expect:");
  request.code = before_code + code;
  return program;
}

}  // namespace glovebox::attack
