// An internet that ends at this process: public addresses, private ones, a name server that lies and a malicious web
// server. Group F runs in it.
#pragma once

#include <sys/socket.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/unique_fd.h"
#include "net/scripted_server.h"

namespace glovebox::attack {

class OwnInternet {
 public:
  // Must run before the first thread does: takes this process into a network and mounts of its own, where
  //   http://good.test/, http://sub.good.test/   lead to the server in hostile_server.cc
  //   http://other.test/                         is the same server under another address
  //   everything in name_server.cc               is what its table says
  // and every private address has a listener on port 80 that no program may ever reach.
  static void enter();
  // Null in programs that have not entered it.
  static OwnInternet* instance();

  struct Traffic {
    int lookups = 0;      // asked of the name server
    int connections = 0;  // to the web server
    int trapped = 0;      // to a private address
    bool operator==(const Traffic&) const = default;
  };
  // Counts everything that was sent before: each listener is sent one more request, and has counted it when this
  // returns.
  Traffic traffic();
  // What the listeners on private addresses send.
  const std::string& token() const { return token_; }

 private:
  OwnInternet();
  void listen_on_private_addresses();
  void listen_on(int family, const void* address, socklen_t size);

  const std::string token_ = "TRAPPEDTOKENOFAPRIVATESERVICE";
  std::atomic<int> lookups_ = 0;
  std::atomic<int> trapped_ = 0;
  std::unique_ptr<net::testing::ScriptedServer> good_, other_;
  std::vector<base::UniqueFd> traps_;
  Traffic ours_;                      // our own part of it
  std::vector<std::thread> threads_;  // until the process ends
};

}  // namespace glovebox::attack
