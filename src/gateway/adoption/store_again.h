// Retries work for which the store was away.
#pragma once

#include <functional>

#include "gateway/services.h"

namespace glovebox::gateway {

// A second later, on the gateway's thread.
void try_store_again(const Services& services, std::function<void()> work);

}  // namespace glovebox::gateway
