// The messages between the gateway and its zygote on the control socket (SOCK_SEQPACKET: a message is a packet). Both
// are trusted and built together; guests never hold this socket.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glovebox::jail {

// A zygote of another build would misread everything that follows.
inline constexpr std::uint32_t kZygoteProtocolVersion = 8;

// The control socket's number in the zygote, and the run socket's in a guest: the only descriptor that a guest has.
inline constexpr int kControlFd = 3;
inline constexpr int kGuestSocketFd = 3;

// The other descriptors of a zygote, until it has booted.
inline constexpr int kEngineFd = 4;
inline constexpr int kLibraryFd = 5;
inline constexpr int kImageFd = 6;
inline constexpr int kPythonPackFd = 7;   // these two only for Python
inline constexpr int kPythonImageFd = 8;  // read by a zygote, written by the process that makes it
inline constexpr int kCppRuntimeFd = 9;   // these two if the installation ships them
inline constexpr int kAtomicFd = 10;
inline constexpr int kEndOfFds = 11;

// What a zygote is for. A kPythonImage process only makes an image of Python, and is then ended.
enum class ZygoteKind : std::uint32_t { kJavaScript, kPython, kPythonImage };

// A boot that failed with this in its reason succeeds with a new image.
inline constexpr const char* kStalePythonImage = "python-image: ";

// A guest that could not be sealed exits with this plus the number of the failed step, before it has read anything.
inline constexpr int kSealFailedExit = 64;

enum class MessageType : std::uint32_t {
  kHello,       // gateway→zygote: Hello, then the seccomp program
  kReady,       // zygote→gateway: booted and confined
  kBootFailed,  // zygote→gateway: text
  kSpawn,       // gateway→zygote: Spawn, with the guest's end of its socket
  kSpawned,     // zygote→gateway: GuestReport, with a pidfd
  kExited,      // zygote→gateway: GuestReport
};

// Layers that the owner accepts to be missing.
inline constexpr std::uint32_t kWithoutNamespaces = 1u << 0;
inline constexpr std::uint32_t kWithoutLandlock = 1u << 1;
inline constexpr std::uint32_t kWithoutTimestampTrap = 1u << 2;
// Needs no consent: the other namespaces are there, made by root (NamespacesBy::kRoot).
inline constexpr std::uint32_t kWithoutUserNamespace = 1u << 3;

struct Hello {
  MessageType type = MessageType::kHello;
  std::uint32_t version = kZygoteProtocolVersion;
  std::uint32_t missing_layers = 0;
  ZygoteKind kind = ZygoteKind::kJavaScript;
  std::uint32_t warm_typescript = 0;
  std::uint32_t one_run = 0;     // the zygote becomes its only guest
  std::uint32_t rewindable = 0;  // the kernel asks the gateway before a guest changes its address space
  std::uint32_t filter_instructions = 0;
};

// With what the kernel asks by, if guests are to be rewindable and it can.
struct Ready {
  MessageType type = MessageType::kReady;
  std::uint64_t huge_page_bytes = 0;  // of the zygote's memory, which its guests share
};

struct Spawn {
  MessageType type = MessageType::kSpawn;
  std::uint32_t warm = 0;  // touch pages before waiting, for a guest of the pool
};

// What became of a guest. A packet has several: first the answer to a request, if it is one, in the order of the
// requests; then the guests that have ended.
struct GuestReport {
  MessageType type = MessageType::kExited;
  std::int32_t pid = 0;     // as the zygote sees it: no other guest has it until this one has exited
  std::int32_t number = 0;  // kSpawned: the error of fork, and no pidfd then; kExited: the wait status
};
inline constexpr std::size_t kMostReports = 32;

inline constexpr std::size_t kMaxControlMessageBytes = 64 * 1024;

}  // namespace glovebox::jail
