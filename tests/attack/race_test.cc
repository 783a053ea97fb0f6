// D03, D10: a process outside swaps files, folders and links beneath the granted folder, as fast as it can, while a
// program reads, writes, renames and removes through them. Whatever the timing, nothing outside is seen or touched.
//
// Normally for some seconds; `make prove` makes a million swaps of each.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "base/proving.h"
#include "oracle/attack_folder.h"
#include "oracle/oracle.h"

namespace glovebox::attack {
namespace {

namespace fs = std::filesystem;

std::size_t wanted_swaps() {
  return base::is_proving() ? 1'000'000 : 8'000;
}

// Records the outcome of each call, until {folder}/stop exists and each of `needed` has been seen.
const char* const kProgram = R"js(
const seen = {};
const note = (name, work) => {
  let end;
  try { const value = work(); end = typeof value === 'string' ? value : 'done'; } catch (error) { end = error.name; }
  seen[name + ': ' + end] = (seen[name + ': ' + end] ?? 0) + 1;
};
const at = (name) => '{folder}/' + name;
const stopped = () => { try { Deno.statSync(at('stop')); return true; } catch { return false; } };
// With an overlay what is written once is not on the disk any more, so it is read for as long as that is raced with.
const read = () => {
  note('read', () => Deno.readTextFileSync(at('file')));
  note('size', () => String(Deno.statSync(at('file')).size <= 6));
  note('read beneath', () => Deno.readTextFileSync(at('dir/canary.txt')));
  note('read by dots', () => Deno.readTextFileSync(at('dir/up')));
  note('list', () => [...Deno.readDirSync(at('dir'))].map((entry) => entry.name)
      .filter((name) => !/^(canary.txt|victim.txt|up|made|new|moved|copy|[0-9a-f]{16})$/.test(name)).join());
  note('real', () => Deno.realPathSync(at('dir/canary.txt')));
};
const write = () => {
  note('write', () => Deno.writeTextFileSync(at('file'), 'inside'));
  note('append', () => Deno.writeTextFileSync(at('file'), '', { append: true }));
  note('write beneath', () => Deno.writeTextFileSync(at('dir/victim.txt'), 'guest'));
  note('create beneath', () => Deno.writeTextFileSync(at('dir/new'), 'guest'));
  note('rename beneath', () => Deno.renameSync(at('dir/new'), at('dir/moved')));
  note('rename in', () => Deno.renameSync(at('dir/moved'), at('taken')));
  note('rename out', () => Deno.renameSync(at('taken'), at('dir/moved')));
  note('copy beneath', () => Deno.copyFileSync(at('dir/canary.txt'), at('dir/copy')));
  note('copy in', () => Deno.copyFileSync(at('dir/canary.txt'), at('copied')));
  note('read copy', () => Deno.readTextFileSync(at('copied')));
  note('mkdir beneath', () => Deno.mkdirSync(at('dir/made/deep'), { recursive: true }));
  note('remove beneath', () => Deno.removeSync(at('dir/victim.txt')));
  note('remove tree', () => Deno.removeSync(at('dir/made'), { recursive: true }));
  note('temp beneath', () => Deno.removeSync(Deno.makeTempFileSync({ dir: at('dir') })));
};
let rounds = 0;
stopped();
console.log('here');
do {
  read();
  if ({direct}) write();
} while (++rounds < 50 || !stopped() || !{needed}.every((what) => seen[what]));
for (let i = 0; i < 50; i++) { write(); read(); }
for (const name of ['canary.txt', 'victim.txt']) outcome(name);
function outcome(name) {
  try { seen['at the end ' + name] = Deno.readTextFileSync('{outside}/' + name); }
  catch (error) { seen['at the end ' + name] = error.name; }
}
return { seen, rounds };
)js";

class Race : public testing::TestWithParam<FileMode> {
 protected:
  // `swap` is called repeatedly, an even number of times, with the paths of the granted folder and of what is outside.
  using Swap = std::function<void(const AttackFolder&)>;

  // Runs until each of `needed` has been seen: a race that only one side runs proves nothing.
  void run(std::vector<std::string> files, const std::vector<std::string>& needed, const Swap& swap) {
    Program program;
    program.files = std::move(files);
    program.request.code = kProgram;
    program.request.language = Language::kJavaScript;
    program.request.config.allow_read = program.request.config.allow_write = {"{folder}"};
    run(std::move(program), needed, swap);
  }

