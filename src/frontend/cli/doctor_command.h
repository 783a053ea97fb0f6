// `glovebox doctor`: what this machine offers, layer by layer, and what to do about what is missing.
#pragma once

namespace glovebox::frontend {

int run_doctor(bool json);

}  // namespace glovebox::frontend
