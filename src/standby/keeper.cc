#include "standby/keeper.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/engine/used_pages.h"
#include "base/private_folder.h"
#include "base/program_part.h"
#include "base/unique_fd.h"
#include "jail/launcher.h"
#include "jail/zygote_protocol.h"
#include "standby/handover.h"
#include "standby/place.h"
#include "standby/start_state.h"

namespace glovebox::standby {
namespace {

using Clock = std::chrono::steady_clock;

int milliseconds_until(Clock::time_point end) {
  return static_cast<int>(
      std::max<Clock::rep>(0, std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count()));
}

// Locked as long as it is open.
base::UniqueFd lock_in(const base::UniqueFd& folder) {
  base::UniqueFd file(::openat(folder.get(), kLockName, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.valid() && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) file.reset();
  return file;
}

base::UniqueFd listen_in(const base::UniqueFd& folder, const std::string& name) {
  // No other keeper is there, so what has this name is left over.
  ::unlinkat(folder.get(), name.c_str(), 0);
  base::UniqueFd listener(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const sockaddr_un address = address_in(folder, name);
  const bool listens = ::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                       ::listen(listener.get(), 4) == 0;
  return listens ? std::move(listener) : base::UniqueFd();
}

// Who asks.
struct Client {
  base::UniqueFd connection;
  base::UniqueFd pidfd;
};

std::optional<Client> accept_client(const base::UniqueFd& listener, const std::string& own_state) {
  Client client{base::UniqueFd(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC)), {}};
  const Peer peer = peer_of(client.connection.get());
  client.pidfd = pidfd_of_peer(client.connection.get());
  if (peer.uid != ::geteuid() || !is_in_state(client.pidfd, peer.pid, own_state)) return std::nullopt;
  return client;
}

// Waits without reaping: the client knows the engine by its pid.
int wait_status_of(const jail::ZygoteProcess& engine) {
  siginfo_t end{};
  ::waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(engine.pidfd()), &end, WEXITED | WNOWAIT | __WALL);
  return end.si_code == CLD_EXITED ? end.si_status << 8 : end.si_status;
}

// Until it has ended, or has no use for the engine any more.
void stay_with(const Client& client, const jail::ZygoteProcess& engine) {
  pollfd events[] = {
      {client.connection.get(), POLLIN, 0}, {client.pidfd.get(), POLLIN, 0}, {engine.pidfd(), POLLIN, 0}};
  for (;;) {
    if (::poll(events, 3, -1) < 0) continue;
    if (events[0].revents || events[1].revents) return;
    const int status = wait_status_of(engine);
    (void)::send(client.connection.get(), &status, sizeof status, MSG_NOSIGNAL | MSG_DONTWAIT);
    events[2].fd = -1;
  }
}

// Only a booted engine is given away. While it boots, it changes its credentials, and for a moment would outlive us;
// and it may fail.
bool boots_until(const jail::ZygoteProcess& engine, Clock::time_point end) {
  pollfd report{engine.control_fd(), POLLIN, 0};
  if (::poll(&report, 1, milliseconds_until(end)) != 1) return false;
  jail::MessageType type{};
  // The command that uses it reads the packet.
  return ::recv(engine.control_fd(), &type, sizeof type, MSG_PEEK | MSG_DONTWAIT) == sizeof type &&
         type == jail::MessageType::kReady;
}

// One engine: until a command has used it. False: none came, or it cannot be kept.
bool keep_engine(const base::UniqueFd& folder, const std::string& name, std::chrono::milliseconds time) {
  const Clock::time_point end = Clock::now() + time;
  const std::string own_state = start_state(::getpid());
  jail::LaunchSpec spec;
  spec.engine_path = base::program_part("glovebox-engine");
  spec.library_path = base::program_part("libglovebox-guest.so");
  spec.one_run = true;
  spec.warm_typescript = false;
  auto started = jail::ZygoteProcess::begin(spec);
  if (own_state.empty() || !started) return false;
  jail::ZygoteProcess zygote = std::move(started).value();
  base::UniqueFd listener = listen_in(folder, name);
  if (!listener.valid()) return false;
  base::map_used_pages(zygote.pid(), base::program_part("libglovebox-guest.image"));
  // A command that asks meanwhile waits as long as it would for an engine of its own.
  if (!boots_until(zygote, end)) return false;
  for (;;) {
    pollfd events[] = {{listener.get(), POLLIN, 0}, {zygote.pidfd(), POLLIN, 0}};
    const int ready = ::poll(events, 2, milliseconds_until(end));
    if (ready == 0 || events[1].revents || Clock::now() >= end) return false;
    const auto client = accept_client(listener, own_state);
    if (!client) continue;
    // From here on others find no one, and start an engine of their own at once.
    listener.reset();
    if (send_engine(client->connection.get(), zygote)) stay_with(*client, zygote);
    return true;
  }
}

}  // namespace

int keep_standby(const std::string& folder_path, std::chrono::milliseconds time) {
  ::prctl(PR_SET_NAME, "glovebox-standby");
  // Not visible to others, and not a reason to refuse: engines have randomised addresses whatever the command had.
  ::personality(PER_LINUX);
  if (::chdir("/") != 0) return 1;
  if (!base::make_private_folders(folder_path)) return 1;
  const auto folder = open_folder(folder_path);
  const base::UniqueFd lock = folder ? lock_in(*folder) : base::UniqueFd();
  const std::string name = socket_name();
  if (!lock.valid() || name.empty()) return 1;
  const std::string pid = std::to_string(::getpid());
  if (::ftruncate(lock.get(), 0) != 0 || ::write(lock.get(), pid.data(), pid.size()) < 0) return 1;
  while (keep_engine(*folder, name, time)) {
  }
  ::unlinkat(folder->get(), name.c_str(), 0);
  return 0;
}

}  // namespace glovebox::standby
