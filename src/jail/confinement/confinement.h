// What a process of ours gives up before it reads hostile input: one value for each kind of process. Its steps are an
// ordered list that fails closed. SECURITY.md shows each value, and a test compares the two.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "jail/confinement/id_map.h"
#include "jail/confinement/own_root.h"
#include "jail/confinement/system_calls.h"

namespace glovebox::jail {

// Where a step is made. A process of a foreign program that does not fork makes all of them at its start, between clone
// and exec; a program of ours makes those itself that would keep it from being loaded. For guests, what a fork inherits
// and no guest could regain is made once, in the zygote; the rest in every guest.
enum class MadeIn : char { kClone, kStart, kZygote, kGuest, kProgram };

struct Subject;

struct Step {
  const char* name;
  MadeIn where;
  bool (*apply)(Subject& subject);  // null: the clone does it
};

struct ResourceLimit {
  __rlimit_resource resource;
  rlim_t most = 0;
  rlim_t Subject::*given = nullptr;  // instead of `most`, if it is known only at the start
};

enum class Readable : char { kNothing, kOwnFiles };

struct Confinement {
  const char* name;
  std::uint64_t namespaces;  // CLONE_NEW…
  OwnRoot root;
  Readable landlock;
  std::span<const ResourceLimit> limits;
  SystemCallFilter filter;
  std::span<const Step> steps;
};

// Instead of a descriptor: /dev/null, or none.
inline constexpr int kNowhere = -2;
inline constexpr int kNone = -1;

// The process that the steps are applied to. For kStart it is filled in before the clone: between clone and exec only
// system calls are allowed.
struct Subject {
  const Confinement& confinement;
  std::uint32_t missing_layers = 0;     // kWithout…: accepted by the owner
  const char* failed_part = nullptr;    // of the step that failed, if it has several
  std::span<const sock_filter> filter;  // compiled by the gateway
  std::span<int> descriptors;           // indexed by the number that each is to get; all others are closed
  int peer = -1;                        // index of the one whose other end is the parent's; failures are written to it
  pid_t parent = 0;                     // 0: in another pid namespace, or the gateway; `peer` hangs up instead
  rlim_t memory_bytes = 0, cpu_seconds = 0;
  std::function<void(std::span<const unsigned char, 32>)> reseed;

  // Used from clone to exec.
  Go go = kKeepGroups;
  bool change_ids = false;           // the gateway is root
  const char* folder = nullptr;      // to start in; null: the parent's
  std::uint32_t closed_by_exec = 0;  // bits of descriptors
  RootContent content;
  const char* readable[2] = {};  // Landlock's Readable::kOwnFiles, beside the program
  int program = -1;              // a descriptor
  char* const* arguments = nullptr;
  char* const* environment = nullptr;
  std::string_view report_head;  // what a failure report begins with
};

// Null, or the step that failed: then the process must not continue.
const Step* apply_steps(MadeIn where, Subject& subject);

// "STEP: PART: REASON", with the reason from errno. Does not allocate.
std::size_t describe_failure(const Step& step, const Subject& subject, std::span<char> text);

}  // namespace glovebox::jail
