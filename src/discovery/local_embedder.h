// The built-in model: an encoder on threads of its own. Those for tools pause for queries.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>

#include "discovery/embedder.h"
#include "search/encoder/encoder.h"

namespace glovebox::discovery {

// Runs on the embedder's thread, with the first open().
using OpenEncoder = std::function<Result<std::unique_ptr<search::Encoder>>()>;

// `calibrated`: see Embedder::is_calibrated().
std::unique_ptr<Embedder> make_local_embedder(boost::asio::any_io_executor executor, OpenEncoder open, bool calibrated);

}  // namespace glovebox::discovery
