// An MCP server over stdio that does what no server should, each on request. Not part of the product.
//
// liar_server [--tools FILE] [--ends-at-discover] [--banner] [--fails] [--silent] [--endless-pages] [--ledger FILE]
//
// Its tools are those of FILE, a JSON array that is read again for each listing; a tool's name says what it does.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>

#include "base/text/json_slice.h"
#include "base/text/json_text.h"

namespace {

using glovebox::base::json_string;
using glovebox::base::JsonSlices;

std::map<std::string, std::string> options;

void say(const std::string& line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fputc('\n', stdout);
  std::fflush(stdout);
}

void answer(const std::string& id, const std::string& result) {
  say(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + result + "}");
}

void answer_text(const std::string& id, const std::string& text) {
  answer(id, R"({"content":[{"type":"text","text":)" + json_string(text) + "}]}");
}

void notify(const std::string& method) {
  say(R"({"jsonrpc":"2.0","method":")" + method + R"("})");
}

std::string tools() {
  std::ifstream file(options["--tools"]);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (!text.empty()) return text;
  std::string all = "[";
  for (const char* name :
       {"echo",  "json",  "env",       "pid",      "cwd",          "exit",      "garbage", "wrong_id",
        "huge",  "big",   "slow",      "flood",    "stderr_flood", "announce",  "twice",   "orphan",
        "count", "error", "rpc_error", "progress", "no_content",   "structured"})
    all += (all.size() > 1 ? "," : "") + std::string(R"({"name":")") + name +
           R"(","description":"does it","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}})";
  return all + "]";
}

// Starts a process that leaves its group and would outlive us; returns its name.
std::string orphan() {
  const std::string name = "liar-" + std::to_string(::getpid());
  const pid_t child = ::fork();
  if (child == 0) {
    ::setsid();
    ::prctl(PR_SET_NAME, name.c_str());
    if (::fork() != 0) ::_exit(0);
    for (int fd = 0; fd < 3; ++fd) ::close(fd);
    ::sleep(3600);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  return name;
}

void call(const std::string& id, const std::string& name, const std::string& arguments, const std::string& token) {
  const auto members = JsonSlices::of(arguments);
  const long n = members && members->has("n") ? std::atol(std::string(members->raw("n")).c_str()) : 1;
  if (const std::string& ledger = options["--ledger"]; !ledger.empty())
    std::ofstream(ledger, std::ios::app) << name << "\n";
  if (name == "echo") return answer_text(id, arguments);
  if (name == "json") return answer_text(id, R"({"sum":3})");
  if (name == "pid") return answer_text(id, std::to_string(::getpid()));
  if (name == "env") {
    std::string all;
    for (char** entry = environ; *entry; ++entry) all += std::string(*entry) + "\n";
    return answer_text(id, all);
  }
  if (name == "cwd") {
    char folder[4096];
    return answer_text(id, ::getcwd(folder, sizeof folder) ? folder : "?");
  }
  if (name == "exit") {
    std::fputs("out of patience\n", stderr);
    std::exit(3);
  }
  if (name == "garbage") return say("Traceback (most recent call last):");
  if (name == "wrong_id") return answer("424242", R"({"content":[]})");
  if (name == "huge") {
    const std::string megabyte(1 << 20, 'x');
    std::fputs(R"({"jsonrpc":"2.0","id":)", stdout);
    for (int i = 0; i < 100; ++i) std::fwrite(megabyte.data(), 1, megabyte.size(), stdout);
    return say("}");
  }
  if (name == "big") return answer_text(id, std::string(static_cast<std::size_t>(n) << 20, 'y'));
  if (name == "slow") return;
  if (name == "flood") {
    for (long i = 0; i < n; ++i) notify("notifications/message");
    return answer_text(id, "done");
  }
  if (name == "stderr_flood") {
    const std::string line(999, 'e');
    for (long i = 0; i < n; ++i) std::fprintf(stderr, "%s\n", line.c_str());
    return answer_text(id, "done");
  }
  if (name == "announce") {
    notify("notifications/tools/list_changed");
    return answer_text(id, "done");
  }
  if (name == "twice") {
    answer_text(id, "first");
    return answer_text(id, "second");
  }
  if (name == "orphan") return answer_text(id, orphan());
  if (name == "error") return answer(id, R"({"isError":true,"content":[{"type":"text","text":"it did not work"}]})");
  if (name == "rpc_error")
    return say(R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":-32000,"message":"no such luck"}})");
  if (name == "progress") {
    for (int i = 1; i <= 3; ++i)
      say(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + token +
          R"(,"progress":)" + std::to_string(i) + R"(,"message":"step"}})");
    return answer_text(id, "done");
  }
  if (name == "no_content") return answer(id, R"({"surprise":true})");
  if (name == "structured") return answer(id, R"({"content":[],"structuredContent":{"a":[1,2,{"b":null}]}})");
  answer_text(id, name);
}

void handle(const std::string& line) {
  const auto message = JsonSlices::of(line);
  if (!message || !message->has("id")) return;
  const std::string id(message->raw("id"));
  const std::string method = message->has("method") ? glovebox::base::unquote(message->raw("method")).value() : "";
  if (options.contains("--silent")) return;
  if (method == "initialize")
    return answer(id, R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},)"
                      R"("serverInfo":{"name":"liar","version":"1"}})");
  if (method == "server/discover" && options.contains("--ends-at-discover")) std::exit(1);
  const auto params = JsonSlices::of(message->has("params") ? message->raw("params") : "{}");
  if (method == "tools/list") {
    static int page = 0;
    const std::string cursor =
        options.contains("--endless-pages") ? R"(,"nextCursor":")" + std::to_string(++page) + "\"" : "";
    return answer(id, R"({"tools":)" + tools() + cursor + "}");
  }
  if (method == "tools/call") {
    const auto meta = JsonSlices::of(params->has("_meta") ? params->raw("_meta") : "{}");
    return call(id, glovebox::base::unquote(params->raw("name")).value(), std::string(params->raw("arguments")),
                std::string(meta->raw("progressToken")));
  }
  say(R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":-32601,"message":"unknown"}})");
}

}  // namespace

int main(int count, char** words) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const bool takes_value = word == "--tools" || word == "--ledger";
    options[word] = takes_value && i + 1 < count ? words[++i] : "yes";
  }
  if (options.contains("--fails")) return std::fputs("cannot find my config\n", stderr), 7;
  if (options.contains("--banner")) say("Welcome to this server!");
  for (std::string line; std::getline(std::cin, line);) handle(line);
  return 0;
}
