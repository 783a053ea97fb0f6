#include "own_internet.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "hostile_server.h"
#include "name_server.h"

namespace glovebox::attack {
namespace {

namespace fs = std::filesystem;

OwnInternet* the_internet = nullptr;

void check_step(bool done, const char* what) {
  if (!done) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  check_step(static_cast<bool>(file.flush()), path.c_str());
}

void enter_namespaces() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (user == 0) return check_step(::unshare(CLONE_NEWNET | CLONE_NEWNS) == 0, "unshare");
  check_step(::unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS) == 0, "unshare");
  write_text("/proc/self/setgroups", "deny");
  write_text("/proc/self/uid_map", std::to_string(user) + " " + std::to_string(user) + " 1");
  write_text("/proc/self/gid_map", std::to_string(group) + " " + std::to_string(group) + " 1");
}

void set_up_addresses() {
  const base::UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  int number = 0;
  for (const char* address : {"127.0.0.1", kGoodAddress, kOtherAddress, "10.0.0.1", "169.254.169.254", "192.168.1.1",
                              "172.16.0.1", "100.64.0.1", "198.18.0.1"}) {
    ifreq request{};
    std::snprintf(request.ifr_name, IFNAMSIZ, number == 0 ? "lo" : "lo:%d", number);
    ++number;
    sockaddr_in name{};
    name.sin_family = AF_INET;
    ::inet_pton(AF_INET, address, &name.sin_addr);
    std::memcpy(&request.ifr_addr, &name, sizeof name);
    check_step(::ioctl(socket.get(), SIOCSIFADDR, &request) == 0, address);
    request.ifr_flags = IFF_UP | IFF_RUNNING | IFF_LOOPBACK;
    check_step(::ioctl(socket.get(), SIOCSIFFLAGS, &request) == 0, address);
  }
  // Without a public IPv6 address no resolver would ask for AAAA records.
  struct {
    in6_addr address;
    std::uint32_t prefix_length;
    int interface;
  } request{};
  const base::UniqueFd socket6(::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  for (const char* address : {"2606:2800::1", "fd00::1", "fe80::1"}) {
    ::inet_pton(AF_INET6, address, &request.address);
    request.prefix_length = 128;
    request.interface = static_cast<int>(::if_nametoindex("lo"));
    (void)::ioctl(socket6.get(), SIOCSIFADDR, &request);  // a kernel without IPv6 has less to attack
  }
}

// Sets the name server, for this process only.
void set_up_names() {
  check_step(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "mount");
  char folder[] = "/tmp/glovebox-names-XXXXXX";
  check_step(::mkdtemp(folder) != nullptr, "mkdtemp");
  const std::pair<const char*, const char*> files[] = {
      {"resolv.conf", "nameserver 127.0.0.1\noptions timeout:30 attempts:1\n"},
      {"hosts", "127.0.0.1 localhost\n::1 localhost ip6-localhost\n"},
      {"nsswitch.conf", "hosts: files dns\n"},
  };
  for (const auto& [name, text] : files) {
    const std::string ours = std::string(folder) + "/" + name, theirs = std::string("/etc/") + name;
    write_text(ours, text);
    if (fs::exists(theirs)) check_step(::mount(ours.c_str(), theirs.c_str(), nullptr, MS_BIND, nullptr) == 0, name);
  }
  fs::remove_all(folder);
}

// Connections are accepted in the order in which they were made, and queries answered in theirs: with the answer to
// ours, everything before it has been counted.
void ask(const void* address, socklen_t size) {
  const base::UniqueFd socket(
      ::socket(static_cast<const sockaddr*>(address)->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  check_step(::connect(socket.get(), static_cast<const sockaddr*>(address), size) == 0, "connect");
  constexpr std::string_view kQuestion = "GET /ok HTTP/1.1\r\n\r\n";
  (void)!::send(socket.get(), kQuestion.data(), kQuestion.size(), MSG_NOSIGNAL);
  char answer[1024];
  check_step(::recv(socket.get(), answer, sizeof answer, 0) > 0, "no answer");
}

void ask_the_name_server() {
  const base::UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(53);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // One query, for the addresses of good.test.
  constexpr char kQuestion[] = "\0\1\1\0\0\1\0\0\0\0\0\0\4good\4test\0\0\1\0\1";
  check_step(
      ::sendto(socket.get(), kQuestion, sizeof kQuestion - 1, 0, reinterpret_cast<sockaddr*>(&name), sizeof name) > 0,
      "sendto");
  char answer[1024];
  check_step(::recv(socket.get(), answer, sizeof answer, 0) > 0, "no answer");
}

}  // namespace

void OwnInternet::enter() {
  enter_namespaces();
  set_up_addresses();
  set_up_names();
  the_internet = new OwnInternet();  // never destroyed
}

OwnInternet* OwnInternet::instance() {
  return the_internet;
}

OwnInternet::OwnInternet()
    : good_(std::make_unique<net::testing::ScriptedServer>(serve_harm, kGoodAddress, 80)),
      other_(std::make_unique<net::testing::ScriptedServer>(serve_harm, kOtherAddress, 80)) {
  prepare_harm();
  threads_.emplace_back([this, socket = open_name_server()] { answer_names(socket.get(), lookups_); });
  listen_on_private_addresses();
}

void OwnInternet::listen_on(int family, const void* address, socklen_t size) {
  base::UniqueFd trap(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  if (family == AF_INET6) ::setsockopt(trap.get(), IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
  if (::bind(trap.get(), static_cast<const sockaddr*>(address), size) != 0) {
    check_step(family == AF_INET6, "bind");
    return;
  }
  check_step(::listen(trap.get(), 16) == 0, "listen");
  threads_.emplace_back([this, fd = trap.get()] {
    while (true) {
      const base::UniqueFd client(::accept4(fd, nullptr, nullptr, SOCK_CLOEXEC));
      if (!client.valid()) continue;
      ++trapped_;
      const std::string response = net::testing::ok_response(token_);
      (void)!::send(client.get(), response.data(), response.size(), MSG_NOSIGNAL);
    }
  });
  traps_.push_back(std::move(trap));
}

void OwnInternet::listen_on_private_addresses() {
  for (const char* text : {"127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "172.16.0.1", "100.64.0.1",
                           "198.18.0.1", "127.0.0.2"}) {
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_port = htons(80);
    ::inet_pton(AF_INET, text, &name.sin_addr);
    listen_on(AF_INET, &name, sizeof name);
  }
  for (const char* text : {"::1", "fd00::1"}) {
    sockaddr_in6 name{};
    name.sin6_family = AF_INET6;
    name.sin6_port = htons(80);
    ::inet_pton(AF_INET6, text, &name.sin6_addr);
    listen_on(AF_INET6, &name, sizeof name);
  }
}

OwnInternet::Traffic OwnInternet::traffic() {
  ask_the_name_server();
  ++ours_.lookups;
  for (const char* text : {kGoodAddress, kOtherAddress}) {
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_port = htons(80);
    ::inet_pton(AF_INET, text, &name.sin_addr);
    ask(&name, sizeof name);
    ++ours_.connections;
  }
  for (const base::UniqueFd& trap : traps_) {
    sockaddr_storage name{};
    socklen_t size = sizeof name;
    check_step(::getsockname(trap.get(), reinterpret_cast<sockaddr*>(&name), &size) == 0, "getsockname");
    ask(&name, size);
    ++ours_.trapped;
  }
  return {lookups_ - ours_.lookups, good_->connections() + other_->connections() - ours_.connections,
          trapped_ - ours_.trapped};
}

}  // namespace glovebox::attack
