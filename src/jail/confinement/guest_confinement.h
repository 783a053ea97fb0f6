// The confinement of guests, and of the zygote that they are forked from.
#pragma once

#include "jail/confinement/confinement.h"

namespace glovebox::jail {

const Confinement& guest_confinement();

// In a guest of a confined zygote. On the first step that fails, exits with kSealFailedExit + its number: an unsealed
// guest must not exist.
void seal_or_exit(Subject& subject);

// The name of that step, for the gateway, which gets only the number; null for other exits.
const char* seal_step_of_exit(int exit_code);

}  // namespace glovebox::jail
