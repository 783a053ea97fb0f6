// C06: every call with arguments of every wrong type, one at a time. A required one that is wrong ends the guest; an
// optional one that is wrong counts as absent; nothing else happens.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/source_folder.h"
#include "oracle/attack_folder.h"
#include "oracle/oracle.h"

namespace glovebox::attack {
namespace {

struct Argument {
  std::string name;
  std::string value;  // a correct one
  bool is_required = false;
};
struct Operation {
  std::string name;
  std::vector<Argument> arguments;
};

const std::string kFile = R"("{folder}/x.txt")";
const std::string kNew = R"("{folder}/new")";

const std::vector<Operation> kOperations = {
    {"sleep", {{"until", "0", true}}},
    {"fs.read", {{"path", kFile, true}}},
    {"fs.write",
     {{"path", kNew, true}, {"append", "true"}, {"create", "true"}, {"createNew", "false"}, {"mode", "384"}}},
    {"fs.readDir", {{"path", R"("{folder}")", true}}},
    {"fs.stat", {{"path", kFile, true}}},
    {"fs.lstat", {{"path", kFile, true}}},
    {"fs.realPath", {{"path", kFile, true}}},
    {"fs.mkdir", {{"path", kNew, true}, {"recursive", "true"}, {"mode", "448"}}},
    {"fs.remove", {{"path", kNew, true}, {"recursive", "true"}}},
    {"fs.rename", {{"path", kFile, true}, {"to", kFile, true}}},
    {"fs.copy", {{"path", kFile, true}, {"to", kNew, true}}},
    {"fs.makeTempDir", {{"dir", R"("{folder}")"}, {"prefix", R"("a")"}, {"suffix", R"("b")"}}},
    {"fs.makeTempFile", {{"dir", R"("{folder}")"}, {"prefix", R"("a")"}, {"suffix", R"("b")"}}},
    {"fs.cwd", {}},
    {"env.get", {{"name", R"("X_A")", true}}},
    {"env.all", {}},
    {"run",
     {{"command", R"("true")", true},
      {"args", "[]", true},
      {"env", "[]", true},
      {"cwd", kFile},
      {"stdout", R"("piped")"}}},
    {"net.fetch",
     {{"method", R"("GET")", true},
      {"url", R"("http://127.0.0.1:1/")", true},
      {"headers", "[]", true},
      {"redirect", R"("follow")"},
      {"body", R"("none")"}}},
    {"net.send", {{"fetch", "1", true}, {"last", "true"}}},
    {"net.read", {{"stream", "1", true}}},
    {"net.cancel", {{"fetch", "1"}, {"stream", "1"}}},
    {"tool", {{"server", R"("x")", true}, {"tool", R"("y")", true}, {"arguments", "{}", true}}},
    {"permissions.query", {{"name", R"("read")", true}, {"subject", kFile}}},
};

const std::vector<std::string> kWrongValues = {"null",
                                               "true",
                                               "0",
                                               "-1",
                                               "1.5",
                                               "1e308",
                                               "18446744073709551615",
                                               "[]",
                                               "{}",
                                               "[[]]",
                                               R"([["a"]])",
                                               R"([[1,2]])",
                                               R"({"toString":"x","length":1})",
                                               R"("")"};

std::string source_of(const std::string& name) {
  std::ifstream file(base::source_folder() + "/tests/attack/with/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The arguments as JSON, with the one at `wrong` replaced by `value`, or left out when that is empty.
std::string arguments_json(const Operation& operation, std::size_t wrong, const std::string& value) {
  std::string json = R"({"__proto__":{"path":"{outside}/canary.txt"},"constructor":1,"extra":[1])";
  for (std::size_t i = 0; i < operation.arguments.size(); ++i) {
    const std::string& text = i == wrong ? value : operation.arguments[i].value;
    if (!text.empty()) json += ",\"" + operation.arguments[i].name + "\":" + text;
  }
  return json + "}";
}

class RawCalls : public testing::Test {
 protected:
  void attack(const Operation& operation, const std::string& arguments, bool must_break) {
    SCOPED_TRACE(operation.name + " " + arguments);
    Program program;
    program.files = {"x.txt = inside"};
    program.request.language = Language::kJavaScript;
    program.request.code = prelude_ + "send('{\"frame\":\"call\",\"id\":1,\"op\":\"" + operation.name +
                           "\",\"args\":" + arguments + "}');\nreturn said(next_reply());";
    SandboxConfig& config = program.request.config;
    // A sleep until the largest number is valid.
    const bool may_last = operation.name == "sleep";
    config.timeout = may_last ? std::chrono::milliseconds(300) : std::chrono::seconds(100);
    config.allow_read = config.allow_write = {"{folder}"};
    config.allow_env = {"X_*"};
    const AttackFolder folder(program);
    const auto outcome = run_to_end(Testbed::instance().sandbox(GuestKind::kProbe), std::move(program.request));
    ASSERT_TRUE(outcome);
    oracle_.judge_outcome(*outcome, config);
    oracle_.judge_limits(*outcome, config);
    folder.judge_outcome(*outcome);
    folder.judge_inside();
    folder.judge_outside();
    if (!must_break && outcome->ok()) return;
    const std::string code = outcome->error() ? outcome->error()->code.text() : "";
    EXPECT_TRUE(code == "PROTOCOL_VIOLATION" || (may_last && code == "EXECUTION_TIMEOUT")) << to_json(*outcome);
  }

  void confuse(const Operation& operation) {
    attack(operation, arguments_json(operation, operation.arguments.size(), ""), false);
    for (std::size_t i = 0; i < operation.arguments.size(); ++i) {
      const Argument& argument = operation.arguments[i];
      const bool is_text = argument.value.front() == '"', is_list = argument.value.front() == '[';
      attack(operation, arguments_json(operation, i, ""), argument.is_required);
      for (const std::string& value : kWrongValues) {
        if (HasFailure()) return;
        const bool may_fit = (is_text && value.front() == '"') || (is_list && value == "[]") || (!is_text && !is_list);
        attack(operation, arguments_json(operation, i, value), argument.is_required && !may_fit);
      }
    }
  }

  const std::string prelude_ = source_of("frames.js") + source_of("calls.js");
  Oracle oracle_{GuestKind::kProbe};
};

TEST_F(RawCalls, WithConfusedArgumentsEndOnlyTheGuest) {
  for (const Operation& operation : kOperations) confuse(operation);
  oracle_.judge_aftermath();
}

// C01: operations that do not exist, near those that do.
TEST_F(RawCalls, OfWhatDoesNotExistEndTheGuest) {
  for (const char* op : {"fs",
                         "fs.",
                         ".read",
                         "fs.chmod",
                         "fs.symlink",
                         "fs.link",
                         "fs.open",
                         "fs.truncate",
                         "FS.read",
                         "fs.read ",
                         "fs.read.x",
                         "fs\\u0000.read",
                         "fs.__proto__",
                         "env",
                         "env.set",
                         "run.x",
                         "net",
                         "net.connect",
                         "net.listen",
                         "net.",
                         "permissions.request",
                         "permissions",
                         "tool",
                         "sleep.x",
                         ""}) {
    attack({op, {}}, R"({"path":"{folder}/x.txt","to":"{folder}/y","name":"X_A","mode":511})", true);
  }
  oracle_.judge_aftermath();
}

}  // namespace
}  // namespace glovebox::attack
