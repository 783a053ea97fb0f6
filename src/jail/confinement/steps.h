// The steps that confinements are made of. Each uses system calls only, so that it can run between clone and exec.
#pragma once

#include "jail/confinement/confinement.h"

namespace glovebox::jail::steps {

bool become_unprivileged(Subject& subject);
bool leave_session(Subject& subject);
bool place_descriptors(Subject& subject);
bool leave_keys_and_names(Subject& subject);
bool enter_root(Subject& subject);
bool open_program(Subject& subject);
bool limit_resources(Subject& subject);
bool refuse_new_privileges(Subject& subject);
bool drop_capabilities(Subject& subject);
bool trap_timestamp_counter(Subject& subject);
bool die_with_parent(Subject& subject);
bool keep_only_the_socket(Subject& subject);
bool restrict_with_landlock(Subject& subject);
bool make_nothing_new(Subject& subject);
bool reseed(Subject& subject);
bool filter_system_calls(Subject& subject);
bool execute_program(Subject& subject);  // returns only on failure

}  // namespace glovebox::jail::steps
