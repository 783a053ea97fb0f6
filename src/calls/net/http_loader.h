// Loads libglovebox-net.so when a run first uses the network.
#pragma once

#include <memory>
#include <string>

#include "glovebox/result.h"
#include "net/http_client.h"

namespace glovebox::calls {

// One client for all runs of a Sandbox.
class HttpLoader {
 public:
  explicit HttpLoader(std::string library_path) : library_path_(std::move(library_path)) {}
  Result<net::HttpClient*> client();

 private:
  std::string library_path_;
  std::unique_ptr<net::HttpClient> client_;
};

}  // namespace glovebox::calls
