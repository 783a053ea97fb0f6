// How guests are confined, and the zygote that they are forked from.
#pragma once

#include "jail/confinement/confinement.h"

namespace glovebox::jail {

const Confinement& guest_confinement();

// In a guest of a zygote that is confined. On the first step that fails, ends the process with kSealFailedExit + its
// number: a guest that is not sealed must not exist.
void seal_or_exit(Subject& subject);

// The name of that step, for the side that only hears a number; null for an exit of another kind.
const char* seal_step_of_exit(int exit_code);

}  // namespace glovebox::jail
