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

// Lines of one run, and what each counts for at least: even an empty one is kept, told to clients and written down.
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

// Of these, what the guest's own bridge uses for calls that code may make without waiting; the rest of them queue in
// the guest. The difference is for sleeps and for calls that block.
inline constexpr std::size_t kMaxCallsAtOnce = 192;

// One piece of the bytes that go with a call or a reply. Large enough that its cost is copying, small enough that the
// two pieces a file is read ahead by are nothing.
inline constexpr std::size_t kMaxDataBytes = 256 * 1024;

// The arguments of one call as JSON. Paths, header fields and options are short; bytes travel beside them.
inline constexpr std::size_t kMaxCallArgumentBytes = 1 * kMiB;

// A value that travels inside its reply. A larger one goes beside it as bytes, which the guest reads where they lie; up
// to here one frame is quicker.
inline constexpr std::size_t kMaxInlineValueBytes = 8 * 1024;

// The result of one tool. What code makes of it takes several times as much of its memory.
inline constexpr std::size_t kMaxToolResultBytes = 64 * kMiB;

// Results of tools that a run has not taken yet and that wait in the gateway's memory.
inline constexpr std::size_t kMaxHeldToolResultBytes = 128 * kMiB;

// A server's or a tool's name each, and both with a dot between them. The protocol has no limit; people do.
inline constexpr std::size_t kMaxToolNamePartBytes = 512;
inline constexpr std::size_t kMaxToolNameBytes = 2 * kMaxToolNamePartBytes + 1;

// The names of tools that a run is told of in advance. Names beyond that can be called all the same.
inline constexpr std::size_t kMaxToolListBytes = 2 * kMiB;

// Calls that are kept in a run's trace. What was denied is kept beyond that, up to as many again.
inline constexpr std::size_t kMaxTraceEntries = 1000;

// Timers that wait at one time. 10^6 of them would be a memory attack on the heap's own account.
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

// Commands of a run that work at one time; further ones wait in line. Each is two processes.
inline constexpr std::size_t kMaxCommandsAtOnce = 8;

// One command. A run normally ends long before; this bounds those whose owner gave them hours.
inline constexpr std::chrono::minutes kMaxCommandTime{10};

// The body of a request that the gateway keeps until there is a response, so that it can follow a redirect; and all of
// them together for one run. Larger ones go out as they come in and cannot be sent twice.
inline constexpr std::size_t kMaxKeptBodyBytes = 1 * kMiB;
inline constexpr std::size_t kMaxHeldBodyBytes = 16 * kMiB;

}  // namespace glovebox::wire
