// What `glovebox doctor` tries: a run in each language here, and in the gateway, which is another program and may
// itself be broken, a type check, the translation of a schema, a search and a store write.
#pragma once

#include <string>
#include <vector>

#include "cli/doctor/doctor_check.h"

namespace glovebox::cli {

// `degraded`: layers that are missing here and may be, so that the rest can be tried without them.
std::vector<DoctorCheck> try_languages(const std::vector<std::string>& degraded);
std::vector<DoctorCheck> try_gateway();

// The gateway's own command, by which it is asked for its part.
inline constexpr const char* kDoctorPartsCommand = "doctor-parts";

}  // namespace glovebox::cli
