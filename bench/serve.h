// The line protocol of peers/serve_subject.mjs for Glovebox: commands on standard input, one JSON object per line back.
#pragma once

#include "subject.h"

namespace glovebox::bench {

// Besides the peers' commands (sample, throughput, context, memory):
//   typescript N        → like sample, with type annotations in the code
//   program PATH N      → { ms: […], cpu_ms: […], result }
//   soak N              → see soak.h
// Returns at the end of input.
void serve(Subject& subject);

}  // namespace glovebox::bench
