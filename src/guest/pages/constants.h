// What the zygote made while it booted and never writes again: V8's read-only heap, and what the dynamic linker
// protected once it had relocated it. A fork copies the page tables of such memory, and what the kernel notes of each
// mapping with pages that belong to no file.
#pragma once

namespace glovebox::guest {

// In the zygote, when it has booted: these pages become those of a file without a name, which a fork does not look at.
// Addresses and rights stay the same. Nobody can change the file.
void move_constants_to_file();

}  // namespace glovebox::guest
