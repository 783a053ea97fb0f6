// What is done once more when a store that is away may be back.
#pragma once

#include <functional>

#include "gateway/services.h"

namespace glovebox::gateway {

// A little later, on the gateway's thread.
void try_store_again(const Services& services, std::function<void()> work);

}  // namespace glovebox::gateway
