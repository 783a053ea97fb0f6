#include "jail/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cstring>
#include <iterator>
#include <utility>

#include "base/program_part.h"
#include "base/sockets/socket_pair.h"
#include "base/system_error.h"
#include "base/try.h"
#include "jail/confinement/guest_confinement.h"
#include "jail/confinement/seccomp_policy.h"
#include "jail/control_socket.h"
#include "jail/layers.h"
#include "jail/process_state.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

constexpr int kBootTimeoutMs = 30'000;

constexpr const char* kPreload = "LD_PRELOAD=/proc/self/fd/5";
// The loader uses a preloaded library for one that the engine needs by the same name.
constexpr const char* kPreloadWithRuntime = "LD_PRELOAD=/proc/self/fd/5:/proc/self/fd/9:/proc/self/fd/10";

Result<base::UniqueFd> open_for_child(const std::string& path, const char* what) {
  base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.valid()) return file;
  return Failure{ErrorCode::kNotFound,
                 base::system_failure(errno, std::string(what) + " " + path).message + "; " + base::kIncompleteCopy};
}

// Libraries that an installation ships for the engine, because the host may lack them, are in lib/ beside the guest
// library.
base::UniqueFd open_runtime(const LaunchSpec& spec, const char* name) {
  const std::string folder = spec.library_path.substr(0, spec.library_path.rfind('/') + 1);
  return base::UniqueFd(::open((folder + "lib/" + name).c_str(), O_RDONLY | O_CLOEXEC));
}

Result<std::uint32_t> find_missing_layers(const LaunchSpec& spec) {
  std::uint32_t missing = 0;
  if (landlock_abi() == 0) missing |= kWithoutLandlock;
  if (!timestamp_trap_works()) missing |= kWithoutTimestampTrap;
  const std::uint32_t refused = missing & ~spec.accepted_missing;
  if (refused == 0) return missing;
  const std::string name = names_of_layers(refused).front();
  return Failure{ErrorCode::kFeatureMissing, "this kernel lacks the layer " + name +
                                                 "; `glovebox doctor` says what to do, --degraded=" + name +
                                                 " runs without it"};
}

bool becomes_readable(int control) {
  pollfd event{control, POLLIN, 0};
  int ready;
  do {
    ready = ::poll(&event, 1, kBootTimeoutMs);
  } while (ready < 0 && errno == EINTR);
  return ready != 0;
}

// Reads Ready from the control socket, or why the zygote failed.
Result<Ready> read_ready(int control, base::UniqueFd& changes) {
  char message[4096];
  int fd = -1;
  ssize_t size = receive_packet(control, message, sizeof message, fd);
  // A zygote that failed before it read our greeting resets the connection; its reason is queued behind that error.
  if (size < 0 && errno == ECONNRESET) size = receive_packet(control, message, sizeof message, fd);
  changes.reset(fd);
  MessageType type{};
  if (size < static_cast<ssize_t>(sizeof type)) {
    return Failure{ErrorCode::kSandboxUnavailable, "the zygote ended while it booted"};
  }
  std::memcpy(&type, message, sizeof type);
  if (Ready ready; type == MessageType::kReady && size == static_cast<ssize_t>(sizeof ready)) {
    std::memcpy(&ready, message, sizeof ready);
    return ready;
  }
  const std::string reason(message + sizeof type, message + size);
  if (reason.starts_with("empty-root: ")) {
    return Failure{ErrorCode::kFeatureMissing,
                   "this kernel refuses the layer " + reason +
                       "; `glovebox doctor` says what to do, --degraded=namespaces runs without it"};
  }
  return Failure{ErrorCode::kSandboxUnavailable, "the zygote could not start: " + reason};
}

}  // namespace

Result<ZygoteProcess> ZygoteProcess::with_what_there_is(const LaunchSpec& spec, Attempt attempt) {
  const std::uint32_t missing = GLOVEBOX_TRY(find_missing_layers(spec)) | spec.assume_missing;
  auto zygote = attempt(spec, missing);
  const bool namespaces_refused = !zygote && zygote.failure().code == ErrorCode::kFeatureMissing;
  if (!namespaces_refused || !(spec.accepted_missing & kWithoutNamespaces)) return zygote;
  return attempt(spec, missing | kWithoutNamespaces);
}

Result<ZygoteProcess> ZygoteProcess::begin(const LaunchSpec& spec) {
  return with_what_there_is(spec, begin_once);
}

Result<ZygoteProcess> ZygoteProcess::launch(const LaunchSpec& spec) {
  return with_what_there_is(spec, launch_once);
}

Result<void> ZygoteProcess::finish_boot() {
  huge_page_bytes_ = GLOVEBOX_TRY(read_ready(control_.get(), changes_)).huge_page_bytes;
  return {};
}

Result<ZygoteProcess> ZygoteProcess::launch_once(const LaunchSpec& spec, std::uint32_t missing) {
  ZygoteProcess zygote = GLOVEBOX_TRY(begin_once(spec, missing));
  if (!becomes_readable(zygote.control_fd())) {
    return Failure{ErrorCode::kSandboxUnavailable, "the zygote did not boot in time"};
  }
  GLOVEBOX_TRY_VOID(zygote.finish_boot());
  return zygote;
}

std::optional<ZygoteProcess>& ZygoteProcess::started_early() {
  static std::optional<ZygoteProcess> zygote;
  return zygote;
}

