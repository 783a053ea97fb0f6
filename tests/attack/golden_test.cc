// A list that may change only on purpose: the globals that a guest's code finds (A18).
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "base/source_folder.h"
#include "oracle/testbed.h"

namespace glovebox::attack {
namespace {

std::string read_golden(const std::string& name) {
  std::ifstream file(base::source_folder() + "/tests/golden/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Without comments and empty lines.
std::set<std::string> lines_of(const std::string& text) {
  std::set<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line[0] != '#') lines.insert(line);
  }
  return lines;
}

// The globals, and the members of those that we add. The language's own are up to the engine.
constexpr const char* kListGlobals = R"(
  const lines = [];
  const own = (object, path) => { for (const key of Reflect.ownKeys(object)) lines.push(path + String(key)); };
  own(globalThis, '');
  for (const name of context) {
    const value = globalThis[name];
    if (value === undefined) continue;
    own(value, name + '.');
    if (typeof value === 'function' && value.prototype) own(value.prototype, name + '.prototype.');
  }
  return lines;
)";

constexpr const char* kOurs =
    R"(["console", "Deno", "crypto", "performance", "URL", "URLSearchParams", "TextEncoder", "TextDecoder",
  "Headers", "Request", "Response", "Blob", "File", "FormData", "AbortController", "AbortSignal", "Event",
  "EventTarget", "CustomEvent",
  "DOMException", "Crypto", "CryptoKey", "SubtleCrypto", "Performance", "WebAssembly", "fetch", "require",
  "structuredClone",
  "ReadableStream", "ReadableStreamDefaultReader", "ReadableStreamBYOBReader", "ReadableStreamDefaultController",
  "ReadableByteStreamController", "ReadableStreamBYOBRequest", "WritableStream", "WritableStreamDefaultWriter",
  "WritableStreamDefaultController", "TransformStream", "TransformStreamDefaultController", "ByteLengthQueuingStrategy",
  "CountQueuingStrategy", "TextEncoderStream", "TextDecoderStream", "mcp", "MCPToolError", "ApprovalDenied",
  "PermissionDenied"])";

TEST(Golden, A18_Globals) {
  RunRequest request;
  request.code = kListGlobals;
  request.language = Language::kJavaScript;
  request.context_json = kOurs;
  const auto outcome = run_to_end(Testbed::instance().sandbox(GuestKind::kProduct), std::move(request));
  ASSERT_TRUE(outcome && outcome->ok()) << to_json(*outcome);
  // ["a","b"]: no name contains a quotation mark or a comma.
  std::string text = outcome->result_json();
  ASSERT_EQ(text.find('\\'), std::string::npos) << text;
  std::set<std::string> found;
  std::istringstream names(text.substr(1, text.size() - 2));
  for (std::string name; std::getline(names, name, ',');) found.insert(name.substr(1, name.size() - 2));

  const std::set<std::string> golden = lines_of(read_golden("globals.txt"));
  std::string changes;
  for (const std::string& name : found) changes += golden.contains(name) ? "" : "+ " + name + "\n";
  for (const std::string& name : golden) changes += found.contains(name) ? "" : "- " + name + "\n";
  EXPECT_EQ(changes, "") << "Meant to be so? Then change tests/golden/globals.txt likewise.";
}

}  // namespace
}  // namespace glovebox::attack
