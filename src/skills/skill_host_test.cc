// The Python side (host/), seen through the catalog: what skills become, and what broken ones affect.

#include "skills/skills_fixture.h"

namespace glovebox::skills {
namespace {

using catalog::Tool;

class SkillHost : public SkillsFixture {};

constexpr const char* kTimeSkill = R"py(
import asyncio, dataclasses, datetime, enum, os, subprocess, sys, threading
from typing import Annotated, Literal, Optional

print("this is no message of the protocol")

class Unit(enum.Enum):
    SECOND = "s"
    MINUTE = "m"

@dataclasses.dataclass
class Span:
    count: int
    unit: Unit = Unit.SECOND

class TimeSkill:
    """Times and spans."""

    def __init__(self):
        self.calls = 0
        self.both = threading.Barrier(2)

    def get_current_time(self, timezone: str = "UTC") -> str:
        """The time now.

        In the zone that is named."""
        return "12:00 " + timezone

    def double(self, span: Span, times: Annotated[int, "how often"] = 2) -> Span:
        return Span(span.count * times, span.unit)

    def count(self):
        self.calls += 1
        return self.calls

    def choose(self, kind: Literal["a", "b"], maybe: Optional[float] = None, *,
               names: list[str] = []) -> dict[str, int]:
        return {kind: 0 if maybe is None else int(maybe), **{name: 1 for name in names}}

    def day(self, when: datetime.date) -> list:
        return [when.year, when + datetime.timedelta(days=1), {"x", "y"}, (1, None)]

    @staticmethod
    def fixed(a, /, b=5):
        return [a, b]

    @classmethod
    def named(cls, **more):
        return [cls.__name__, more]

    async def soon(self) -> str:
        await asyncio.sleep(0)
        return "soon"

    def meet(self) -> None:
        self.both.wait()

    async def meet_async(self):
        if not hasattr(self, "event"):
            self.event = asyncio.Event()
            await self.event.wait()
        else:
            self.event.set()
        return True

    def noise(self):
        print('{"jsonrpc":"2.0","id":1,"result":{}}')
        os.write(1, b"raw\n")
        subprocess.run(["echo", "from a child"], check=True)
        return sys.stdin.read()

    def _private(self):
        return 1

    def __dunder__(self):
        return 1

    attribute = 5
)py";

TEST_F(SkillHost, ClassesAreServersAndMethodsTheirTools) {
  skill("time_skill.py", kTimeSkill);
  open();
  // Nothing has been requested yet, and the class is found all the same.
  EXPECT_EQ(catalog->servers(), (std::vector<std::string>{"skills"}));
  EXPECT_EQ(call("TimeSkill", "get_current_time"), "\"12:00 UTC\"");
  EXPECT_EQ(catalog->servers(), (std::vector<std::string>{"skills", "TimeSkill"}));
  std::vector<std::string> names;
  for (const Tool& tool : list()) {
    EXPECT_EQ(tool.server, "TimeSkill");
    EXPECT_EQ(tool.owner, "skills");
    EXPECT_EQ(tool.state, Tool::State::kUsable) << tool.reason;
    names.push_back(tool.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"choose", "count", "day", "double", "fixed", "get_current_time", "meet",
                                             "meet_async", "named", "noise", "soon"}));
  const Tool time = find("TimeSkill", "getCurrentTime").value();
  EXPECT_EQ(time.name, "get_current_time");
  EXPECT_EQ(time.description, "The time now.\n\nIn the zone that is named.");
  EXPECT_EQ(time.input_schema, R"({"type":"object","properties":{"timezone":{"type":"string","default":"UTC"}},)"
                               R"("additionalProperties":false})");
  EXPECT_EQ(time.output_schema, R"({"type":"string"})");
  const std::string lock = base::read_whole_file(root + "/.glovebox/mcp.lock", 1 << 20).value();
  EXPECT_NE(lock.find("\"TimeSkill.get_current_time\""), std::string::npos);
  // One process, whatever the number of classes.
  EXPECT_EQ(catalog->health().size(), 1u);
  EXPECT_EQ(health().tools, 11u);
}