Result<ZygoteProcess> ZygoteProcess::begin_once(const LaunchSpec& spec, std::uint32_t missing) {
  auto early = std::exchange(started_early(), {});
  const bool fits = early && spec.one_run && spec.kind == ZygoteKind::kJavaScript && missing == 0 &&
                    !(early->is_greeted() && spec.warm_typescript);
  ZygoteProcess zygote = fits ? std::move(*early) : GLOVEBOX_TRY(start(spec, missing));
  if (!zygote.is_greeted()) GLOVEBOX_TRY_VOID(zygote.greet(spec));
  return zygote;
}

Result<ZygoteProcess> ZygoteProcess::start(const LaunchSpec& spec, std::uint32_t missing) {
  const base::UniqueFd engine = GLOVEBOX_TRY(open_for_child(spec.engine_path, "the engine"));
  const base::UniqueFd library = GLOVEBOX_TRY(open_for_child(spec.library_path, "the guest library"));

  const std::string image_path = spec.library_path.substr(0, spec.library_path.rfind('.')) + ".image";
  const base::UniqueFd image = GLOVEBOX_TRY(open_for_child(image_path, "the boot image"));
  base::UniqueFd pack;
  const bool python = spec.kind != ZygoteKind::kJavaScript;
  if (python) pack = GLOVEBOX_TRY(open_for_child(spec.python_pack_path, "the Python pack"));

  auto [ours, theirs] = GLOVEBOX_TRY(base::socket_pair(SOCK_SEQPACKET));
  const base::UniqueFd runtime = open_runtime(spec, "libstdc++.so.6");
  const base::UniqueFd atomic = runtime.valid() ? open_runtime(spec, "libatomic.so.1") : base::UniqueFd();

  // From number 0 to kAtomicFd.
  int descriptors[] = {
      kNowhere,    kNowhere,   ::fcntl(2, F_GETFD) < 0 ? kNowhere : 2, theirs.get(),  engine.get(), library.get(),
      image.get(), pack.get(), python ? spec.python_image_fd : kNone,  runtime.get(), atomic.get()};
  static_assert(std::size(descriptors) == kEndOfFds);
  const char* const arguments[] = {"glovebox-guest", nullptr};
  // The whole environment: a fixed locale and time zone, so that results do not depend on the host's. What a zygote
  // binds on first use, every guest would look up anew in the engine's symbols.
  const char* const environment[] = {runtime.valid() ? kPreloadWithRuntime : kPreload, "TZ=UTC", "LC_ALL=en_US.UTF-8",
                                     spec.one_run ? nullptr : "LD_BIND_NOW=1", nullptr};
  constexpr MessageType kFailed = MessageType::kBootFailed;
  Subject subject{guest_confinement(), missing};
  subject.descriptors = descriptors;
  subject.peer = kControlFd;
  subject.folder = "/";
  subject.closed_by_exec = 1u << kEngineFd;
  subject.program = kEngineFd;
  subject.arguments = const_cast<char* const*>(arguments);
  subject.environment = const_cast<char* const*>(environment);
  subject.report_head = {reinterpret_cast<const char*>(&kFailed), sizeof kFailed};
  return ZygoteProcess(std::move(ours), GLOVEBOX_TRY(ConfinedProcess::start(subject)));
}

Result<void> ZygoteProcess::greet(const LaunchSpec& spec) {
  // Compiled while the engine is being loaded.
  const std::vector<sock_filter> filter = GLOVEBOX_TRY(compile_seccomp_filter(guest_confinement().filter));
  Hello hello;
  hello.missing_layers = missing_layers();
  hello.kind = spec.kind;
  hello.warm_typescript = spec.warm_typescript;
  hello.one_run = spec.one_run;
  hello.rewindable = spec.rewindable;
  hello.filter_instructions = static_cast<std::uint32_t>(filter.size());
  std::string greeting(reinterpret_cast<const char*>(&hello), sizeof hello);
  greeting.append(reinterpret_cast<const char*>(filter.data()), filter.size() * sizeof(sock_filter));
  bool greeted = send_packet(control_fd(), greeting.data(), greeting.size(), -1);
  if (greeted && spec.one_run && spec.kind != ZygoteKind::kPythonImage) {
    auto guest = request_guest(false);
    greeted = guest.ok();
    if (greeted) only_guest_ = std::move(*guest);
  }
  if (greeted) return {};
  // A child that could not become a zygote has reported why, and may be gone before the greeting: read that first.
  GLOVEBOX_TRY_VOID(finish_boot());
  return Failure{ErrorCode::kSandboxUnavailable, "the zygote ended before its handshake"};
}

Result<base::UniqueFd> ZygoteProcess::request_guest(bool warm) const {
  auto [ours, theirs] = GLOVEBOX_TRY(base::socket_pair(SOCK_STREAM));
  Spawn spawn;
  spawn.warm = warm;
  if (send_packet(control_.get(), &spawn, sizeof spawn, theirs.get())) return std::move(ours);
  return base::system_failure(errno, "asking the zygote for a guest");
}

// A zygote that waits for a busy disk is not stuck, either.
bool ZygoteProcess::is_running() const {
  const char state = process_state(process_.pid());
  return state == 'R' || state == 'D';
}

int ZygoteProcess::reap() {
  control_.reset();
  return process_.reap();
}

}  // namespace glovebox::jail
