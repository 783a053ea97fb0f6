// Keepers that are none: a command that meets one starts an engine of its own.
#include "standby/request.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <functional>
#include <utility>
#include <vector>

#include "base/sockets/socket_pair.h"
#include "standby/keeper_fixture.h"

namespace glovebox::standby {
namespace {

// What lies at the place of a keeper's socket, and answers the first who connects.
class Request : public StandbyFolder {
 protected:
  base::UniqueFd listen_here() {
    base::UniqueFd listener(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    const base::UniqueFd folder(::open(folder_path().c_str(), O_PATH | O_CLOEXEC));
    const sockaddr_un address = address_in(folder, socket_name());
    EXPECT_EQ(::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return listener;
  }

  bool is_given_an_engine_by(
      const std::function<void(int connection)>& answer, const std::function<void()>& change_state = [] {}) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    const pid_t impostor = start_copy([&] {
      const base::UniqueFd listener = listen_here();
      change_state();
      // The kernel names the process that listens.
      if (::listen(listener.get(), 1) != 0 || ::write(ready[1], "", 1) != 1) return 1;
      const base::UniqueFd connection(::accept(listener.get(), nullptr, nullptr));
      answer(connection.get());
      ::pause();
      return 0;
    });
    char byte;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    const bool given = request_engine().has_value();
    ::kill(impostor, SIGKILL);
    EXPECT_EQ(wait_for(impostor), 128 + SIGKILL);
    ::unlink(socket_path().c_str());
    return given;
  }
};

struct Sent {
  std::int32_t pid;
  std::uint32_t missing_layers;
};

void send_packet(int connection, const Sent& packet, const std::vector<int>& descriptors,
                 std::size_t size = sizeof(Sent)) {
  iovec part{const_cast<Sent*>(&packet), size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * 8)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors.size());
    cmsghdr* rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int) * descriptors.size());
    std::copy(descriptors.begin(), descriptors.end(), reinterpret_cast<int*>(CMSG_DATA(rights)));
  }
  ::sendmsg(connection, &message, MSG_NOSIGNAL);
}

// What a keeper would send, made anew in the impostor: the sockets have to be its own.
struct Parts {
  base::SocketPair control = std::move(base::socket_pair(SOCK_SEQPACKET)).value();
  base::SocketPair guest = std::move(base::socket_pair(SOCK_STREAM)).value();
  base::UniqueFd pidfd{static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0))};
  Sent packet{::getpid(), 0};

  Parts() { (void)!::write(control.theirs.get(), "ready", 5); }
  void send(int connection) const {
    send_packet(connection, packet, {pidfd.get(), control.ours.get(), guest.ours.get()});
  }
};

TEST_F(Request, IsAnsweredByWhatSendsTheRightThings) {
  EXPECT_TRUE(is_given_an_engine_by([](int connection) {
    static const Parts parts;
    parts.send(connection);
  }));
}

TEST_F(Request, IsNotMadeUnlessTheOwnerWantsIt) {
  for (const char* never : {"", "0", "0s", "no", "off"}) {
    ::setenv(kVariable, never, 1);
    EXPECT_FALSE(is_given_an_engine_by([](int connection) {
      static const Parts parts;
      parts.send(connection);
    })) << never;
  }
}

// One under more restrictions would be a guest of its own making.
TEST_F(Request, TakesNothingFromAKeeperInAnotherState) {
  const auto honest = [](int connection) {
    static const Parts parts;
    parts.send(connection);
  };
  EXPECT_TRUE(is_given_an_engine_by(honest));
  EXPECT_FALSE(is_given_an_engine_by(honest, [] { ::umask(0077); }));
  EXPECT_FALSE(is_given_an_engine_by(honest, [] { ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }));
}

TEST_F(Request, LeavesNoDescriptorOpenThatItDidNotWant) {
  const auto count = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  const auto before = count();
  EXPECT_FALSE(is_given_an_engine_by([](int connection) {
    static const Parts parts;
    send_packet(connection, parts.packet,
                {parts.pidfd.get(), parts.control.ours.get(), parts.guest.ours.get(), parts.guest.ours.get()});
  }));
  EXPECT_EQ(count(), before + 2) << "more than the pipe of this test";
}

TEST_F(Request, FindsNoOne) {
  EXPECT_FALSE(request_engine());
  (void)listen_here();  // what a killed keeper leaves
  EXPECT_FALSE(request_engine());
}

TEST_F(Request, DoesNotWaitForAKeeperThatHangs) {
  EXPECT_FALSE(is_given_an_engine_by([](int) {}));
  // Nor for one that does not even accept, and whose line is full.
  const base::UniqueFd listener = listen_here();
  ASSERT_EQ(::listen(listener.get(), 0), 0);
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(request_engine());
}

