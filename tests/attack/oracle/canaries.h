// Secrets around the gateway that no guest may ever see. Each has its own token, so that a leak names its source.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/unique_fd.h"

namespace glovebox::attack {

struct Canary {
  std::string source;
  std::string token;
};

class Canaries {
 public:
  // Plants them: an environment variable, a file in a new working directory of this process and one in /tmp, and three
  // listening sockets of the host that hand their token to any client.
  Canaries();
  ~Canaries();
  Canaries(const Canaries&) = delete;

  // Where they are, without their content: every hostile program gets this as its context.
  std::string places_json() const;

  // In the context of another run.
  const std::string& sibling_token() const { return sibling_.token; }

  // The sources whose token is in the text.
  std::vector<std::string> found_in(const std::string& text) const;

  int connections() const { return connections_; }
  const std::string& folder() const { return folder_; }

 private:
  void listen_on_sockets();
  void serve();

  std::string folder_;
  std::string temporary_file_;
  std::string abstract_name_;
  int port_ = 0;
  Canary environment_, working_file_, outside_file_, unix_socket_, abstract_socket_, tcp_port_, sibling_;
  std::vector<base::UniqueFd> listeners_;
  std::vector<const Canary*> served_;
  base::UniqueFd stop_;
  std::atomic<int> connections_{0};
  std::thread server_;
};

}  // namespace glovebox::attack