TEST_F(SkillHost, ValuesGoThroughTheirHints) {
  skill("time_skill.py", kTimeSkill);
  open();
  EXPECT_EQ(call("TimeSkill", "double", R"({"span":{"count":2,"unit":"m"}})"), R"({"count":4,"unit":"m"})");
  EXPECT_EQ(call("TimeSkill", "double", R"({"span":{"count":2},"times":5})"), R"({"count":10,"unit":"s"})");
  EXPECT_EQ(call("TimeSkill", "choose", R"({"kind":"a","maybe":7,"names":["n"]})"), R"({"a":7,"n":1})");
  EXPECT_EQ(call("TimeSkill", "choose", R"({"kind":"b","maybe":null})"), R"({"b":0})");
  EXPECT_EQ(call("TimeSkill", "day", R"({"when":"2026-02-28"})"), R"([2026,"2026-03-01",["x","y"],[1,null]])");
  EXPECT_EQ(call("TimeSkill", "fixed", R"({"a":[1]})"), "[[1],5]");
  EXPECT_EQ(call("TimeSkill", "named", R"({"x":1})"), R"(["TimeSkill",{"x":1}])");
  EXPECT_EQ(call("TimeSkill", "soon"), "\"soon\"");
  EXPECT_EQ(call("TimeSkill", "count"), "1");
  EXPECT_EQ(call("TimeSkill", "count"), "2");
  // Refused before they reach it.
  for (const char* wrong :
       {R"({"kind":"c"})", R"({"maybe":1})", R"({"kind":"a","maybe":"x"})", R"({"kind":"a","more":1})"}) {
    EXPECT_TRUE(call("TimeSkill", "choose", wrong).starts_with("INVALID_ARGUMENTS")) << wrong;
  }
  EXPECT_TRUE(call("TimeSkill", "double", R"({"span":{"unit":"m"}})").starts_with("INVALID_ARGUMENTS"));
  EXPECT_TRUE(call("TimeSkill", "_private").starts_with("TOOL_NOT_FOUND"));
  EXPECT_TRUE(call("TimeSkill", "__dunder__").starts_with("TOOL_NOT_FOUND"));
  EXPECT_TRUE(call("FakeSkill", "x").starts_with("SERVER_NOT_FOUND: there is no server FakeSkill"));
}

TEST_F(SkillHost, CallsRunSideBySide) {
  skill("time_skill.py", kTimeSkill);
  open();
  // Each of them waits for the other to arrive.
  for (const char* tool : {"meet", "meet_async"}) {
    const auto first = std::make_shared<Answer>();
    const auto second = std::make_shared<Answer>();
    begin("TimeSkill", tool, "{}", first);
    begin("TimeSkill", tool, "{}", second);
    EXPECT_EQ(said(first), said(second));
  }
}

TEST_F(SkillHost, WhatASkillPrintsIsNoMessage) {
  skill("time_skill.py", kTimeSkill);
  open();
  EXPECT_EQ(call("TimeSkill", "noise"), "\"\"");
  EXPECT_EQ(call("TimeSkill", "count"), "1");
  // Output to stdout does not mix with the protocol's answers.
  for (const char* text : {"this is no message of the protocol", "raw", "from a child", R"("jsonrpc":"2.0")"})
    wait_until([&] { return log().find(text) != std::string::npos; });
}