TEST_F(Request, RefusesNonsense) {
  using Answer = std::function<void(int, const Parts&)>;
  const std::pair<const char*, Answer> answers[] = {
      {"nothing, and the end", [](int connection, const Parts&) { ::shutdown(connection, SHUT_RDWR); }},
      {"text", [](int connection, const Parts&) { (void)!::write(connection, "hello", 5); }},
      {"no descriptors", [](int connection, const Parts& parts) { send_packet(connection, parts.packet, {}); }},
      {"too few descriptors",
       [](int connection, const Parts& parts) {
         send_packet(connection, parts.packet, {parts.pidfd.get(), parts.control.ours.get()});
       }},
      {"too many descriptors",
       [](int connection, const Parts& parts) {
         send_packet(connection, parts.packet,
                     {parts.pidfd.get(), parts.control.ours.get(), parts.guest.ours.get(), parts.guest.ours.get(),
                      parts.guest.ours.get()});
       }},
      {"a short packet",
       [](int connection, const Parts& parts) {
         send_packet(connection, parts.packet, {parts.pidfd.get(), parts.control.ours.get(), parts.guest.ours.get()},
                     4);
       }},
      {"sockets the wrong way round",
       [](int connection, const Parts& parts) {
         send_packet(connection, parts.packet, {parts.pidfd.get(), parts.guest.ours.get(), parts.control.ours.get()});
       }},
      {"a file in place of a socket",
       [](int connection, const Parts& parts) {
         const base::UniqueFd file(::open("/dev/null", O_RDWR));
         send_packet(connection, parts.packet, {parts.pidfd.get(), file.get(), parts.guest.ours.get()});
       }},
      {"a file in place of a process",
       [](int connection, const Parts& parts) {
         const base::UniqueFd file(::open("/dev/null", O_RDWR));
         send_packet(connection, parts.packet, {file.get(), parts.control.ours.get(), parts.guest.ours.get()});
       }},
      {"another process",
       [](int connection, const Parts& parts) {
         send_packet(connection, {1, 0}, {parts.pidfd.get(), parts.control.ours.get(), parts.guest.ours.get()});
       }},
      {"an engine that has not booted",
       [](int connection, const Parts& parts) {
         const auto pair = base::socket_pair(SOCK_SEQPACKET);
         send_packet(connection, parts.packet, {parts.pidfd.get(), pair->ours.get(), parts.guest.ours.get()});
         ::pause();
       }},
      {"a stream in place of packets",
       [](int connection, const Parts& parts) {
         const auto pair = base::socket_pair(SOCK_STREAM);
         (void)!::write(pair->theirs.get(), "ready", 5);
         send_packet(connection, parts.packet, {parts.pidfd.get(), pair->ours.get(), parts.guest.ours.get()});
         ::pause();
       }},
      {"a control socket with no one at its end",
       [](int connection, const Parts& parts) {
         auto pair = base::socket_pair(SOCK_SEQPACKET);
         pair->theirs.reset();
         send_packet(connection, parts.packet, {parts.pidfd.get(), pair->ours.get(), parts.guest.ours.get()});
       }},
      {"a guest's socket with no one at its end",
       [](int connection, const Parts& parts) {
         auto pair = base::socket_pair(SOCK_STREAM);
         pair->theirs.reset();
         send_packet(connection, parts.packet, {parts.pidfd.get(), parts.control.ours.get(), pair->ours.get()});
       }},
      {"sockets that another process made",
       [](int connection, const Parts& parts) {
         const pid_t keeper = ::getpid();
         wait_for(start_copy([&] {
           const Parts others;
           send_packet(connection, {keeper, 0},
                       {parts.pidfd.get(), others.control.ours.get(), others.guest.ours.get()});
           ::usleep(100'000);
           return 0;
         }));
       }},
  };
  for (const auto& [name, answer] : answers) {
    EXPECT_FALSE(is_given_an_engine_by([&answer = answer](int connection) {
      static const Parts parts;
      answer(connection, parts);
    })) << name;
  }
}

TEST_F(Request, UsesNoFolderThatIsOpenToOthersOrALink) {
  const auto honest = [](int connection) {
    static const Parts parts;
    parts.send(connection);
  };
  ::chmod(folder_path().c_str(), 0755);
  EXPECT_FALSE(is_given_an_engine_by(honest));
  ::chmod(folder_path().c_str(), 0700);
  const std::string parent = folder_path().substr(0, folder_path().rfind('/'));
  ::chmod(parent.c_str(), 0777);
  EXPECT_FALSE(is_given_an_engine_by(honest));
  ::chmod(parent.c_str(), 0700);
  std::filesystem::rename(folder_path(), parent + "/elsewhere");
  std::filesystem::create_symlink("elsewhere", folder_path());
  EXPECT_FALSE(is_given_an_engine_by(honest));
}

TEST_F(Request, IsMadeToNoOtherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const base::UniqueFd listener = listen_here();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t other = start_copy([&] {
    // Whoever listens is who the kernel names.
    if (::setuid(65534) != 0 || ::listen(listener.get(), 1) != 0) return 1;
    static const Parts parts;
    (void)!::write(ends[1], "", 1);
    parts.send(::accept(listener.get(), nullptr, nullptr));
    ::pause();
    return 0;
  });
  char byte;
  ASSERT_EQ(::read(ends[0], &byte, 1), 1);
  EXPECT_FALSE(request_engine());
  ::kill(other, SIGKILL);
  EXPECT_EQ(wait_for(other), 128 + SIGKILL);
}

}  // namespace
}  // namespace glovebox::standby
