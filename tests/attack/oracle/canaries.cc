#include "canaries.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>

namespace glovebox::attack {
namespace {

std::string random_word() {
  unsigned char bytes[12];
  if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes) std::abort();
  std::string word;
  for (const unsigned char byte : bytes) word += static_cast<char>('a' + byte % 26);
  return word;
}

Canary make(const std::string& source) {
  return {source, "CANARY" + random_word()};
}

void write_line(const std::string& path, const std::string& text) {
  std::ofstream(path) << text << "\n";
}

base::UniqueFd listen_at(int family, const void* address, socklen_t size) {
  base::UniqueFd listener(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener.valid() || ::bind(listener.get(), static_cast<const sockaddr*>(address), size) != 0 ||
      ::listen(listener.get(), 16) != 0) {
    throw std::runtime_error(std::string("a canary's socket: ") + std::strerror(errno));
  }
  return listener;
}

// Not an ephemeral port: a connection meant for a process that had the port before would be counted as a guest's.
base::UniqueFd listen_on_local_port(int& port) {
  constexpr int kFirst = 10'000, kCount = 20'000;
  std::random_device random;
  for (int tries_left = 100;; --tries_left) {
    port = kFirst + static_cast<int>(random() % kCount);
    sockaddr_in local{};
    local.sin_family = AF_INET;
    local.sin_port = htons(static_cast<std::uint16_t>(port));
    local.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    try {
      return listen_at(AF_INET, &local, sizeof local);
    } catch (const std::runtime_error&) {
      if (tries_left == 0) throw;  // all of them taken?
    }
  }
}

}  // namespace

Canaries::Canaries()
    : environment_(make("the gateway's environment")),
      working_file_(make("a file in the gateway's working directory")),
      outside_file_(make("a file in /tmp")),
      unix_socket_(make("a Unix socket of the host")),
      abstract_socket_(make("an abstract Unix socket of the host")),
      tcp_port_(make("a port of localhost")),
      sibling_(make("another run's context")),
      stop_(::eventfd(0, EFD_CLOEXEC)) {
  char folder[] = "/tmp/glovebox-attack-XXXXXX";
  if (!::mkdtemp(folder)) throw std::runtime_error("no temporary directory");
  folder_ = folder;
  std::filesystem::permissions(folder_, std::filesystem::perms(0755));
  temporary_file_ = std::string("/tmp/glovebox-canary-") + random_word();
  write_line(folder_ + "/canary.txt", working_file_.token);
  write_line(temporary_file_, outside_file_.token);
  if (::chdir(folder_.c_str()) != 0) throw std::runtime_error("chdir");
  ::setenv("GLOVEBOX_CANARY", environment_.token.c_str(), 1);
  // Options that a carelessly started process would obey.
  ::setenv("NODE_OPTIONS", "--expose-gc --allow-natives-syntax", 1);
  listen_on_sockets();
  server_ = std::thread([this] { serve(); });
}

Canaries::~Canaries() {
  const std::uint64_t one = 1;
  (void)!::write(stop_.get(), &one, sizeof one);
  server_.join();
  std::error_code ignored;
  (void)!::chdir("/");
  std::filesystem::remove_all(folder_, ignored);
  std::filesystem::remove(temporary_file_, ignored);
}

void Canaries::listen_on_sockets() {
  sockaddr_un named{};
  named.sun_family = AF_UNIX;
  std::strcpy(named.sun_path, (folder_ + "/host.sock").c_str());
  listeners_.push_back(listen_at(AF_UNIX, &named, sizeof named));
  served_.push_back(&unix_socket_);

  abstract_name_ = "glovebox-" + random_word();
  sockaddr_un abstract{};
  abstract.sun_family = AF_UNIX;
  std::memcpy(abstract.sun_path + 1, abstract_name_.data(), abstract_name_.size());
  listeners_.push_back(listen_at(AF_UNIX, &abstract,
                                 static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + abstract_name_.size())));
  served_.push_back(&abstract_socket_);

  listeners_.push_back(listen_on_local_port(port_));
  served_.push_back(&tcp_port_);
}

void Canaries::serve() {
  std::vector<pollfd> events = {{stop_.get(), POLLIN, 0}};
  for (const auto& listener : listeners_) events.push_back({listener.get(), POLLIN, 0});
  while (true) {
    if (::poll(events.data(), events.size(), -1) < 0) continue;
    if (events[0].revents) return;
    for (std::size_t i = 1; i < events.size(); ++i) {
      if (!events[i].revents) continue;
      const base::UniqueFd client(::accept4(events[i].fd, nullptr, nullptr, SOCK_CLOEXEC));
      if (!client.valid()) continue;
      ++connections_;
      const std::string& token = served_[i - 1]->token;
      (void)!::write(client.get(), token.data(), token.size());
    }
  }
}

std::string Canaries::places_json() const {
  return R"({"canary":{"env":"GLOVEBOX_CANARY","workingFile":"canary.txt","file":")" + folder_ +
         R"(/canary.txt","outsideFile":")" + temporary_file_ + R"(","socket":")" + folder_ +
         R"(/host.sock","abstractSocket":")" + abstract_name_ + R"(","port":)" + std::to_string(port_) + "}}";
}

std::vector<std::string> Canaries::found_in(const std::string& text) const {
  std::vector<std::string> found;
  for (const Canary* canary :
       {&environment_, &working_file_, &outside_file_, &unix_socket_, &abstract_socket_, &tcp_port_, &sibling_}) {
    if (text.find(canary->token) != std::string::npos) found.push_back(canary->source);
  }
  return found;
}

}  // namespace glovebox::attack
