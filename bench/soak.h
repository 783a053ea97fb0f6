// Many runs in a row in one gateway: what may not grow (memory, descriptors, processes, mounts) is written down on the
// way.
#pragma once

#include <cstddef>

#include "figures.h"
#include "glovebox/sandbox.h"

namespace glovebox::bench {

// → { runs, seconds, start, middle, end }, each of the three { runs, gateway_rss_kib, zygote_rss_kib, descriptors,
// processes, mounts }
Result<Figures> soak(Sandbox& sandbox, std::size_t runs);

}  // namespace glovebox::bench
