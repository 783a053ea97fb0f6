// The handlers that serve a run's calls. Most runs make few calls, so handlers are made on first use.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>

#include "broker/call_desk.h"
#include "calls/artifacts/artifact_shelf.h"
#include "calls/files/run_disk.h"
#include "calls/net/http_loader.h"
#include "calls/own/grant_set.h"
#include "calls/run_clock.h"

namespace glovebox::broker {

// Parts of the session, which owns the desk and outlives its calls.
struct RunParts {
  std::shared_ptr<boost::asio::io_context> io;
  const RunRequest& request;
  const calls::GrantSet& grants;
  std::shared_ptr<calls::RunClock> clock;
  std::shared_ptr<calls::RunDisk> disk;
  std::shared_ptr<calls::HttpLoader> http;
  std::shared_ptr<calls::ArtifactShelf> artifacts;
};

void add_handlers(CallDesk& desk, const RunParts& run);

}  // namespace glovebox::broker
