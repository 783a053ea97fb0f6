// Runs every case of tests/spec/**/*.case through the library, each in a fresh guest of one Sandbox.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <sstream>

#include "base/source_folder.h"
#include "calls/tools/scripted_tools.h"
#include "case_file.h"
#include "case_folder.h"
#include "glovebox/sandbox.h"
#include "json_match.h"
#include "terminal/quantities.h"

namespace glovebox::spec {
namespace {

// Types are removed in another way where the stripper is not loaded beforehand.
enum class Stripper { kLoaded, kOnDemand };

Sandbox& shared_sandbox(Stripper stripper) {
  if (stripper == Stripper::kOnDemand) {
    static Sandbox cold(SandboxOptions{.pool_size = 1, .warm_typescript = false});
    return cold;
  }
  static Sandbox warm(SandboxOptions{.pool_size = 1});
  return warm;
}

std::vector<std::string> list_of(const std::string& text) {
  std::vector<std::string> list;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) list.push_back(item);
  return list;
}

// The options of a case are those of `glovebox exec`. A value runs to the next " --".
RunRequest request_of(const Case& item) {
  RunRequest request;
  request.code = item.code;
  std::string options = " " + item.options;
  while (!options.empty() && (options.back() == '\n' || options.back() == ' ')) options.pop_back();
  for (std::size_t at = options.find(" --"); at != std::string::npos;) {
    const std::size_t next = options.find(" --", at + 3);
    const std::string option = options.substr(at + 3, next == std::string::npos ? next : next - at - 3);
    const std::string name = option.substr(0, option.find(' '));
    const std::string value = option.find(' ') == std::string::npos ? "" : option.substr(option.find(' ') + 1);
    if (name == "context")
      request.context_json = value;
    else if (name == "lang")
      request.language = language_named(value).value();
    else if (name == "timeout")
      request.config.timeout = cli::parse_duration(value).value();
    else if (name == "cpu")
      request.config.cpu = request.config.python_cpu = cli::parse_duration(value).value();
    else if (name == "memory")
      request.config.memory_bytes = request.config.python_memory_bytes = cli::parse_size(value).value();
    else if (name == "total-timeout")
      request.config.total_timeout = cli::parse_duration(value).value();
    else if (name == "max-output")
      request.config.max_output_bytes = cli::parse_size(value).value();
    else if (name == "max-log")
      request.config.max_log_bytes = cli::parse_size(value).value();
    else if (name == "seed")
      request.seed = value;
    else if (name == "now")
      request.now_ms = cli::parse_instant(value).value();
    else if (name == "allow-read")
      request.config.allow_read = list_of(value);
    else if (name == "allow-write")
      request.config.allow_write = list_of(value);
    else if (name == "allow-net")
      request.config.allow_net = list_of(value);
    else if (name == "allow-env")
      request.config.allow_env = list_of(value);
    else if (name == "allow-run")
      request.config.allow_run = list_of(value);
    else if (name == "allow-net-private")
      request.config.allow_net_private = true;
    else if (name == "python-allow-import") {
      const auto lifted = list_of(value);
      std::erase_if(request.config.python_blocked_imports, [&](const std::string& module) {
        return std::find(lifted.begin(), lifted.end(), module) != lifted.end();
      });
    } else if (name == "vfs")
      request.config.file_mode = value == "overlay" ? FileMode::kOverlay : FileMode::kDirect;
    else if (name == "max-read")
      request.config.max_read_bytes = cli::parse_size(value).value();
    else if (name == "max-write")
      request.config.max_write_bytes = cli::parse_size(value).value();
    else if (name == "max-files")
      request.config.max_new_files = std::stoul(value);
    else if (name == "tools")
      request.tools = std::make_shared<glovebox::testing::ScriptedTools>();
    else if (name == "rpc-timeout")
      request.config.rpc_timeout = cli::parse_duration(value).value();
    else if (name == "max-tool-calls")
      request.config.max_tool_calls = std::stoul(value);
    else if (name == "max-artifacts")
      request.config.max_artifacts = std::stoul(value);
    else if (name == "max-artifact")
      request.config.max_artifact_bytes = cli::parse_size(value).value();
    else if (name == "max-artifacts-total")
      request.config.max_artifact_total_bytes = cli::parse_size(value).value();
    else
      ADD_FAILURE() << "unknown option --" << name;
    at = next;
  }
  return request;
}

class SpecCase : public ::testing::Test {
 public:
  SpecCase(Case item, Stripper stripper) : item_(std::move(item)), stripper_(stripper) {}
  void TestBody() override {
    const CaseFolder folder(item_);
    const std::string actual = to_json(shared_sandbox(stripper_).run(request_of(item_)));
    EXPECT_EQ(difference(item_.expect, actual), "") << "line " << item_.line << "\n" << actual.substr(0, 2000);
  }

 private:
  Case item_;
  Stripper stripper_;
};

std::string test_name(const std::string& text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

int register_cases() {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(base::source_folder() + "/tests/spec")) {
    if (entry.path().extension() != ".case") continue;
    const std::string suite = entry.path().stem();
    for (const Case& item : read_case_file(entry.path())) {
      const auto add = [&](const std::string& in_suite, Stripper stripper) {
        ::testing::RegisterTest(in_suite.c_str(), test_name(item.name).c_str(), nullptr, nullptr, entry.path().c_str(),
                                item.line, [=]() -> ::testing::Test* { return new SpecCase(item, stripper); });
      };
      add(suite, Stripper::kLoaded);
      if (suite == "typescript") add("typescript_cold", Stripper::kOnDemand);
    }
  }
  return 0;
}

}  // namespace
}  // namespace glovebox::spec

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  glovebox::spec::register_cases();
  return RUN_ALL_TESTS();
}