  void run(Program program, const std::vector<std::string>& needed, const Swap& swap) {
    SandboxConfig& config = program.request.config;
    config.timeout = std::chrono::minutes(10);
    config.memory_bytes = std::size_t{128} << 20;
    config.max_write_bytes = std::size_t{1} << 40;
    config.max_new_files = 100'000'000;
    config.max_log_bytes = std::size_t{64} << 20;
    config.file_mode = GetParam();
    if (const std::size_t at = program.request.code.find("{direct}"); at != std::string::npos) {
      program.request.code.replace(at, 8, GetParam() == FileMode::kDirect ? "true" : "false");
    }
    const std::size_t list = program.request.code.find("{needed}");
    ASSERT_NE(list, std::string::npos);
    program.request.code.replace(list, 8, list_of(needed));
    AttackFolder folder(program);
    Oracle oracle(GuestKind::kProduct);
    std::atomic<bool> started = false, ended = false;
    std::size_t swaps = 0;
    // A grant is resolved at the first file operation; what its path leads to until then is what it grants.
    program.request.on_log = [&started](const LogLine&) { started = true; };
    std::thread attacker([&] {
      while (!started && !ended) std::this_thread::yield();
      while (!ended || swaps % 2 != 0) {
        swap(folder);
        if (++swaps == wanted_swaps()) ::close(::open((folder.granted() + "/stop").c_str(), O_CREAT | O_CLOEXEC, 0600));
      }
    });
    auto outcome = run_to_end(Testbed::instance().sandbox(GuestKind::kProduct), std::move(program.request));
    ended = true;
    attacker.join();
    RecordProperty("swaps", static_cast<int>(swaps));
    ASSERT_TRUE(outcome) << "the run did not end by its limits";
    // If it hit its time limit, something that is needed was never seen.
    ASSERT_TRUE(outcome->ok()) << list_of(needed) << ": " << to_json(*outcome).substr(0, 3000);
    result_ = outcome->result_json();
    for (const std::string& what : needed) expect_seen(what);
    oracle.judge_outcome(*outcome, config);
    oracle.judge_limits(*outcome, config);
    folder.judge_outcome(*outcome);
    folder.judge_outside();
    (void)outcome->changes.commit();
    folder.judge_inside(GetParam() == FileMode::kOverlay);
    folder.judge_outside();
    outcome.reset();
    oracle.judge_aftermath();
  }

  void expect_seen(const std::string& what) const {
    EXPECT_NE(result_.find('"' + what + "\":"), std::string::npos) << what << " was not seen: " << result_;
  }
  static std::string list_of(const std::vector<std::string>& texts) {
    std::string list = "[";
    for (const std::string& text : texts) list += "'" + text + "',";
    return list + "]";
  }
  bool is_direct() const { return GetParam() == FileMode::kDirect; }
  void expect_not_seen(const std::string& what) const {
    EXPECT_EQ(result_.find('"' + what), std::string::npos) << result_;
  }

