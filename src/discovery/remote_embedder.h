// An endpoint like OpenAI's /v1/embeddings, which the owner has named in the config.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "discovery/embedder.h"

namespace glovebox::discovery {

struct RemoteOptions {
  std::string url;
  std::string model;
  std::string key;      // sent as a bearer token; empty: none
  std::string problem;  // why it cannot be used at all, such as a missing key; empty: it can
  std::size_t dimensions = 0;
  std::chrono::milliseconds query_time{3000};
  std::chrono::milliseconds tools_time{60'000};
  std::chrono::milliseconds first_pause{1000};  // before a busy endpoint is asked about tools again; doubles
  int most_tries = 4;
};

std::unique_ptr<Embedder> make_remote_embedder(boost::asio::any_io_executor executor, RemoteOptions options);

}  // namespace glovebox::discovery
