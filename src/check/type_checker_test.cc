#include "check/type_checker.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "base/program_part.h"
#include "base/source_folder.h"
#include "check/guest_declarations.h"
#include "check/sealed_process.h"
#include "jail/zygote_protocol.h"

namespace glovebox::check {
namespace {

using About = Diagnostic::About;

constexpr const char* kTools = R"(
declare const mcp: {
  files: {
    read(args: { path: string; lines?: number }): Promise<string>;
    stat(args: { path: string }): Promise<{ size: number; kind: "file" | "folder"; owner?: { name: string } }>;
    list(args: { path: string }): Promise<{ entries: { title: string; bytes: number }[] }>;
    count(args: {}): Promise<number>;
    anything(args: { path: string }): Promise<any>;
    unknown(args: { path: string }): Promise<unknown>;
  };
  open: any;
};
declare const files: typeof mcp.files;
)";

// For checks that must succeed: a busy machine gets the time that it needs.
TypeCheckerOptions patient() {
  TypeCheckerOptions options;
  options.check_time = options.start_time = options.whole_time = std::chrono::minutes(5);
  return options;
}

class Checking : public ::testing::Test {
 protected:
  CheckReport check(TypeChecker& checker, const std::string& code, std::shared_ptr<const std::string> declarations) {
    CheckReport report;
    checker.check({code, std::move(declarations)}, [&](CheckReport done) {
      report = std::move(done);
      loop_.stop();
    });
    const auto guard = boost::asio::make_work_guard(loop_);
    loop_.restart();
    loop_.run();
    return report;
  }

  CheckReport check(const std::string& code) { return check(checker_, code, tools_); }

