#include "policy/net_grants.h"

#include <algorithm>

#include "base/try.h"
#include "policy/address_class.h"

namespace glovebox::policy {
namespace {

Failure bad_grant(std::string_view text, std::string_view why) {
  return {ErrorCode::kInvalidArgument, "\"" + printable(text) + "\" cannot be granted: " + std::string(why)};
}

// The common mistake that a text appears to be, or nothing. A host name could contain none of these, but that reason
// would be less clear.
std::string_view usual_slip(std::string_view text) {
  if (text.empty()) return "a host is missing, such as example.com or example.com:443";
  if (text.find("://") != std::string_view::npos) return "write the host alone, such as example.com or example.com:443";
  if (text.find('@') != std::string_view::npos) return "a grant contains no user name";
  if (text.find_first_of("/?#\\") != std::string_view::npos)
    return "a grant is a host and a port, without path or range";
  if (text.find_first_of(", \t") != std::string_view::npos) return "a grant names a single host";
  return "";
}

std::string requires_access(const std::string& target) {
  return "Requires net access to \"" + target + "\"";
}

}  // namespace

Result<NetGrant> NetGrant::parse(std::string_view text) {
  if (const auto slip = usual_slip(text); !slip.empty()) return bad_grant(text, slip);
  NetGrant grant;
  std::string_view host = text;
  // A colon within brackets belongs to the address.
  const auto bracket = text.rfind(']');
  const auto colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon != std::string_view::npos) {
    if (text.find(':', colon + 1) != std::string_view::npos) {
      return bad_grant(text, "an IPv6 address must be in brackets, such as [::1]:80");
    }
    host = text.substr(0, colon);
    grant.port_ = parse_port(text.substr(colon + 1));
    if (!grant.port_) return bad_grant(text, "a port is a number from 1 to 65535");
  }
  if (host == "*") {
    grant.kind_ = Kind::kAny;
    return grant;
  }
  if (host.starts_with("*.")) {
    grant.kind_ = Kind::kBeneath;
    host.remove_prefix(2);
  }
  if (host.find('*') != std::string_view::npos) {
    return bad_grant(text, "a star stands alone or for the subdomains of a domain, such as *.example.com");
  }
  auto canonical = canonical_host(host);
  if (!canonical) return bad_grant(text, canonical.failure().message);
  grant.host_ = std::move(*canonical);
  if (grant.kind_ == Kind::kBeneath && grant.host_.address) return bad_grant(text, "an address has no subdomains");
  return grant;
}

bool NetGrant::allows_host(const Host& host) const {
  switch (kind_) {
    case Kind::kAny: return true;
    case Kind::kBeneath:
      return !host.address && host.text.size() > host_.text.size() + 1 && host.text.ends_with("." + host_.text);
    case Kind::kHost: break;
  }
  if (host_.address && host.address) return host_.address->unmapped() == host.address->unmapped();
  return host_ == host;
}

bool NetGrant::allows(const Host& host, std::uint16_t port) const {
  return (!port_ || *port_ == port) && allows_host(host);
}

bool NetGrant::is_literally(const IpAddress& literal, std::uint16_t port) const {
  return address() && (!port_ || *port_ == port) && address()->unmapped() == literal.unmapped();
}

bool NetGrant::covers(const NetGrant& other) const {
  if (port_ && port_ != other.port_) return false;
  if (kind_ == Kind::kAny) return true;
  switch (other.kind_) {
    case Kind::kAny: return false;
    case Kind::kBeneath: return kind_ == Kind::kBeneath && (host_ == other.host_ || allows_host(other.host_));
    case Kind::kHost: return allows_host(other.host_);
  }
  return false;
}

std::string NetGrant::text() const {
  std::string text = kind_ == Kind::kAny ? "*" : kind_ == Kind::kBeneath ? "*." + host_.text : host_.text;
  if (port_) text += ":" + std::to_string(*port_);
  return text;
}

Result<NetGrants> NetGrants::parse(const std::vector<std::string>& texts, bool allow_private) {
  NetGrants grants;
  grants.allow_private_ = allow_private;
  for (const std::string& text : texts) grants.grants_.push_back(GLOVEBOX_TRY(NetGrant::parse(text)));
  return grants;
}

NetVerdict NetGrants::check_name(const Host& host, std::uint16_t port) const {
  const bool granted =
      std::any_of(grants_.begin(), grants_.end(), [&](const NetGrant& grant) { return grant.allows(host, port); });
  if (granted) return {};
  const std::string target = target_text(host, port);
  return NetDenial{target, requires_access(target)};
}

NetVerdict NetGrants::check_address(const Host& host, const IpAddress& address, std::uint16_t port) const {
  GLOVEBOX_TRY_VOID(check_name(host, port));
  const std::string target = address.unmapped().host_text() + ":" + std::to_string(port);
  // An address must lead to itself. Anything else means that the parser and the connector disagree.
  if (host.address && host.address->unmapped() != address.unmapped()) return NetDenial{target, requires_access(target)};
  const AddressClass kind = classify(address);
  if (kind == AddressClass::kPublic || allow_private_) return {};
  const bool literally = std::any_of(grants_.begin(), grants_.end(),
                                     [&](const NetGrant& grant) { return grant.is_literally(address, port); });
  if (literally) return {};
  std::string hint = host.address ? "This is " : "The name \"" + host.text + "\" resolves to ";
  hint += describe(kind);
  return NetDenial{target, requires_access(target) + ". " + hint +
                               ", which needs a grant for exactly that address, or --allow-net-private."};
}

bool NetGrants::covers(const NetGrant& wanted) const {
  const bool must_be_literal =
      wanted.address() && !allow_private_ && classify(*wanted.address()) != AddressClass::kPublic;
  return std::any_of(grants_.begin(), grants_.end(), [&](const NetGrant& grant) {
    return grant.covers(wanted) && (!must_be_literal || grant.address());
  });
}

std::string target_text(const Host& host, std::uint16_t port) {
  return host.text + ":" + std::to_string(port);
}

}  // namespace glovebox::policy
