// What serves the calls of a run. Most runs call little, so each handler is made when the run first needs it.
#pragma once

#include <boost/asio.hpp>
#include <memory>

#include "broker/artifacts/artifact_shelf.h"
#include "broker/call_desk.h"
#include "broker/grant_set.h"
#include "broker/http_loader.h"
#include "broker/run_clock.h"
#include "broker/run_disk.h"

namespace glovebox::broker {

// Of the session that owns the desk, and outlives its calls.
struct RunParts {
  std::shared_ptr<boost::asio::io_context> io;
  const RunRequest& request;
  const GrantSet& grants;
  std::shared_ptr<RunClock> clock;
  std::shared_ptr<RunDisk> disk;
  std::shared_ptr<HttpLoader> http;
  std::shared_ptr<ArtifactShelf> artifacts;
};

void add_handlers(CallDesk& desk, const RunParts& run);

}  // namespace glovebox::broker