  boost::asio::io_context loop_{1};
  std::shared_ptr<const std::string> tools_ = std::make_shared<std::string>(kTools);
  TypeChecker checker_{loop_.get_executor(), patient()};
};

// Of one finding: "tools TS2561 1:31 path", or "" when there is none. The first one about tools, else the first.
std::string summary(const CheckReport& report) {
  if (!report.note.empty()) return "note: " + report.note;
  if (report.diagnostics.empty()) return "";
  const Diagnostic* shown = &report.diagnostics.front();
  for (const Diagnostic& diagnostic : report.diagnostics) {
    if (diagnostic.about == About::kTools) {
      shown = &diagnostic;
      break;
    }
  }
  std::string text = shown->about == About::kTools ? "tools " : "code ";
  text += shown->code + " " + std::to_string(shown->position.line) + ":" + std::to_string(shown->position.column);
  if (!shown->suggestion.empty()) text += " " + shown->suggestion;
  return text;
}

// Which findings are about tools. The second column is what is found.
TEST_F(Checking, TellsMistakesWithToolsFromOthers) {
  const struct {
    const char* code;
    const char* found;
  } cases[] = {
      // Correct programs.
      {"return await mcp.files.read({ path: 'a' })", ""},
      {"mcp.files.read({ path: 'a', lines: 3 })", ""},
      {"const f = files.read; return (await f({ path: 'a' })).length", ""},
      {"return await mcp.open.whatever({ a: 1 }).b", ""},
      {"const r = await mcp.files.anything({ path: 'a' }); return r.b.c.d", ""},
      {"{ a: 1, b: [2] }", ""},
      {"({ a: await mcp.files.count({}) })", ""},
      {"try { await mcp.files.count({}) } catch (e) { console.log(e.message, e.code) }", ""},
      {"function f(x) { return x.y } return f(context.z) + args.q", ""},
      {"const all = []; for (const p of ['a']) all.push(await mcp.files.read({ path: p })); return all", ""},
      {"enum E { A } return E.A", ""},
      {"return await (mcp as any).nope.nope()", ""},
      {"// @ts-ignore\nreturn await mcp.files.nope({})", ""},
      // The tool's name.
      {"return await mcp.files.raead({ path: 'a' })", "tools TS2551 1:24 read"},
      {"return await mcp.fils.read({ path: 'a' })", "tools TS2551 1:18 files"},
      {"return await mcp.nowhere.read({ path: 'a' })", "tools TS2339 1:18"},
      {"return await mcp['files']['raead']({ path: 'a' })", "tools TS2551 1:27 read"},
      {"const f = mcp.files; return await f.raead({})", "tools TS2551 1:37 read"},
      {"const { raead } = mcp.files; return await raead({})", "tools TS2339 1:9"},
      {"return await file.read({ path: 'a' })", "tools TS2552 1:14 files"},
      {"return await mpc.files.read({ path: 'a' })", "code TS2304 1:14"},
      // Its arguments.
      {"return await mcp.files.read({ pth: 'a' })", "tools TS2561 1:31 path"},
      {"return await mcp.files.read({ path: 5 })", "tools TS2322 1:31"},
      {"return await mcp.files.read({ path: 'a', lines: '5' })", "tools TS2322 1:42"},
      {"return await mcp.files.read({})", "tools TS2741 1:29"},
      {"return await mcp.files.read()", "tools TS2554 1:24"},
      {"return await mcp.files.read('a')", "tools TS2345 1:29"},
      {"return await mcp.files.read({ path: null })", "tools TS2322 1:31"},
      {"const path = ['a'].find(x => x); return await mcp.files.read({ path })", "code TS2322 1:64"},
      {"const a = { pth: 'a' }; return await mcp.files.read(a)", "tools TS2741 1:53"},
      {"const a: Parameters<typeof mcp.files.read>[0] = { pth: 'a' }; return a", "tools TS2561 1:51 path"},
      {"return Promise.all([1].map(n => mcp.files.read({ path: n })))", "tools TS2322 1:50"},
      {"return await mcp.files.read({ path: 'a' }, 1)", "tools TS2554 1:44"},
      // Its result.
      {"const s = await mcp.files.stat({ path: 'a' }); return s.sizze", "tools TS2551 1:57 size"},
      {"const { sise } = await mcp.files.stat({ path: 'a' }); return sise", "tools TS2339 1:9"},
      {"const l = await mcp.files.list({ path: 'a' }); return l.entries.map(e => e.titel)", "tools TS2551 1:76 title"},
      {"const n = await mcp.files.count({}); return n.toUpperCase()", "tools TS2339 1:47"},
      {"const n: string = await mcp.files.count({}); return n", "tools TS2322 1:7"},
      {"const s = await mcp.files.stat({ path: 'a' }); return s.kind === 'fodler'", "tools TS2367 1:55"},
      {"return mcp.files.read({ path: 'a' }).length", "tools TS2339 1:38"},
      {"const p = mcp.files.read({ path: 'a' }); return p.length", "tools TS2339 1:51"},
      {"for (const e of await mcp.files.list({ path: 'a' })) console.log(e)", "tools TS2488 1:17"},
      // What may be absent does not stop the program.
      {"const s = await mcp.files.stat({ path: 'a' }); return s.owner.name", "code TS18048 1:55"},
      {"const r = await mcp.files.unknown({ path: 'a' }); return r.b", "code TS18046 1:58"},
      // Everything else.
      {"const a: number = 'x'; return a", "code TS2322 1:7"},
      {"return nobody.knows(mcp)", "code TS2304 1:8"},
      {"return await mcp.files.read({ path: nobody })", "code TS2304 1:37"},
      {"const s = { a: 1 }; return s.b", "code TS2339 1:30"},
      {"const x = ;", "code TS1109 1:11"},
  };
  for (const auto& item : cases) EXPECT_EQ(summary(check(item.code)), item.found) << item.code;
}

TEST_F(Checking, ShowsThePlaceInTheAgentsOwnText) {
  const CheckReport report =
      check("const a = 'ü🙂';\n\tconst r = await mcp.files.read({\n\t\tpth: a });\nreturn r.size");
  ASSERT_EQ(report.diagnostics.size(), 2u);
  const Diagnostic& first = report.diagnostics[0];
  EXPECT_EQ(first.position.line, 3);
  EXPECT_EQ(first.position.column, 3);
  EXPECT_EQ(first.end.column, 6);
  EXPECT_EQ(first.source_line, "\t\tpth: a });");
  EXPECT_EQ(first.caret, "\t\t^^^");
  EXPECT_EQ(first.suggestion, "path");
  EXPECT_NE(first.message.find("Did you mean to write 'path'?"), std::string::npos) << first.message;
  EXPECT_EQ(report.diagnostics[1].position.line, 4);
}

TEST_F(Checking, ReadsNoFileOfTheMachine) {
  // The paths exist here, and reading them would show in the findings.
  const CheckReport report = check(
      "/// <reference path=\"/etc/passwd\" />\nimport x from '/etc/passwd';\n"
      "const y: typeof import('/etc/hosts') = 1; return await import('/proc/self/environ')");
  EXPECT_EQ(report.note, "");
  for (const Diagnostic& diagnostic : report.diagnostics) {
    EXPECT_EQ(diagnostic.message.find("root:"), std::string::npos) << diagnostic.message;
  }
  EXPECT_FALSE(report.diagnostics.empty());
}

TEST_F(Checking, FollowsChangedDeclarations) {
  EXPECT_EQ(summary(check("mcp.files.read({ path: 'a' })")), "");
  const auto others =
      std::make_shared<std::string>("declare const mcp: { files: { write(args: { to: string }): Promise<void> } };");
  EXPECT_EQ(summary(check(checker_, "mcp.files.read({ path: 'a' })", others)), "tools TS2339 1:11");
  EXPECT_EQ(summary(check(checker_, "mcp.files.write({ to: 'a' })", others)), "");
  EXPECT_EQ(summary(check("mcp.files.read({ path: 'a' })")), "");
}

// Each takes seconds to hours, or all memory. The limits stop them, and the next check works as before.
TEST_F(Checking, EndsTypeBombsAndGoesOn) {
  TypeCheckerOptions options = patient();
  options.check_time = std::chrono::milliseconds(700);
  options.memory_bytes = std::size_t{400} << 20;
  TypeChecker checker(loop_.get_executor(), options);
  // The limit is meant for bombs. A busy machine may need longer for the first program of a new process, and gets it.
  const auto found_in_the_end = [&](const std::string& code) {
    std::string found;
    do {
      found = summary(check(checker, code, tools_));
    } while (found == "note: the type checker took too long" || found == "note: the type checker is busy");
    return found;
  };
  ASSERT_EQ(found_in_the_end("mcp.files.read({ path: 'a' })"), "");
  const char* const bombs[] = {
      // The compiler itself refuses a union of 10^8 strings, but not endless instantiations.
      R"(type F<N extends number, A extends any[] = []> = A['length'] extends N ? A : F<N, [...A, 0]>;
         type G<T> = T extends [infer H, ...infer R] ? G<R> | [H, G<R>, G<R>] : never;
         type D = '0'|'1'|'2'|'3'|'4'|'5'|'6'|'7'|'8'|'9';
         type P<A extends string> = A extends `${infer X}${infer Y}` ? P<Y> | `${X}${P<Y>}` : A;
         const a: G<F<900>> = 1;
         const b: P<'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz'> = 1; return [a, b])",
      R"(type B<N extends any[]> = N extends [any, ...infer R] ? { l: B<R>; r: B<R>; s: keyof B<R> } : 0;
         type L = [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1];
         type E<T> = { [K in keyof T]: T[K] extends object ? E<T[K]> : [T[K]] };
         declare let x: E<B<L>>; declare let y: E<E<B<[1, ...L]>>>; x = y; y = x as any as typeof y; return x)",
  };
  for (const char* bomb : bombs) {
    const CheckReport report = check(checker, bomb, tools_);
    // Whether a bomb is stopped or the compiler gives up by itself, there is an answer.
    EXPECT_TRUE(!report.note.empty() || !report.diagnostics.empty()) << bomb;
    EXPECT_EQ(found_in_the_end("mcp.files.raead({ path: 'a' })"), "tools TS2551 1:11 read");
  }
}

