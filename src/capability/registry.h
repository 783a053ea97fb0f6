// Registry: where capabilities come from. A folder, or a server that answers GET {registry}/mcp/{fqdn}.
//
// What it says is checked here: that it is the capability that was asked for, and that the code is the one that the
// metadata means. Whether it is what somebody has approved is for others to say.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "capability/metadata.h"
#include "glovebox/result.h"

namespace glovebox::capability {

struct Published {
  Metadata metadata;
  std::string code;  // empty where it has none
};

class Registry {
 public:
  virtual ~Registry() = default;
  // kNotFound: it has no such capability. kProtocol: what it answered cannot be used. kSystem: it did not answer.
  // `done` is called once, on the executor, not before this returns, and not after the registry is gone.
  using Done = std::function<void(Result<Published>)>;
  virtual void fetch(const Fqdn& fqdn, Done done) = 0;
};

struct RegistryOptions {
  std::string address;             // http:// or https://, or an absolute path
  std::chrono::milliseconds time;  // for one capability
  std::string client_id{};         // told to a server; empty: nothing is
};
Result<std::unique_ptr<Registry>> make_registry(boost::asio::any_io_executor executor, RegistryOptions options);

// Writes a capability into a folder, which a server of files can serve as it is. An earlier one of that name is
// replaced.
Result<void> publish(const std::string& folder, const Metadata& metadata, const std::string& code);

}  // namespace glovebox::capability
