#include "replay/tool_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace glovebox {
namespace {

Sandbox& planning_sandbox() {
  static Sandbox shared(SandboxOptions{.pool_size = 1});
  return shared;
}

ToolPlan plan(const std::string& code, Language language = Language::kTypeScript) {
  auto made =
      planning_sandbox().plan({.code = code, .language = language, .servers = {"github", "fs", "odd-name", "console"}});
  EXPECT_TRUE(made) << made.failure().message;
  return made ? std::move(*made) : ToolPlan{};
}

// "server.tool@line:column ... | what@line:column ...", sorted.
std::string text_of(const ToolPlan& plan) {
  const auto place = [](const SourcePosition& position) {
    return "@" + std::to_string(position.line) + ":" + std::to_string(position.column);
  };
  std::string text;
  for (const PlannedTool& tool : plan.tools) text += tool.server + "." + tool.tool + place(tool.position) + " ";
  text += "|";
  for (const DynamicUse& use : plan.dynamic) text += " " + use.what + place(use.position);
  return text;
}

TEST(ToolPlan, FindsToolsByTheirNames) {
  EXPECT_EQ(text_of(plan("await mcp.github.list_commits({})")), "github.list_commits@1:7 |");
  EXPECT_EQ(text_of(plan("const x = 1\nreturn github.listCommits({ a: mcp.fs.read({}) })")),
            "github.listCommits@2:8 fs.read@2:32 |");
  EXPECT_EQ(text_of(plan("await mcp['odd-name'][\"tool.name\"]()")), "odd-name.tool.name@1:7 |");
  EXPECT_EQ(text_of(plan("mcp?.github?.a?.({}); mcp.github!.b(); mcp?.['github']?.['c']")),
            "github.a@1:1 github.b@1:23 github.c@1:40 |");
  EXPECT_EQ(text_of(plan("globalThis.mcp.github.a(); globalThis.github.b(); globalThis['fs'].c()")),
            "github.a@1:1 github.b@1:28 fs.c@1:51 |");
  EXPECT_EQ(text_of(plan("`${await github.a()} mcp.github.b()`; // mcp.github.c()")), "github.a@1:10 |");
  EXPECT_EQ(text_of(plan("github.a(); github.a(); github.default()")), "github.a@1:1 github.default@1:25 |");
  EXPECT_EQ(text_of(plan("await Promise.all([1].map((n) => github.a({ n })))")), "github.a@1:34 |");
  EXPECT_EQ(text_of(plan("const f = mcp.github.a; f({})")), "github.a@1:11 |");
  EXPECT_EQ(text_of(plan("return 1 + 1")), "|");
  EXPECT_EQ(text_of(plan("({ a: await mcp.github.b(), c: 2 })")), "github.b@1:13 |");
  EXPECT_EQ(text_of(plan("{ a: await mcp.github.b(), c: 2 }")), "github.b@1:12 |");
  EXPECT_EQ(text_of(plan("mcp.unknown.tool()")), "unknown.tool@1:1 |");
}

// "tool<from,from>after?*~ ...": ? conditional, * repeated, ~ only mentioned; `from` and `after` by place.
std::string flows_in(const std::string& code) {
  const auto places = [](const std::vector<std::size_t>& list) {
    std::string text;
    for (const std::size_t place : list) text += (text.empty() ? "" : ",") + std::to_string(place);
    return text;
  };
  std::string text;
  const ToolPlan made = plan(code);
  for (const PlannedCall& call : made.calls) {
    text += (text.empty() ? "" : " ") + call.tool + "<" + places(call.from) + ">" + places(call.after);
    if (call.is_conditional) text += "?";
    if (call.is_repeated) text += "*";
    if (call.is_mentioned) text += "~";
  }
  return made.flows_known ? text : text + " ...";
}

TEST(ToolPlan, FollowsValuesFromCallToCall) {
  const struct {
    const char* code;
    const char* found;
  } cases[] = {
      {"const a = await fs.a(); await fs.b(); return fs.c({ a })", "a<> b<>0 c<0>1"},
      {"const a = await fs.a(); const { x, y: [z] } = a.items; return fs.b({ z: `${z}` })", "a<> b<0>0"},
      {"return fs.b({ x: (await fs.a()).id })", "b<1>1 a<>"},
      {"const [a, b] = await Promise.all([fs.a(), fs.b()]); return fs.c({ b })", "a<> b<> c<0,1>0,1"},
      {"const rows = await fs.a();\nfor (const row of rows) {\n  await fs.b({ row })\n}", "a<> b<0>0*"},
      {"const r = await fs.a(); if (r.ok) await fs.b(); else await fs.c({ r })", "a<> b<>0? c<0>1?"},
      {"const rows = await fs.a(); await Promise.all(rows.map((row) => fs.b({ row: row.id })))", "a<> b<0>0*"},
      {"return fs.a().then(({ id }) => fs.b({ id }))", "a<> b<0>*"},
      {"const all = []; for (const x of context) all.push(await fs.a({ x })); return fs.b({ all })", "a<>* b<0>0"},
      {"async function f(x) { return fs.a({ x }) }\nconst y = await fs.b(); const z = await f(y); fs.c({ z })",
       "a<1>* b<> c<0,1>1"},
      {"const f = async (x) => fs.a({ x }); await f(await fs.b())", "a<1>* b<>"},
      {"const a: Foo = await fs.a<Foo>({}); let b; b = a!.x; o.p = b; fs.b({ o }); fs.c({ q: 1 })", "a<> b<0>0 c<>0"},
      {"const f = fs.a; await f(await fs.b())", "a<>~ b<>"},
      {"const [a] = await fs.a.raw({}); return fs.b.raw({ a: a.text })", "a<> b<0>0"},
      {"const { a } = fs; const b = await a(); fs.b({ b })", "a<>~ b<0>"},
      {"let x = await fs.a(); x += 1; const y = { x }; y.z = JSON.stringify(await fs.b()); fs.c({ v: JSON.parse('1') "
       "}, y)",
       "a<> b<>0 c<0,1>1"},
      {"return 1", ""},
  };
  for (const auto& one : cases) EXPECT_EQ(flows_in(one.code), one.found) << one.code;
}

// Code may cost the square of its length to follow, or have more arrows than a reader could use.
TEST(ToolPlan, GivesUpOnFlowsThatAreTooMuch) {
  std::string chain = "let a = fs.a({})";
  for (int i = 0; i < 1000; ++i) chain += ";a = a = a = a = a = a = a = a = a = a = a = a = a = a = a = a = a";
  const ToolPlan followed = plan(chain + "; fs.b({ a })");
  EXPECT_EQ(followed.calls.size(), 2u);
  std::string all = "let a = {};";
  for (int i = 0; i < 900; ++i) all += "a = fs.t" + std::to_string(i) + "({ a });";
  const ToolPlan given_up = plan(all);
  EXPECT_EQ(given_up.calls.size(), 900u);
  EXPECT_FALSE(given_up.flows_known);
  EXPECT_TRUE(given_up.dynamic.empty());
  const ToolPlan many = plan("{" + all + "}" + all);
  EXPECT_EQ(many.calls.size(), 1000u);
  EXPECT_EQ(many.tools.size(), 900u);
  EXPECT_FALSE(many.flows_known);
  const ToolPlan deep = plan(std::string(3000, '(') + "fs.a()" + std::string(3000, ')'));
  EXPECT_TRUE(deep.error || !deep.dynamic.empty() || deep.calls.size() == 1);
}

// "tool: condition, condition; ..."
std::string conditions_in(const std::string& code) {
  std::string text;
  for (const PlannedTool& tool : plan(code).tools) {
    text += (text.empty() ? "" : "; ") + tool.tool + ":";
    for (const std::string& condition : tool.when) text += (text.back() == ':' ? " " : ", ") + condition;
  }
  return text;
}

TEST(ToolPlan, TellsOrderAndConditions) {
  const struct {
    const char* code;
    const char* found;
  } cases[] = {
      {"await fs.b(); await fs.a()", "b:; a:"},
      {"if (context.a) { await fs.a() } else if (b) await fs.b(); else { await fs.c() }\nawait fs.d()",
       "a: if (context.a); b: if not (context.a), if (b); c: if not (context.a), if not (b); d:"},
      {"for (const x of await fs.list()) { if (x) await fs.each(x) }\nwhile (go) await fs.w()\nawait fs.after()",
       "list:; each: for (const x of await fs.list()), if (x); w: while (go); after:"},
      {"const r = ok && await fs.a();\nconst q = ok ? await fs.b() : await fs.c();\nawait fs.d() ?? await fs.e()",
       "a: if (ok); b: if (ok); c: if not (ok); d:; e: if not (await fs.d())"},
      {"await Promise.all(list.map(async (x) => fs.a(x)), fs.b())", "a: in a function; b:"},
      {"try { await fs.a() } catch (e) { await fs.b() } finally { await fs.c() }", "a:; b: if that fails; c:"},
      {"switch (k) { case 'x': await fs.d(); break; default: await fs.e() }", "d: case 'x'; e: default"},
      {"function f() { return fs.a() }\nif (y)\n  await fs.c()\nawait fs.b()", "a: in function f; c: if (y); b:"},
      {"if (x) fs.a(); fs.a()", "a:"},
      {"const o = { m() { return fs.a() }, n: fs.b() }; fs.d()", "a: in a function; b:; d:"},
      {"context.x ? fs.a() : fs.b()", "a: if (context.x); b: if not (context.x)"},
      {"let y: A extends B ? C : D = await fs.b(); do { await fs.c() } while (await fs.d())", "b:; c:; d:"},
      {"`${ok ? fs.a() : ''}`", "a: if (ok)"},
  };
  for (const auto& item : cases) EXPECT_EQ(conditions_in(item.code), item.found) << item.code;
}

TEST(ToolPlan, EndsOnWhatIsDeepOrLong) {
  std::string deep;
  std::string chain;
  for (int i = 0; i < 1000; ++i) deep += "if (a) {";
  for (int i = 0; i < 20'000; ++i) chain += "a && ";
  deep += "fs.a()" + std::string(1000, '}');
  for (const std::string& code : {deep, chain + "fs.a()"}) {
    const ToolPlan made = plan(code);
    ASSERT_LE(made.tools.size(), 1u);
    for (const PlannedTool& tool : made.tools) EXPECT_LE(tool.when.size(), 8u);
  }
}

TEST(ToolPlan, FollowsOtherNamesForServers) {
  EXPECT_EQ(text_of(plan("const gh = mcp.github; await gh.a()")), "github.a@1:30 |");
  EXPECT_EQ(text_of(plan("const m = mcp\nconst gh = m.github\ngh.a(); m.fs.b()")), "github.a@3:1 fs.b@3:9 |");
  EXPECT_EQ(text_of(plan("run(); function run() { return gh.a() }\nvar gh = github")), "github.a@1:32 |");
  EXPECT_EQ(text_of(plan("const { a, b: c } = mcp.github; a(); c()")), "github.a@1:9 github.b@1:12 |");
  EXPECT_EQ(text_of(plan("const { github: gh, fs: { read } } = mcp; gh.a(); read()")), "fs.read@1:27 github.a@1:43 |");
  EXPECT_EQ(text_of(plan("const { 'odd-name': odd } = mcp; odd.x()")), "odd-name.x@1:34 |");
  EXPECT_EQ(text_of(plan("const { github } = mcp; github.a()")), "github.a@1:25 |");
}

TEST(ToolPlan, MarksWhatItCannotFollow) {
  const std::pair<const char*, const char*> cases[] = {
      {"mcp[name].a()", "the server is computed: mcp[...]@1:1"},
      {"mcp['git' + 'hub'].a()", "the server is computed: mcp[...]@1:1"},
      {"mcp['git\\x68ub'].a()", "the server is computed: mcp[...]@1:1"},
      {"mcp[`github`].a()", "the server is computed: mcp[...]@1:1"},
      {"mcp.github[name]()", "the tool is computed: mcp[\"github\"][...]@1:1"},
      {"github?.[name]()", "the tool is computed: mcp[\"github\"][...]@1:1"},
      {"use(mcp)", "mcp is used as a value@1:5"},
      {"use(mcp.github)", "mcp[\"github\"] is used as a value@1:5"},
      {"use({ mcp })", "mcp is used as a value@1:7"},
      {"use({ github })", "mcp[\"github\"] is used as a value@1:7"},
      {"use({ ...github })", "mcp[\"github\"] is used as a value@1:10"},
      {"const gh = flag ? mcp.github : mcp.fs",
       "mcp[\"github\"] is used as a value@1:19 mcp[\"fs\"] is used as a value@1:32"},
      {"const gh = mcp.github || 1", "mcp[\"github\"] is used as a value@1:12"},
      {"const { a, ...rest } = mcp.github", "mcp[\"github\"] is used as a value@1:24"},
      {"const { [key]: tool } = mcp.github", "mcp[\"github\"] is used as a value@1:25"},
      {"const { a = 1 } = mcp.github", "mcp[\"github\"] is used as a value@1:19"},
      {"let gh; gh = mcp.github", "mcp[\"github\"] is used as a value@1:14"},
      {"for (const tool of Object.values(github)) tool()", "mcp[\"github\"] is used as a value@1:34"},
      {"(mcp as any).github.a()", "mcp is used as a value@1:2"},
      {"m\\u0063p.github.a()", "a name with escapes@1:1"},
      {"eval('mcp.github.a()')", "code made at run time@1:1"},
      {"new Function('return mcp')", "code made at run time@1:5"},
      {"(0, eval)('1')", "code made at run time@1:5"},
      {"globalThis.eval('1')", "code made at run time@1:1"},
      {"(async () => {}).constructor('return mcp')()", "code made at run time@1:18"},
      {"(async () => {})['constructor']('return mcp')()", "code made at run time@1:18"},
      {"globalThis['m' + 'cp'].github.a()", "globalThis is used as a value@1:1"},
      {"Reflect.get(globalThis, name)", "globalThis is used as a value@1:13"},
      {"const all = globalThis", "globalThis is used as a value@1:13"},
      {"this[name].github.a()", "this is the global object@1:1"},
      {"const f = () => this.mcp", "this is the global object@1:17"},
      {"if (x) { use(this) }", "this is the global object@1:14"},
      {"for await (const a of b) { use(this) }", "this is the global object@1:32"},
      {"use()\n{ use(this) }", "this is the global object@2:7"},
      {"const m = mcp; const n = m; n[key].a()", "the server is computed: mcp[...]@1:29"},
  };
  for (const auto& [code, expected] : cases) {
    EXPECT_EQ(text_of(plan(code)).substr(text_of(plan(code)).find('|')), std::string("| ") + expected) << code;
  }
}

TEST(ToolPlan, LeavesHarmlessMentionsAlone) {
  for (const char* code :
       {"typeof mcp === 'undefined'", "typeof mcp.github", "'github' in mcp", "Object.keys(mcp)",
        "Object.keys(mcp.github)", "const x = { mcp: 1, github: 2 }; x.mcp + x.github", "'mcp.github.a()'",
        "/* mcp.github.a() */ 1", "class A { constructor() { this.x = 1 } m() { return this.x } }",
        "function f() { return this }", "const o = { m() { return this.x } }", "error.constructor.name",
        "console.log(console)", "globalThis.setTimeout"}) {
    EXPECT_EQ(text_of(plan(code)), "|") << code;
  }
}

TEST(ToolPlan, ReadsTypes) {
  EXPECT_EQ(text_of(plan("interface Row { id: number }\nconst rows = await mcp.github.list<Row>({}) as Row[]\n"
                         "enum E { A }\nreturn rows.map((r: Row): number => r.id)")),
            "github.list@2:20 |");
}

TEST(ToolPlan, SaysWhatIsWrongWithTheSyntax) {
  const ToolPlan broken = plan("const = 1\nmcp.github.a()");
  ASSERT_TRUE(broken.error);
  EXPECT_EQ(broken.error->code.text(), "SYNTAX_ERROR");
  EXPECT_EQ(broken.error->position->line, 1);
  const ToolPlan types = plan("const x: number = 1", Language::kJavaScript);
  ASSERT_TRUE(types.error);
  const ToolPlan import = plan("import fs from 'fs'");
  ASSERT_TRUE(import.error);
  EXPECT_EQ(import.error->code.text(), "MODULE_DENIED");
}

TEST(ToolPlan, RunsNothing) {
  const ToolPlan quiet = plan("console.log(1); for (;;) {}");
  EXPECT_FALSE(quiet.error);
}

TEST(ToolPlan, SurvivesSourcesThatAreMeantToHurt) {
  const auto repeated = [](const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
  };
  // Deep, long, and full of entries: there must be some answer, and the sandbox must survive.
  for (const std::string& code :
       {repeated("(", 100'000), repeated("[", 5'000) + repeated("]", 5'000), repeated("mcp.a.b();\n", 100'000),
        repeated("mcp[x]();\n", 50'000), "const " + repeated("{a:", 3'000) + "x" + repeated("}", 3'000) + " = mcp",
        "mcp." + std::string(100'000, 'a') + ".b()", repeated("const a = a<b>(c);", 5'000)}) {
    const auto made = planning_sandbox().plan({.code = code, .servers = {"a"}});
    ASSERT_TRUE(made) << made.failure().message << code.substr(0, 40);
    EXPECT_LE(made->tools.size(), 1000u);
    EXPECT_LE(made->dynamic.size(), 1001u);
  }
  std::string many;
  for (int i = 0; i < 1500; ++i) many += "mcp.a.t" + std::to_string(i) + "();\n";
  const ToolPlan listed = plan(many);
  EXPECT_EQ(listed.tools.size(), 1000u);
  EXPECT_FALSE(listed.dynamic.empty());
  EXPECT_EQ(text_of(plan("mcp.a.b()")), "a.b@1:1 |");
}

Outcome finished_with(std::string json) {
  Outcome outcome;
  outcome.ending = Finished{std::move(json)};
  return outcome;
}

// A call whose flows are `arrows`.
std::string with_call(const std::string& arrows) {
  return R"({"tools":[],"dynamic":[],"flows_known":true,"calls":[{"server":"a","tool":"b\u001b","line":1,"column":1,)"
         R"("when":[],"is_conditional":false,"is_repeated":false,"is_mentioned":false,)" +
         arrows + "}]}";
}

TEST(ToolPlan, BelievesAGuestAsLittleAsAnywhere) {
  for (const std::string& nonsense : std::vector<std::string>{
           "1", "{}", R"({"tools":[]})", R"({"tools":{},"calls":[],"flows_known":true,"dynamic":[]})",
           R"({"tools":[1],"calls":[],"flows_known":true,"dynamic":[]})",
           R"({"tools":[{"server":"a","tool":1,"line":1,"column":1}],"calls":[],"flows_known":true,"dynamic":[]})",
           R"({"tools":[{"server":"a","tool":"b","line":0,"column":1}],"calls":[],"flows_known":true,"dynamic":[]})",
           R"({"tools":[{"server":"a","tool":"b","line":1,"column":99999999999}],"calls":[],"flows_known":true,)"
           R"("dynamic":[]})",
           R"({"tools":[{"server":"a","tool":"b","line":1,"column":1}],"calls":[],"flows_known":true,"dynamic":[]})",
           R"({"tools":[{"server":"a","tool":"b","line":1,"column":1,"when":[7]}],"calls":[],"flows_known":true,)"
           R"("dynamic":[]})",
           R"({"tools":[],"calls":[],"flows_known":true,"dynamic":[{"what":null,"line":1,"column":1}]})",
           R"({"tools":[],"dynamic":[],"calls":[1],"flows_known":true})", R"({"tools":[],"dynamic":[],"calls":[]})",
           with_call(R"("from":[1],"after":[])"), with_call(R"("from":[],"after":[-1])"), with_call(R"("from":[])"),
           with_call(R"("from":[],"after":["0"])")}) {
    EXPECT_FALSE(replay::plan_of(finished_with(nonsense))) << nonsense;
  }
  const auto called = replay::plan_of(finished_with(with_call(R"("from":[0],"after":[])")));
  ASSERT_TRUE(called);
  EXPECT_EQ(called->calls.at(0).from, std::vector<std::size_t>{0});
  EXPECT_EQ(called->calls.at(0).tool.find('\x1b'), std::string::npos);
  const auto good =
      replay::plan_of(finished_with(R"({"tools":[{"server":"a","tool":"b\u001b[31m","line":2,"column":3,)"
                                    R"("when":["if \u001b"]}],"calls":[],"flows_known":true,"dynamic":[]})"));
  ASSERT_TRUE(good);
  EXPECT_EQ(good->tools[0].position.line, 2);
  EXPECT_EQ(good->tools[0].tool.find('\x1b'), std::string::npos);
  EXPECT_EQ(good->tools[0].when.at(0).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace glovebox