TEST_F(Checking, CutsOffWhatTakesTooLong) {
  TypeCheckerOptions options = patient();
  options.check_time = std::chrono::milliseconds(30);
  TypeChecker checker(loop_.get_executor(), options);
  std::string code;
  for (int i = 0; i < 20'000; ++i) code += "mcp.files.read({ path: 'a" + std::to_string(i) + "' });\n";
  std::string found;
  do {  // a busy machine may need all of its time to begin
    found = summary(check(checker, code, tools_));
  } while (found == "note: the type checker is busy");
  EXPECT_EQ(found, "note: the type checker took too long");
}

TEST_F(Checking, SaysWhyItCannot) {
  TypeCheckerOptions absent;
  absent.program = "/nowhere/tsc";
  TypeChecker none(loop_.get_executor(), absent);
  EXPECT_EQ(summary(check(none, "1", tools_)), "note: the type checker is not installed (/nowhere/tsc)");
  EXPECT_EQ(summary(check(std::string(kMostCodeBytes + 1, ' '))), "note: the program is too long");
  EXPECT_EQ(summary(check("'\xff'")), "note: the program is not UTF-8");
}

TEST_F(Checking, NeedsNoNamespacesWhereTheOwnerAcceptsThat) {
  if (::geteuid() == 0 && !private_folder_above(base::program_part("glovebox-tsc")).empty()) {
    GTEST_SKIP() << "the repository is in a folder that other users may not enter";
  }
  TypeCheckerOptions options = patient();
  options.missing_layers = jail::kWithoutNamespaces;
  TypeChecker open(loop_.get_executor(), options);
  const CheckReport report = check(open, "const wrong: number = 'text'; return wrong", tools_);
  EXPECT_EQ(report.note, "");
  EXPECT_EQ(report.diagnostics.size(), 1u);
}

// Another program in place of the type checker: it answers nothing, or nonsense. Nothing hangs.
TEST_F(Checking, SurvivesAServerThatIsNone) {
  TypeCheckerOptions options = patient();
  options.start_time = std::chrono::milliseconds(300);
  options.program = base::program_part("sealed-probe-folder/sealed-sleeper");
  TypeChecker silent(loop_.get_executor(), options);
  EXPECT_EQ(summary(check(silent, "1", tools_)), "note: the type checker took too long");
  // It is not tried again at once.
  EXPECT_EQ(summary(check(silent, "1", tools_)), "note: the type checker took too long");
  options.program = base::program_part("sealed-probe-folder/sealed-probe");
  TypeChecker chatty(loop_.get_executor(), options);
  EXPECT_NE(check(chatty, "1", tools_).note, "");
}

// The queue, a start and the check have one deadline together, and the note says where the time went.
TEST_F(Checking, EndsInTimeWhateverItWaitsFor) {
  TypeCheckerOptions options = patient();
  options.whole_time = std::chrono::milliseconds(300);
  options.program = base::program_part("sealed-probe-folder/sealed-sleeper");
  TypeChecker silent(loop_.get_executor(), options);
  for (int i = 0; i < 2; ++i) {
    std::string note;
    do {  // a busy machine may need all of its time to begin
      note = check(silent, "1", tools_).note;
    } while (note == "the type checker is busy");
    EXPECT_EQ(note.find("the type checker took too long: "), 0u) << note;
    EXPECT_NE(note.find(" ms in the queue, "), std::string::npos) << note;
  }
  // Both end at one moment: nothing is left for the second, however long the thread paused between the two.
  std::vector<std::string> notes;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  for (int i = 0; i < 2; ++i) {
    silent.check({"1", tools_, until}, [&](const CheckReport& report) { notes.push_back(report.note); });
  }
  const auto guard = boost::asio::make_work_guard(loop_);
  loop_.restart();
  while (notes.size() < 2) loop_.run_one();
  EXPECT_EQ(notes[1], "the type checker is busy") << "its time passed in the queue";
}

TEST_F(Checking, IsNotWaitedForWhenItIsClosed) {
  const auto before = std::chrono::steady_clock::now();
  bool answered = false;
  {
    TypeCheckerOptions options;
    options.start_time = std::chrono::hours(1);
    options.program = base::program_part("sealed-probe-folder/sealed-sleeper");
    TypeChecker silent(loop_.get_executor(), options);
    silent.check({"1", tools_}, [&](const CheckReport&) { answered = true; });
  }
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::minutes(1));
  EXPECT_FALSE(answered);
}

