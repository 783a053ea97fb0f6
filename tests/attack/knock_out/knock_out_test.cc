// Each layer of confinement is disabled, one at a time: native code in the guest still finds no file, network, process
// or key of its owner, because another layer denies it, too. A layer is disabled by a kernel on which its system call
// does nothing and reports success.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <linux/keyctl.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "../command.h"
#include "base/program_part.h"
#include "base/source_folder.h"
#include "base/unique_fd.h"

namespace glovebox::attack {
namespace {

using Words = std::vector<std::string>;

// Things of an owner that could be found.
class Owner {
 public:
  Owner() {
    char folder[] = "/tmp/glovebox-knock-out-XXXXXX";
    if (::mkdtemp(folder)) folder_ = folder;
    std::ofstream(file()) << "a secret";
    listen();
    memory_ = ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0666);
    ::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr);
    key_ = ::syscall(SYS_add_key, "user", kKeyName, "a secret", 8, KEY_SPEC_SESSION_KEYRING);
  }
  ~Owner() {
    ::shmctl(memory_, IPC_RMID, nullptr);
    std::filesystem::remove_all(folder_);
  }
  Owner(const Owner&) = delete;

  std::string json() const {
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    return R"({"file":")" + file() + R"(","folder":")" + folder_ + R"(","pid":)" + std::to_string(::getpid()) +
           R"(,"port":)" + std::to_string(port_) + R"(,"memory":)" + std::to_string(memory_) + R"(,"key":)" +
           std::to_string(key_) + R"(,"keyName":")" + kKeyName + R"(","host":")" + host + R"("})";
  }
  bool is_complete() const { return port_ > 0 && memory_ >= 0 && key_ > 0; }

 private:
  static constexpr const char* kKeyName = "glovebox-knock-out";
  std::string file() const { return folder_ + "/secret"; }
  void listen() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    socket_ = base::UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), size) != 0) return;
    if (::listen(socket_.get(), 8) != 0) return;
    if (::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0)
      port_ = ntohs(address.sin_port);
  }

  std::string folder_;
  base::UniqueFd socket_;
  int port_ = 0;
  int memory_ = -1;
  long key_ = -1;
};

struct Layer {
  const char* name;
  Words before;                                       // the command that runs the program
  const char* accepts = "";                           // layers whose absence the owner has accepted
  enum { kProbed, kKilled, kRefused } end = kKilled;  // how most probes end
};

Words call_that_does_nothing(const Words& calls) {
  Words words{base::program_part("without_syscall")};
  for (const std::string& call : calls) words.push_back(call + "=0");
  words.push_back("--");
  return words;
}

Words without_user_namespaces(const Words& more) {
  Words words{base::source_folder() + "/tests/attack/place/without_user_namespaces"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const std::vector<Layer>& layers() {
  static const std::vector<Layer> all = {
      {"none", {}},
      {"seccomp", call_that_does_nothing({"seccomp/1"}), "", Layer::kProbed},
      {"landlock", call_that_does_nothing({"landlock_restrict_self"})},
      {"namespaces", without_user_namespaces({"setpriv", "--bounding-set=-sys_admin", "--"}), "namespaces"},
      {"user_namespace", without_user_namespaces({})},
      // As the line of seccomp above: what holds without a filter holds where root makes the namespaces.
      {"user_namespace_and_seccomp", without_user_namespaces(call_that_does_nothing({"seccomp/1"})), "",
       Layer::kProbed},
      {"root", call_that_does_nothing({"pivot_root", "umount2"}), "", Layer::kRefused},
      {"descriptors", call_that_does_nothing({"close_range"}), "", Layer::kRefused},
      {"capabilities", call_that_does_nothing({"capset"}), "", Layer::kRefused},
      {"limits", call_that_does_nothing({"prlimit64@2"})},
      {"dumpable", call_that_does_nothing({"prctl/4"})},
      {"keyring", call_that_does_nothing({"keyctl"})},
      {"host_name", call_that_does_nothing({"sethostname"})},
  };
  return all;
}

class KnockOut : public testing::TestWithParam<Layer> {};

TEST_P(KnockOut, FindsNothingOfTheOwner) {
  const Owner owner;
  ASSERT_TRUE(owner.is_complete());
  Words command = GetParam().before;
  for (const std::string& word : {base::program_part("knock_out_probe_run"),
                                  base::source_folder() + "/tests/attack/knock_out/probes.txt", owner.json()})
    command.push_back(word);
  if (*GetParam().accepts) command.push_back(GetParam().accepts);
  const CommandResult result = run_command(command);
  EXPECT_EQ(result.output.find("found: "), std::string::npos) << result.output;
  const auto said = [&](const char* text) { return result.output.find(text) != std::string::npos; };
  switch (GetParam().end) {
    case Layer::kProbed: EXPECT_TRUE(said("killed 0, refused 0")) << result.output << result.errors; break;
    case Layer::kKilled: EXPECT_TRUE(said("nothing 0, ") && said("refused 0")) << result.output << result.errors; break;
    case Layer::kRefused:
      EXPECT_TRUE(said("refused: ") || said("nothing 0, killed 0, refused ")) << result.output << result.errors;
  }
}

INSTANTIATE_TEST_SUITE_P(Without, KnockOut, testing::ValuesIn(layers()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace glovebox::attack
