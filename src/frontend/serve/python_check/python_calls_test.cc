#include "frontend/serve/python_check/python_calls.h"

#include <gtest/gtest.h>

namespace glovebox::frontend {
namespace {

std::string kind(PythonArgument::Value value) {
  constexpr const char* kNames[] = {"?", "text", "made", "int", "num", "bool", "none", "list", "dict"};
  return kNames[static_cast<int>(value)];
}

// server.tool(name:kind …), with … where there may be more.
std::string found(const std::string& code) {
  std::string text;
  for (const PythonCall& call : python_calls(code, [](std::string_view name) { return name == "files"; })) {
    text += (text.empty() ? "" : " ") + call.server + "." + call.tool;
    if (!call.is_call) continue;
    text += "(";
    for (const PythonArgument& argument : call.arguments) text += argument.name + ":" + kind(argument.value) + ",";
    text += std::string(call.is_placed ? "!" : "") + (call.is_open ? "..." : "") + ")";
  }
  return text;
}

TEST(PythonCalls, AreReadWithTheirArguments) {
  const struct {
    const char* code;
    const char* found;
  } cases[] = {
      {"mcp.files.read(path='a', n=5)", "files.read(path:text,n:int,)"},
      {"x = await mcp.files.read({\"path\": 'a', 'deep': {'b': [1]}})", "files.read(path:text,deep:dict,)"},
      {"mcp['files'][\"get-sum\"](a=-1.5, b=True, c=None, d=[1,\n2], e=f'{x}', f=b'x', g=x, h='a'+'b')",
       "files.get-sum(a:num,b:bool,c:none,d:list,e:made,f:?,g:?,h:?,)"},
      {"mcp.files.read(*rest)", "files.read(...)"},
      {"mcp.files.read(**args, path='a')", "files.read(path:text,...)"},
      {"mcp.files.read(args)", "files.read(...)"},
      {"mcp.files.read('a')", "files.read(!...)"},
      {"mcp.files.read({**args})", "files.read(...)"},
      {"mcp.files.read({k: v for k, v in x})", "files.read(...)"},
      {"mcp.files.read({'a': v for v in x})", "files.read(...)"},
      {"mcp.files.read.raw(path='a')", "files.read(path:text,)"},
      {"mcp.gather(mcp.files.read(path='a'), mcp.x.y())", "files.read(path:text,) x.y()"},
      {"f = mcp.files.read", "files.read"},
      {"mcp.files", "files."},
      {"mcp.everything.get-sum(a=1)", "everything.get"},
      {"files.read(path='a')", "files.read(path:text,)"},
      {"fs = mcp.files\nfs.read(path='a')", "files. files.read(path:text,)"},
      {"from mcp import files as f, other\nf.read()\nother.x()", "files.read() other.x()"},
      {"import mcp\nmcp.files.read()", "files.read()"},
      {"run(mcp)\nmcp.files.read()", "files.read()"},
  };
  for (const auto& one : cases) EXPECT_EQ(found(one.code), one.found) << one.code;
}

TEST(PythonCalls, ThatAreNotPlainAreLeftAlone) {
  for (const char* code : {"# mcp.files.read()",
                           "'mcp.files.read()'",
                           "'''\nmcp.files.read()\n'''",
                           "x.mcp.files.read()",
                           "mcp = make()\nmcp.files.read()",
                           "def f(mcp):\n  mcp.files.read()",
                           "for mcp in x:\n  mcp.files.read()",
                           "files = 5\nfiles.read()",
                           "for files in x:\n  files.read()",
                           "import files\nfiles.read()",
                           "def f(files):\n  files.read()",
                           "with open('a') as files:\n  files.read()",
                           "other.read()",
                           "mcp[name].read()",
                           "fs = mcp.files\nfs = other\n",
                           "",
                           "(",
                           "mcp.",
                           "mcp[",
                           "'",
                           "\"\"\""})
    EXPECT_TRUE(found(code).empty() || found(code) == "files.") << code << ": " << found(code);
}

}  // namespace
}  // namespace glovebox::frontend