TEST_F(Checking, AnswersManyInTheirOrder) {
  std::vector<int> order;
  for (int i = 0; i < 20; ++i) {
    checker_.check({"mcp.files.read({ path: " + std::to_string(i) + " })", tools_},
                   [&order, i, this](CheckReport report) {
                     EXPECT_EQ(report.diagnostics.size(), 1u);
                     order.push_back(i);
                     if (order.size() == 20) loop_.stop();
                   });
  }
  const auto guard = boost::asio::make_work_guard(loop_);
  loop_.run();
  std::vector<int> expected(20);
  for (int i = 0; i < 20; ++i) expected[static_cast<std::size_t>(i)] = i;
  EXPECT_EQ(order, expected);
}

// ---- guest.d.ts and what a guest really has

std::set<std::string> golden_names() {
  std::ifstream file(base::source_folder() + "/tests/golden/globals.txt");
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') names.insert(line);
  }
  return names;
}

TEST_F(Checking, KnowsEverythingThatAGuestHas) {
  const std::regex plain(R"([A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*)");
  std::string code;
  for (const std::string& name : golden_names()) {
    if (!std::regex_match(name, plain)) continue;
    code += "void (" + name + ");\n";
  }
  const CheckReport report = check(checker_, code, tools_);
  EXPECT_EQ(report.note, "");
  for (const Diagnostic& diagnostic : report.diagnostics) {
    ADD_FAILURE() << diagnostic.source_line << ": " << diagnostic.message;
  }
}

