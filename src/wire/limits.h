// Every limit of the boundary in one place, each with its reason. Both sides enforce them.
#pragma once

#include <chrono>
#include <cstddef>

namespace glovebox::wire {

inline constexpr std::size_t kMiB = std::size_t{1} << 20;

// Code that an agent writes is a few kilobytes; a bundled library may be a megabyte. Beyond this the parser's own
// memory becomes the attack.
inline constexpr std::size_t kMaxSourceBytes = 4 * kMiB;

// One frame in either direction. A context or tool result of this size already costs the guest several times as much
// memory as a parsed value.
inline constexpr std::size_t kMaxFrameBytes = 64 * kMiB;

// What a `done`, `call` or `log` frame may hold around its payload: field names, an id, an op.
inline constexpr std::size_t kFrameOverheadBytes = 4096;

// One log line. A line is for people; a longer one is cut by the guest and refused by the gateway.
inline constexpr std::size_t kMaxLogLineBytes = 64 * 1024;

// Lines of one run, and what each counts for at least: even an empty one is kept, sent to clients and recorded.
inline constexpr std::size_t kMaxLogLines = 10'000;
inline constexpr std::size_t kMinLogLineCost = 64;

// An error's message or stack. Cut by the guest, refused by the gateway.
inline constexpr std::size_t kMaxErrorTextBytes = 16 * 1024;

// Nesting of a result or of call arguments. Recursive readers downstream must survive whatever we pass on.
inline constexpr int kMaxValueDepth = 128;

// Nesting of a whole frame: a value at its depth limit inside the frame's own object.
inline constexpr int kMaxFrameDepth = kMaxValueDepth + 4;

// Calls that a guest has sent and that are not yet answered.
inline constexpr std::size_t kMaxCallsInFlight = 256;

// Of these, what the guest's own bridge uses for calls that code may make without waiting; further ones queue in the
// guest. The difference is for sleeps and for calls that block.
inline constexpr std::size_t kMaxCallsAtOnce = 192;

// One piece of the bytes that go with a call or a reply. Large enough that copying dominates its cost, small enough
// that the two pieces by which a file is read ahead cost nothing.
inline constexpr std::size_t kMaxDataBytes = 256 * 1024;

// The arguments of one call as JSON. Paths, header fields and options are short; bytes are sent beside them.
inline constexpr std::size_t kMaxCallArgumentBytes = 1 * kMiB;

// A value that is sent inside its reply. A larger one goes beside it as bytes, which the guest reads in place; up to
// this size one frame is faster.
inline constexpr std::size_t kMaxInlineValueBytes = 8 * 1024;

// The result of one tool. As a value it takes several times as much of the guest's memory.
inline constexpr std::size_t kMaxToolResultBytes = 64 * kMiB;

// Results of tools that a run has not fetched yet and that wait in the gateway's memory.
inline constexpr std::size_t kMaxHeldToolResultBytes = 128 * kMiB;

// A server's or a tool's name each, and both with a dot between them. The protocol sets no limit.
inline constexpr std::size_t kMaxToolNamePartBytes = 512;
inline constexpr std::size_t kMaxToolNameBytes = 2 * kMaxToolNamePartBytes + 1;

// The names of tools that a run gets in advance. Names beyond that can be called all the same.
inline constexpr std::size_t kMaxToolListBytes = 2 * kMiB;

// Calls that are kept in a run's trace. What was denied is kept beyond that, up to as many again.
inline constexpr std::size_t kMaxTraceEntries = 1000;

// Timers that wait at one time. 10^6 of them would be a memory attack by themselves.
inline constexpr std::size_t kMaxTimers = 10'000;

// Log frames in excess of the run's log limit that the gateway still reads before it calls the run hostile: an honest
// guest stops at the limit by itself.
inline constexpr std::size_t kLogFloodBytes = 1 * kMiB;

// The name of the program as shown in stack traces.
inline constexpr std::size_t kMaxNameBytes = 255;

// The seed of a run; any text that a person may type.
inline constexpr std::size_t kMaxSeedBytes = 256;

// The smallest memory limit that the engine itself can work within.
inline constexpr std::size_t kMinMemoryBytes = 16 * kMiB;

// Data pages beyond the run's limit that the kernel still grants, for what the allocator rounds up.
inline constexpr std::size_t kMemorySlackBytes = 4 * kMiB;

// What one command writes to one of its streams. Both together still fit into a frame as base64.
inline constexpr std::size_t kMaxCommandOutputBytes = 16 * kMiB;

// What all commands of a run have written and the guest has not received: it waits in the gateway's memory.
inline constexpr std::size_t kMaxHeldCommandOutputBytes = 64 * kMiB;

// Commands of a run that execute at one time; further ones are queued. Each is two processes.
inline constexpr std::size_t kMaxCommandsAtOnce = 8;

// One command. A run normally ends long before; this bounds those whose owner gave them hours.
inline constexpr std::chrono::minutes kMaxCommandTime{10};

// The body of a request that the gateway keeps until there is a response, so that it can follow a redirect; and all of
// them together for one run. Larger ones are streamed and cannot be sent twice.
inline constexpr std::size_t kMaxKeptBodyBytes = 1 * kMiB;
inline constexpr std::size_t kMaxHeldBodyBytes = 16 * kMiB;

}  // namespace glovebox::wire
