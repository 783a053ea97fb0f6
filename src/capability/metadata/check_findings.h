// Removes false findings of the check before a run: the check knows the tools of servers, but not capabilities. Whether
// the arguments of one fit is checked at the call.
#pragma once

#include <vector>

#include "capability/metadata/capability_lock.h"
#include "glovebox/diagnostic.h"

namespace glovebox::capability {

// Removes those that say of a capability's name that there is no such thing.
void drop_findings_about(const CapabilityLock& lock, std::vector<Diagnostic>& found);

}  // namespace glovebox::capability