TEST_F(Checking, PromisesNothingThatAGuestLacks) {
  const std::set<std::string> golden = golden_names();
  std::istringstream declared{std::string(guest_declarations())};
  const std::regex value(R"(declare (const|class|function) (\w+).*)");
  const std::regex member(R"(  (static )?(readonly )?(\w+)[?(<:].*)");
  std::string owner;
  bool is_class = false;
  std::smatch found;
  for (std::string line; std::getline(declared, line);) {
    if (std::regex_match(line, found, value)) {
      owner = found[2];
      is_class = found[1] == "class";
      // Only in tasks of workflows, whose context names it.
      EXPECT_TRUE(golden.contains(owner) || owner == "deps") << line;
    } else if (line == "}" || line == "};" || line.starts_with("interface") || line.starts_with("type")) {
      owner.clear();
    } else if (!owner.empty() && std::regex_match(line, found, member) && found[3] != "constructor") {
      const std::string name = found[3];
      // Own properties of errors.
      const bool is_of_error =
          name == "toolName" || name == "structuredContent" || (name == "code" && owner != "DOMException");
      if (is_of_error) continue;
      const bool on_prototype = is_class && found[1].length() == 0;
      EXPECT_TRUE(golden.contains(owner + (on_prototype ? ".prototype." : ".") + name)) << line;
    }
  }
}

}  // namespace
}  // namespace glovebox::check