TEST_F(SkillHost, AnExceptionIsAShortErrorAndAWholeLog) {
  skill("bad_skill.py", R"py(
import os, sys
class Odd(Exception):
    def __str__(self): raise RuntimeError("no")
class BadSkill:
    def open(self): return open("/no/such/folder/file of mine.txt").read()
    def long(self): raise ValueError("é" * 3000)
    def empty(self): raise KeyError()
    def leave(self): sys.exit(3)
    def odd(self): raise Odd()
    def nested(self):
        try:
            self.open()
        except OSError as error:
            raise RuntimeError(f"in {__file__}") from error
    def unsayable(self): return object()
    def infinite(self): return float("nan")
    def circle(self):
        a = []
        a.append(a)
        return a
    async def later(self): raise ValueError("later")
    def ok(self): return "ok"
)py");
  open();
  EXPECT_EQ(call("BadSkill", "open"),
            "TOOL_ERROR: Skill error: FileNotFoundError: [Errno 2] No such file or directory: '<path>'");
  EXPECT_NE(failure.detail.find("bad_skill.py\", line 6, in open"), std::string::npos) << failure.detail;
  EXPECT_NE(failure.detail.find("/no/such/folder/file of mine.txt"), std::string::npos);
  EXPECT_EQ(failure.detail.find("service.py"), std::string::npos) << failure.detail;
  wait_until([&] { return log().find("/no/such/folder/file of mine.txt") != std::string::npos; });
  const std::string long_one = call("BadSkill", "long");
  EXPECT_TRUE(long_one.starts_with("TOOL_ERROR: Skill error: ValueError: éé"));
  EXPECT_TRUE(long_one.ends_with("é…"));
  EXPECT_LE(failure.message.size(), 1000u);
  EXPECT_EQ(call("BadSkill", "empty"), "TOOL_ERROR: Skill error: KeyError");
  EXPECT_EQ(call("BadSkill", "leave"), "TOOL_ERROR: Skill error: SystemExit: 3");
  EXPECT_EQ(call("BadSkill", "odd"), "TOOL_ERROR: Skill error: Odd: it cannot say why");
  EXPECT_EQ(call("BadSkill", "nested"), "TOOL_ERROR: Skill error: RuntimeError: in <path>");
  EXPECT_EQ(call("BadSkill", "later"), "TOOL_ERROR: Skill error: ValueError: later");
  EXPECT_TRUE(call("BadSkill", "unsayable").starts_with("TOOL_ERROR: Skill error: TypeError: the result holds a"));
  EXPECT_TRUE(call("BadSkill", "infinite").starts_with("TOOL_ERROR: Skill error: ValueError"));
  EXPECT_TRUE(call("BadSkill", "circle").starts_with("TOOL_ERROR: Skill error: ValueError"));
  EXPECT_EQ(call("BadSkill", "ok"), "\"ok\"");
  EXPECT_EQ(health().restarts, 0);
}

TEST_F(SkillHost, ACrashEndsItsCallsAndTheNextStartsAnew) {
  skill("crash_skill.py", R"py(
import ctypes, os
class CrashSkill:
    def leave(self): os._exit(3)
    def crash(self): ctypes.string_at(0)
    def ok(self): return os.getpid()
)py");
  open();
  const std::string first = call("CrashSkill", "ok");
  EXPECT_TRUE(call("CrashSkill", "leave").starts_with("SERVER_UNAVAILABLE: skills: the server ended with exit code 3"));
  const std::string second = call("CrashSkill", "ok");
  EXPECT_NE(second, first);
  EXPECT_EQ(second.find("SERVER"), std::string::npos) << second;
  EXPECT_TRUE(call("CrashSkill", "crash").starts_with("SERVER_UNAVAILABLE: skills: the server was killed by signal 11"))
      << failure.message;
  EXPECT_EQ(health().restarts, 1);
  EXPECT_EQ(call("CrashSkill", "ok").find("SERVER"), std::string::npos);
}

