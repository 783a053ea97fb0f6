// E20: the process that reads servers' schemas, once a schema has taken it over: what it can do, what the kernel
// reports about it, and what becomes of the gateway.
#include <gtest/gtest.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "jail/confinement/id_map.h"
#include "jail/zygote_protocol.h"
#include "oracle/process_view.h"
#include "types/sealed/generator_confinement.h"
#include "types/sealed/generator_limits.h"
#include "types/sealed/probe_fixture.h"
#include "types/sealed/type_generator.h"

namespace glovebox::attack {
namespace {

using types::GeneratorProcess;
using types::in_a_minute;
using types::order_to_probe;
using types::probe_tool;

constexpr long kLastNumber = 512;
constexpr long kX32Bit = 0x40000000;
// Let through by the kernel before any filter (README.md).
constexpr long kUretprobe = 335;
constexpr long kUprobe = 336;

std::optional<GeneratorProcess> taken_over(std::uint32_t missing_layers = 0) {
  auto started = GeneratorProcess::start({types::probe_program(), missing_layers, -1}, in_a_minute());
  EXPECT_TRUE(started) << started.failure().message;
  return started ? std::optional(std::move(started).value()) : std::nullopt;
}

// How a process ends that does this, or what it says if it survives.
std::string fate_of(const std::string& order, const std::string& with = "", std::uint32_t missing_layers = 0) {
  auto process = taken_over(missing_layers);
  if (!process) return "not started";
  const auto answer = process->ask(order_to_probe(order, with), in_a_minute());
  if (answer) return *answer;
  const int status = process->reap();
  return WIFSIGNALED(status) ? std::string("killed by ") + ::sigabbrev_np(WTERMSIG(status)) : "ended";
}

TEST(SealedTypes, E20_EveryCallThatIsNotAllowedKills) {
  std::set<long> allowed = {kUretprobe, kUprobe};
  for (const jail::AllowedCall& call : types::generator_confinement().filter.calls) allowed.insert(call.number);
  for (long number = 0; number <= kLastNumber; ++number) {
    if (!allowed.contains(number)) EXPECT_EQ(fate_of("call", std::to_string(number)), "killed by SYS") << number;
  }
  for (const long number : {SYS_read, SYS_openat, SYS_execve, SYS_mmap})
    EXPECT_EQ(fate_of("call", std::to_string(kX32Bit + number)), "killed by SYS") << "x32 " << number;
}

TEST(SealedTypes, E20_NoFileSocketOrProcess) {
  const std::string attempts[] = {
      std::to_string(SYS_openat) + " -100 /etc/passwd 0",
      std::to_string(SYS_open) + " /etc/passwd 0",
      std::to_string(SYS_openat2) + " -100 /proc/self/environ 0 24",
      std::to_string(SYS_socket) + " 1 1 0",
      std::to_string(SYS_socketpair) + " 1 1 0 0",
      std::to_string(SYS_io_uring_setup) + " 8 0",
      std::to_string(SYS_fork),
      std::to_string(SYS_clone3) + " 0 0",
      std::to_string(SYS_execve) + " /bin/sh 0 0",
      std::to_string(SYS_kill) + " -1 9",
      std::to_string(SYS_ptrace) + " 16 1 0 0",
      std::to_string(SYS_memfd_create) + " x 0",
      std::to_string(SYS_dup) + " 3",
      std::to_string(SYS_sendmsg) + " 3 0 0",
      std::to_string(SYS_clock_gettime) + " 0 0",
      std::to_string(SYS_prctl) + " 15 x 0 0 0",
  };
  for (const std::string& attempt : attempts) {
    EXPECT_EQ(fate_of("call", attempt), "killed by SYS") << attempt;
    // Nor where the owner goes without every layer that may be missing.
    constexpr std::uint32_t kAll = jail::kWithoutNamespaces | jail::kWithoutLandlock | jail::kWithoutTimestampTrap;
    EXPECT_EQ(fate_of("call", attempt, kAll), "killed by SYS") << attempt;
  }
}

TEST(SealedTypes, E20_AllowedCallsOnlyAsItNeedsThem) {
  for (const char* fd : {"0", "1", "2", "4"}) {
    EXPECT_EQ(fate_of("call", std::to_string(SYS_read) + " " + fd + " 0 0"), "killed by SYS") << fd;
    EXPECT_EQ(fate_of("call", std::to_string(SYS_write) + " " + fd + " x 1"), "killed by SYS") << fd;
  }
  const std::string map = std::to_string(SYS_mmap) + " 0 4096 ";
  EXPECT_EQ(fate_of("call", map + "7 34 -1 0"), "killed by SYS") << "code";
  EXPECT_EQ(fate_of("call", map + "3 33 -1 0"), "killed by SYS") << "shared";
  EXPECT_EQ(fate_of("call", map + "1 2 3 0"), "killed by SYS") << "a file";
  EXPECT_FALSE(fate_of("call", map + "3 34 -1 0").starts_with("killed")) << "memory";
}

TEST(SealedTypes, E20_HasNoTimerAndBoundedMemory) {
  EXPECT_EQ(fate_of("counter"), "killed by SEGV");
  EXPECT_TRUE(fate_of("eat").starts_with("killed"));
}

TEST(SealedTypes, E20_TheKernelSaysTheSame) {
  auto process = taken_over();
  ASSERT_TRUE(process);
  const pid_t pid = process->pid();
  const auto descriptors = descriptors_of(pid);
  ASSERT_EQ(descriptors.size(), 1u) << testing::PrintToString(descriptors);
  EXPECT_TRUE(descriptors[0].starts_with("3 socket:[")) << descriptors[0];
  EXPECT_EQ(root_entries(pid), std::set<std::string>{});
  EXPECT_EQ(read_proc(pid, "environ"), "");
  EXPECT_EQ(status_field(pid, "NoNewPrivs"), "1");
  EXPECT_EQ(status_field(pid, "Seccomp"), "2");
  EXPECT_EQ(status_field(pid, "Threads"), "1");
  for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"})
    EXPECT_EQ(status_field(pid, set), "0000000000000000") << set;
  if (::geteuid() == 0) {
    const std::string id = std::to_string(jail::kGuestUid);
    EXPECT_EQ(status_field(pid, "Uid"), id + " " + id + " " + id + " " + id);
    EXPECT_EQ(status_field(pid, "Groups"), "");
  }
  std::string most;
  std::ifstream("/proc/sys/user/max_user_namespaces") >> most;
  for (const std::string kind : {"user", "pid", "mnt", "net", "ipc", "uts", "cgroup"}) {
    if (kind == "user" && most == "0") continue;  // root made the others (without_user_namespaces)
    EXPECT_NE(namespace_of(pid, kind), namespace_of(::getpid(), kind)) << kind;
  }
  for (const char* none :
       {"Max core file size", "Max file size", "Max processes", "Max locked memory", "Max file locks",
        "Max pending signals", "Max msgqueue size", "Max nice priority", "Max realtime priority", "Max open files"})
    EXPECT_EQ(limit_of(pid, none), "0 0") << none;
  const std::string memory = std::to_string(types::kGeneratorMemory);
  EXPECT_EQ(limit_of(pid, "Max data size"), memory + " " + memory);
  EXPECT_EQ(read_proc(pid, "oom_score_adj"), "1000\n");
}

// A gateway whose servers do what they can with their schemas: it answers, says who it was, keeps nothing, and the next
// text is whole.
TEST(SealedTypes, E20_TheGatewayStaysHealthy) {
  boost::asio::io_context loop;
  const auto guard = boost::asio::make_work_guard(loop);
  std::vector<std::string> notices;
  types::TypeGeneratorOptions options;
  options.program = types::probe_program();
  options.start_time = options.whole_time = std::chrono::minutes(5);  // one hangs, for the time of an answer
  options.on_notice = [&](const std::string& text) { notices.push_back(text); };
  types::TypeGenerator generator(loop.get_executor(), options);
  const auto declare = [&](const std::vector<types::ToolShape>& tools) {
    types::MadeText made;
    generator.make([&](const auto& ask) { return types::declare_all(tools, types::Form::kCompact, ask); },
                   [&](types::MadeText text) {
                     made = std::move(text);
                     loop.stop();
                   });
    loop.restart();
    loop.run();
    return made;
  };
  EXPECT_TRUE(declare({probe_tool("g", "warm_up", "")}).is_whole);
  const std::size_t descriptors = descriptors_of(::getpid()).size();
  const std::string threads = status_field(::getpid(), "Threads");
  const std::string escape = "(args: any): Promise<any>;\n}\ndeclare const mcp: any;\ninterface $x {";
  const auto made = declare({
      probe_tool("a", "dies", "die"),
      probe_tool("b", "eats", "eat"),
      probe_tool("c", "opens", "call", std::to_string(SYS_openat) + " -100 /etc/passwd 0"),
      probe_tool("d", "escapes", "sign", escape),
      probe_tool("e", "floods", "repeat", "100000000"),
      probe_tool("f", "hangs", "hang"),
      probe_tool("g", "honest", ""),
  });
  EXPECT_NE(made.text.find("honest(args?: any /* of the probe */): Promise<any>;"), std::string::npos) << made.text;
  for (const char* name : {"dies", "eats", "opens", "escapes", "floods", "hangs"})
    EXPECT_NE(made.text.find(name + std::string("(args?: any /* its types could not be made */)")), std::string::npos)
        << name << made.text;
  EXPECT_EQ(notices.size(), 6u) << testing::PrintToString(notices);
  EXPECT_EQ(descriptors_of(::getpid()).size(), descriptors);
  EXPECT_EQ(status_field(::getpid(), "Threads"), threads);
  EXPECT_LE(descendants_of(::getpid()).size(), 1u) << "processes were left behind";
  EXPECT_TRUE(declare({probe_tool("g", "next", "")}).is_whole);
  for (int i = 0; i < 12; ++i) EXPECT_TRUE(declare({probe_tool("many" + std::to_string(i), "tool", "")}).is_whole);
  EXPECT_EQ(descendants_of(::getpid()).size(), types::kMostGenerators);
}

}  // namespace
}  // namespace glovebox::attack