  std::string result_;
};

bool exchange(const std::string& one, const std::string& other) {
  const bool done = ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0;
  if (!done) std::this_thread::yield();
  return done;
}

const std::vector<std::string> kFiles = {"file = inside", "dir/canary.txt = inside", "dir/victim.txt = inside",
                                         "dir/up -> ../canary.txt", "canary.txt = inside"};

std::vector<std::string> with(std::vector<std::string> files, const std::string& more) {
  files.push_back(more);
  return files;
}

TEST_P(Race, OfAFileAndALink) {
  std::vector<std::string> needed = {"read: inside", "read: PermissionDenied"};
  if (is_direct()) needed.push_back("write: PermissionDenied");
  run(with(kFiles, "link -> {outside}/victim.txt"), needed,
      [](const AttackFolder& folder) { exchange(folder.granted() + "/file", folder.granted() + "/link"); });
  expect_not_seen("size: false");
}

TEST_P(Race, OfAFolderAndALink) {
  std::vector<std::string> needed = {"read beneath: inside", "read beneath: PermissionDenied"};
  if (is_direct()) needed.push_back("create beneath: PermissionDenied");
  run(with(kFiles, "link -> {outside}"), needed,
      [](const AttackFolder& folder) { exchange(folder.granted() + "/dir", folder.granted() + "/link"); });
  expect_not_seen("read beneath: OUTSIDE");
}

TEST_P(Race, OfAFolderThatIsMovedOut) {
  // Beside it is what `dir/up` would lead to if a path went up from there.
  std::string elsewhere = fs::temp_directory_path() / "glovebox-race-XXXXXX";
  ASSERT_NE(::mkdtemp(elsewhere.data()), nullptr);
  std::ofstream(elsewhere + "/canary.txt") << "ESCAPED";
  run(kFiles, {"read beneath: inside", "read beneath: NotFound"},
      [elsewhere, is_out = false](const AttackFolder& folder) mutable {
        const std::string inside = folder.granted() + "/dir", out = elsewhere + "/dir";
        const std::string &from = is_out ? out : inside, &to = is_out ? inside : out;
        // The program creates a folder of the same name where there is none, and from then on the two are exchanged.
        if (::rename(from.c_str(), to.c_str()) == 0 || exchange(from, to)) is_out = !is_out;
      });
  EXPECT_EQ(result_.find("ESCAPED"), std::string::npos) << result_;
  fs::remove_all(elsewhere);
}

TEST_P(Race, OfTheGrantedFolderItself) {
  std::vector<std::string> files;
  for (const std::string& line : kFiles) files.push_back("g/" + line);
  Program program;
  program.files = with(files, "link -> {outside}");
  program.request.code = kProgram;
  for (std::size_t at = program.request.code.find("'{folder}/'"); at != std::string::npos;
       at = program.request.code.find("'{folder}/'", at + 1)) {
    program.request.code.replace(at, 11, "'{folder}/g/'");
  }
  program.request.code.replace(program.request.code.find("at('stop')"), 10, "'{folder}/stop'");
  program.request.language = Language::kJavaScript;
  program.request.config.allow_write = {"{folder}/g"};
  program.request.config.allow_read = {"{folder}/g", "{folder}/stop"};
  run(std::move(program), {"read: inside", "read beneath: inside"},
      [](const AttackFolder& folder) { exchange(folder.granted() + "/g", folder.granted() + "/link"); });
}

// D10: bytes are counted as they are read, whatever the size was a moment before.
TEST_P(Race, OfAFileThatGrows) {
  Program program;
  program.files = {"log = start"};
  program.request.language = Language::kJavaScript;
  program.request.config.allow_read = program.request.config.allow_write = {"{folder}"};
  program.request.config.max_read_bytes = 1 << 20;
  program.request.code = R"js(
const seen = {};
const note = (what) => { seen[what] = (seen[what] ?? 0) + 1; };
const stopped = () => { try { Deno.statSync('{folder}/stop'); return true; } catch { return false; } };
let rounds = 0;
stopped();
console.log('here');
do {
  try { note(Deno.readFileSync('{folder}/log').length <= 1048576 ? 'within' : 'beyond'); }
  catch (error) { note(error.code); }
  try { note((await Deno.readTextFile('{folder}/log')).length <= 1048576 ? 'within' : 'beyond'); }
  catch (error) { note(error.code); }
} while (++rounds < 50 || !stopped() || !{needed}.every((what) => seen[what]));
return seen;
)js";
  run(std::move(program), {"within", "EFBIG"}, [size = std::size_t{0}](const AttackFolder& folder) mutable {
    static const std::string bytes(4096, 'x');
    size = size > (3u << 20) ? 0 : size + bytes.size();
    const std::string path = folder.granted() + "/log";
    const base::UniqueFd file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | (size == 0 ? O_TRUNC : 0)));
    (void)!::write(file.get(), bytes.data(), bytes.size());
  });
  expect_not_seen("beyond");
}

INSTANTIATE_TEST_SUITE_P(Files, Race, testing::Values(FileMode::kDirect, FileMode::kOverlay),
                         [](const auto& info) { return info.param == FileMode::kDirect ? "direct" : "overlay"; });

}  // namespace
}  // namespace glovebox::attack