TEST_F(SkillHost, BrokenFilesCostThemselvesOnly) {
  skill("a_exit.py", "import os\nos._exit(7)\n");
  skill("b_syntax.py", "class (:\n");
  skill("c_import.py", "import there_is_no_such_module\n");
  skill("d_raise.py", "raise SystemExit('no')\n");
  skill("e_abort.py", "import os\nos.abort()\n");
  skill("f_loop.py", "class LoopSkill:\n  def x(self): pass\nwhile True: pass\n");
  skill("g_names.py", R"py(
class ÄrgerSkill:
    def x(self): pass
class NamesSkill:
    def ok(self): return 1
    def constructor(self): return 1
setattr(NamesSkill, "no identifier", lambda self: 1)
class HiddenBase:
    def x(self): return 1
class _OwnSkill:
    def x(self): return 1
)py");
  skill(
      "h_many.py", "class ManySkill:\n" + [] {
        std::string all;
        for (int i = 0; i < 3000; ++i)
          all += "  def m" + std::to_string(i) + "(self): return " + std::to_string(i) + "\n";
        return all;
      }());
  skill("i_large.py", "# " + std::string(2 << 20, 'x') + "\n");
  skill("j_twice.py", "class NamesSkill:\n  def other(self): pass\n");
  skill("json.py", "raise RuntimeError('nobody wants this one by that name')\n");
  skill("k_hints.py", "class HintsSkill:\n  def x(self, a: 'Missing') -> 'Gone': return a\n");
  std::filesystem::create_directory(root + "/skills/l_folder.py");
  skill("z_good.py", "import json\nclass GoodSkill:\n  def x(self): return json.loads('[1]')\n");
  open();
  // Beside a file that takes all of the interpreter's time, a busy machine may offer some of the others later.
  wait_until([&] { return call("GoodSkill", "x") == "[1]"; });
  const std::map<std::string, int> expected = {
      {"GoodSkill", 1}, {"HintsSkill", 1}, {"ManySkill", 256}, {"NamesSkill", 1}, {"NamesSkill refused", 1}};
  std::map<std::string, int> counts;
  wait_until([&] {
    counts.clear();
    for (const Tool& tool : list()) ++counts[tool.server + (tool.state == Tool::State::kRefused ? " refused" : "")];
    return counts.size() >= expected.size();
  });
  EXPECT_EQ(counts, expected);
  std::string remarks;
  const auto is_remarked = [&](const char* said) {
    remarks.clear();
    for (const std::string& remark : health().remarks) remarks += remark + "\n";
    return remarks.find(said) != std::string::npos;
  };
  for (const char* said :
       {"a_exit.py: its import ends the process (exit code 7)", "b_syntax.py: SyntaxError", "(line 1)",
        "c_import.py: ModuleNotFoundError: No module named 'there_is_no_such_module'", "d_raise.py: SystemExit: no",
        "e_abort.py: its import ends the process (Aborted)", "f_loop.py: it is still being imported",
        "g_names.py ÄrgerSkill: a skill's name has letters", "its name is no identifier",
        "ManySkill has more than 256 methods", "i_large.py: it is larger than a megabyte",
        "j_twice.py NamesSkill: g_names.py has a class of that name", "json.py: RuntimeError",
        "HintsSkill.x: its type hints cannot be read", "l_folder.py: it is no file"}) {
    wait_until([&, polls = 0]() mutable { return is_remarked(said) || ++polls == 6'000; });
    EXPECT_TRUE(is_remarked(said)) << said << "\n" << remarks;
  }
  EXPECT_EQ(remarks.find(root), std::string::npos) << remarks;
  // They are known without starting anything.
  const auto before = health().remarks;
  open();
  EXPECT_EQ(health().remarks, before);
  EXPECT_EQ(health().state, catalog::ServerHealth::State::kIdle);
}

TEST_F(SkillHost, ChangedFilesAreReadAgainAndCallsUnderWayGoOn) {
  const auto version = [](const std::string& value, const std::string& more) {
    return R"py(
import os, time
from helper import WORD
class LiveSkill:
    def get(self): return ")py" +
           value + R"py(" + WORD
    def wait(self, path: str):
        while not os.path.exists(path): time.sleep(0.01)
        return ")py" +
           value + "\"\n" + more;
  };
  skill("a_exit.py", "import os\nos._exit(7)\n");  // not once more
  skill("helper.py", "WORD = '!'\n");
  skill("live.py", version("old", ""));
  open();
  EXPECT_EQ(call("LiveSkill", "get"), "\"old!\"");
  const auto waiting = std::make_shared<Answer>();
  begin("LiveSkill", "wait", R"({"path":")" + root + R"(/go"})", waiting);

  skill("live.py", version("new", "    def added(self): return 1\n"));
  wait_until([&] { return catalog->known("LiveSkill", "added").has_value(); });
  EXPECT_EQ(call("LiveSkill", "get"), "\"new!\"");
  EXPECT_EQ(call("LiveSkill", "added"), "1");
  // A module that a skill imports is part of it.
  skill("helper.py", "WORD = '?'\n");
  while (call("LiveSkill", "get") != "\"new?\"") {
  }
  EXPECT_FALSE(waiting->has_value());
  std::ofstream(root + "/go") << "go";
  EXPECT_EQ(said(waiting), "\"old\"");

  // Another signature is another definition, and where others may write, a person has to approve it.
  others_may_write();
  skill("live.py", "class LiveSkill:\n  def get(self, x: int = 1): return x\n");
  wait_until([&] { return !catalog->known("LiveSkill", "added").has_value(); });
  EXPECT_TRUE(call("LiveSkill", "get").starts_with("TOOL_QUARANTINED: LiveSkill.get"));
  EXPECT_NE(catalog->diff("LiveSkill", "get").find("\"x\""), std::string::npos);
  const Tool changed = catalog->known("LiveSkill", "get").value();
  ASSERT_TRUE(catalog->approve("LiveSkill", "get", changed.hash).ok());
  EXPECT_EQ(call("LiveSkill", "get"), "1");

  skill("live.py", "class (\n");
  // What was left out is asked for before the tools: a file that changes in between is remarked on with the next
  // listing.
  wait_until([&] { return !catalog->known("LiveSkill", "get").has_value() && health().remarks.size() == 2; });
  EXPECT_EQ(health().restarts, 0);
}

TEST_F(SkillHost, AServerOfTheConfigKeepsItsName) {
  skill("two.py", "class GitSkill:\n  def x(self): pass\nclass OwnSkill:\n  def y(self): return 1\n");
  open(R"({"mcpServers": {"GitSkill": {"command": "/no/such"}}, "skills": "./skills"})");
  EXPECT_EQ(call("OwnSkill", "y"), "1");
  std::map<std::string, std::string> reasons;
  for (const Tool& tool : list()) reasons[tool.server + "." + tool.name] = tool.reason;
  EXPECT_EQ(reasons, (std::map<std::string, std::string>{
                         {"OwnSkill.y", ""}, {"skills.GitSkill.x", "a server in the config is called GitSkill"}}));
  EXPECT_TRUE(call("GitSkill", "x").starts_with("SERVER_UNAVAILABLE: GitSkill: ")) << failure.message;
  // The name is the class's when the server is gone, and the process keeps running.
  catalog->set_servers(servers_of(R"({"skills": "./skills"})"));
  EXPECT_EQ(call("GitSkill", "x"), "null");
  EXPECT_EQ(catalog->health().size(), 1u);
  EXPECT_EQ(health().restarts, 0);
}

TEST_F(SkillHost, WithoutPythonEverySkillSaysSo) {
  skill("a.py", "class ASkill:\n  def x(self): pass\n");
  open(R"({"skills": {"folder": "./skills", "python": "no-such-python"}})");
  EXPECT_EQ(call("ASkill", "x"), "SERVER_UNAVAILABLE: skills: there is no program no-such-python in PATH");
  std::filesystem::remove_all(root + "/skills");
  open();
  EXPECT_TRUE(list().empty());
  EXPECT_EQ(health().remarks,
            (std::vector<std::string>{"skills: the folder cannot be read: No such file or directory"}));
}

}  // namespace
}  // namespace glovebox::skills
