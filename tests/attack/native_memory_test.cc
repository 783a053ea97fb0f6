// E10, B07: native code writes into memory that was mapped before the run, which no limit on mappings prevents.
#include <gtest/gtest.h>

#include <sstream>

#include "oracle/eventually.h"
#include "oracle/oracle.h"
#include "oracle/process_view.h"
#include "oracle/testbed.h"
#include "own_sandbox.h"

namespace glovebox::attack {
namespace {

// Every guest of a zygote has the same layout, so a waiting one shows where another can write. Only mappings without a
// file.
std::string mappings_with(pid_t pid, const char* wanted_flags) {
  std::istringstream maps(read_proc(pid, "maps"));
  std::string json = "[";
  for (std::string line; std::getline(maps, line);) {
    unsigned long from = 0, to = 0;
    char flags[8] = {}, name[8] = {};
    const int fields = std::sscanf(line.c_str(), "%lx-%lx %7s %*s %*s %*s %7s", &from, &to, flags, name);
    if (fields != 3 || !std::string(flags).starts_with(wanted_flags)) continue;
    if (json.size() > 1) json += ",";
    json += "[\"" + std::to_string(from) + "\",\"" + std::to_string(to) + "\"]";
  }
  return json + "]";
}

// From the far end of each mapping: the near end contains the code that is running.
constexpr const char* kScribble =
    "const junk = new Uint8Array(1 << 16).fill(0xcc); let written = 0;"
    "for (const [from, to] of context) for (let at = BigInt(to) - 65536n; at > BigInt(from) + 8388608n; at -= 65536n) {"
    "  poke(at, junk); written += 65536; }"
    "console.log(written >> 20); await new Promise((r) => setTimeout(r, 100)); return written";

TEST(NativeMemory, E10_ScribblingOverPremappedPagesCounts) {
  const Oracle oracle(GuestKind::kProbe);
  OwnSandbox own(GuestKind::kProbe, 1);
  RunRequest request;
  request.code = kScribble;
  request.language = Language::kJavaScript;
  request.context_json = mappings_with(own.only_guest(), "rwx");
  request.config.memory_bytes = std::size_t{16} << 20;
  request.config.timeout = std::chrono::seconds(60);
  const auto outcome = run_to_end(own.sandbox(), request);
  ASSERT_TRUE(outcome);
  const RunError* error = outcome->error();
  ASSERT_TRUE(error && error->code == "MEMORY_LIMIT") << to_json(*outcome);
  oracle.judge_limits(*outcome, request.config);
  RecordProperty("guest_mb", std::to_string(outcome->metrics.memory_used_mb));
  RecordProperty("poll_late_us", static_cast<int>(outcome->metrics.poll_late_ms * 1000));
}

// A waiting guest has touched the pages that a run writes to, and no others: its memory is what a pool costs.
TEST(NativeMemory, B07_AWaitingGuestHasThePagesOfARunAndFewMore) {
  OwnSandbox own(GuestKind::kProduct, 1);
  const pid_t guest = own.only_guest();
  std::size_t kib = 0;
  const bool has_them = eventually([&] {
    const std::string memory = read_proc(guest, "smaps_rollup");
    const std::size_t at = memory.find("Private_Dirty:");
    kib = at == std::string::npos ? 0 : std::stoul(memory.substr(at + 14));
    return kib >= 200;
  });
  EXPECT_TRUE(has_them) << kib << " KiB";
  EXPECT_LE(kib, 1024u);
}

// Memory beyond what a guest had at its start is counted. A guest that gave back the engine's code, where the zygote
// has put that into huge pages, could use as much more.
constexpr const char* kGiveBack =
    "const munmap = 11, mprotect = 10, mremap = 25, madvise = 28, answers = [];"
    "for (const [from, to] of context) { const at = BigInt(from), size = BigInt(to) - at;"
    "  answers.push(syscall(munmap, at, size), syscall(mprotect, at, size, 3), syscall(mremap, at, size, 4096, 0),"
    "               syscall(madvise, at, size, 4)); }"
    "return [...new Set(answers)]";

TEST(NativeMemory, E10_TheEnginesCodeCannotBeGivenBack) {
  OwnSandbox own(GuestKind::kProbe, 1);
  RunRequest request;
  request.code = kGiveBack;
  request.language = Language::kJavaScript;
  request.context_json = mappings_with(own.only_guest(), "r-x");
  if (request.context_json == "[]") GTEST_SKIP() << "no code in huge pages here: see `glovebox doctor`";
  const auto outcome = run_to_end(own.sandbox(), request);
  ASSERT_TRUE(outcome && outcome->ok()) << (outcome ? to_json(*outcome) : "no outcome");
  EXPECT_EQ(outcome->result_json(), "[-1]") << "EPERM is what the kernel says of memory that is sealed";
}

}  // namespace
}  // namespace glovebox::attack
