// What a run may reach over the network: a pure function of the owner's grants. It answers two questions. Before a name
// is resolved: may this run connect to HOST:PORT at all? And for every address before connecting: may that name lead
// there?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"
#include "policy/host_name.h"

namespace glovebox::policy {

// One of HOST, HOST:PORT, *.example.com[:PORT], *[:PORT], 192.0.2.1[:PORT], [2001:db8::1][:PORT].
class NetGrant {
 public:
  static Result<NetGrant> parse(std::string_view text);

  bool allows(const Host& host, std::uint16_t port) const;
  // Whether it names this very address.
  bool is_literally(const IpAddress& literal, std::uint16_t port) const;
  // Whether everything that `other` grants is granted by this one.
  bool covers(const NetGrant& other) const;

  // The address that it names; null when it names none.
  const IpAddress* address() const { return kind_ == Kind::kHost && host_.address ? &*host_.address : nullptr; }

  std::string text() const;  // in canonical form

 private:
  enum class Kind { kAny, kBeneath, kHost };  // *, *.example.com, example.com
  bool allows_host(const Host& host) const;

  Kind kind_ = Kind::kHost;
  Host host_;  // for kBeneath the part after the star and its dot
  std::optional<std::uint16_t> port_;
};

struct NetDenial {
  std::string target;   // HOST:PORT
  std::string message;  // Requires net access to "HOST:PORT", in Deno's wording, and what would fix it
};
using NetVerdict = Result<void, NetDenial>;

class NetGrants {
 public:
  NetGrants() = default;  // nothing
  // `allow_private`: names may lead to addresses that are not public.
  static Result<NetGrants> parse(const std::vector<std::string>& texts, bool allow_private);

  bool empty() const { return grants_.empty(); }
  NetVerdict check_name(const Host& host, std::uint16_t port) const;
  // `host` is what was requested, `address` what it resolved to.
  NetVerdict check_address(const Host& host, const IpAddress& address, std::uint16_t port) const;
  // For Deno.permissions.query: whether all of this is granted.
  bool covers(const NetGrant& wanted) const;

 private:
  std::vector<NetGrant> grants_;
  bool allow_private_ = false;
};

// "api.example.com:443", "[::1]:80".
std::string target_text(const Host& host, std::uint16_t port);

}  // namespace glovebox::policy
