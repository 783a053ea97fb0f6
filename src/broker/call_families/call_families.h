// Everything that a guest can ask for: which handler serves which family of calls.
#pragma once

#include <boost/asio.hpp>
#include <memory>

#include "broker/artifacts/artifact_shelf.h"
#include "broker/call_desk.h"
#include "broker/grant_set.h"
#include "broker/http_loader.h"
#include "broker/run_clock.h"
#include "broker/run_disk.h"
#include "glovebox/sandbox.h"

namespace glovebox::broker {

// What the handlers of one run work with.
struct RunMeans {
  std::shared_ptr<boost::asio::io_context> io;
  const RunRequest& request;
  const GrantSet& grants;
  std::shared_ptr<RunClock> clock;
  std::shared_ptr<HttpLoader> http;
  std::shared_ptr<RunDisk> disk;
  std::shared_ptr<ArtifactShelf> artifacts;
};
void add_call_families(CallDesk& desk, const RunMeans& run);

}  // namespace glovebox::broker
