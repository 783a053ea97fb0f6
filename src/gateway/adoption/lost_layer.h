// Remakes the layer of a finished run whose gateway died before the layer was committed.
//
// A layer consists of files of one machine, and is gone with its process. The replies that the run received are in its
// journal, and a guest that receives the same replies writes the same files. So the layer can be remade wherever the
// store can be read, without making any call of the run again.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gateway/services.h"

namespace glovebox::gateway {

// Returns the outcome of the run as it was, with its uncommitted changes. kNotFound when there is no such run or no
// journal of it is kept; kConflict when it does not end the same way again. `done` is called on the gateway's thread,
// once, but for a gateway that closes meanwhile, and not before this returns. An outage of the store delays it.
void make_layer_again(const std::shared_ptr<Services>& services, const std::string& run,
                      std::function<void(Result<std::shared_ptr<const Outcome>>)> done);

}  // namespace glovebox::gateway
