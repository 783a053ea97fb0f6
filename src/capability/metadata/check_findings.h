// Findings of the check before a run that are false: the check knows the tools of servers, and not those that are
// capabilities. Whether a call of one fits is found out when it is made.
#pragma once

#include <vector>

#include "capability/metadata/capability_lock.h"
#include "glovebox/diagnostic.h"

namespace glovebox::capability {

// Removes those that say of a capability's name that there is no such thing.
void drop_findings_about(const CapabilityLock& lock, std::vector<Diagnostic>& found);

}  // namespace glovebox::capability
