// Asynchronous name lookups. The system's resolver blocks for as long as a name server takes, so it runs on a few
// threads of its own, shared fairly among owners.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "glovebox/result.h"
#include "policy/ip_address.h"

namespace glovebox::net {

using Addresses = std::vector<policy::IpAddress>;
// Blocks.
using LookUp = std::function<Result<Addresses>(const std::string& name)>;

// getaddrinfo.
Result<Addresses> look_up_with_system(const std::string& name);

class Resolver {
 public:
  using Done = std::function<void(Result<Addresses>)>;

  explicit Resolver(LookUp look_up);
  // Does not wait: a lookup in progress ends by itself, and its result is dropped.
  ~Resolver();
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  // `done` is called on a thread of the resolver, once, unless the request is withdrawn before it starts.
  std::uint64_t start(std::uint64_t owner, std::string name, Done done);
  void withdraw(std::uint64_t id);

 private:
  struct State;
  static void work(const std::shared_ptr<State>& state);
  std::shared_ptr<State> state_;
};

}  // namespace glovebox::net
