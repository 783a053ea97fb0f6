// The layer of a run that has finished and whose gateway died before it was committed.
//
// A layer is files of one machine, and is gone with its process. The replies that the run received are in its journal,
// and a guest that receives the same writes the same: so the layer is made again, wherever the store can be read, and
// no call of the run leaves a second time.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gateway/services.h"

namespace glovebox::gateway {

// The outcome of the run as it was, with its changes, yet to be committed. kNotFound when no journal of it is kept, or
// no such run; kConflict when it does not come to the same end again. `done` is called once, on the gateway's thread
// and not before this returns.
void make_layer_again(const std::shared_ptr<Services>& services, const std::string& run,
                      std::function<void(Result<std::shared_ptr<const Outcome>>)> done);

}  // namespace glovebox::gateway
