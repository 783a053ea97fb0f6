// CapabilityRegistry: where capabilities come from. A folder, or a server that answers GET {registry}/mcp/{fqdn}.
//
// What it says is checked here: that it is the capability that was requested, and that the code is the one that the
// metadata means. Whether a person has approved it is checked elsewhere.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "capability/metadata/metadata.h"
#include "glovebox/result.h"

namespace glovebox::capability {

struct Published {
  Metadata metadata;
  std::string code;  // empty where it has none
};

class CapabilityRegistry {
 public:
  virtual ~CapabilityRegistry() = default;
  // kNotFound: it has no such capability. kProtocol: what it answered cannot be used. kSystem: it did not answer.
  // `done` is called once, on the executor, not before this returns, and not after the registry is gone.
  using Done = std::function<void(Result<Published>)>;
  virtual void fetch(const Fqdn& fqdn, Done done) = 0;
};

// What the owner expects of it: by name, the digest of a capability's description, which names that of its code.
using ExpectedDigests = std::map<std::string, std::string>;

struct RegistryOptions {
  std::string address;             // https://, or an absolute path; http:// with digests only, or on this machine
  std::chrono::milliseconds time;  // for one capability
  std::string client_id{};         // sent to a server; empty: nothing is
  std::optional<ExpectedDigests> digests{};  // then it gives what they name and nothing else
};
Result<std::unique_ptr<CapabilityRegistry>> make_registry(boost::asio::any_io_executor executor,
                                                          RegistryOptions options);

// Writes a capability into a folder, which a server of files can serve as it is. An earlier one of that name is
// replaced.
Result<void> publish(const std::string& folder, const Metadata& metadata, const std::string& code);

}  // namespace glovebox::capability
