// Whether a text can be granted as a path at all, before any disk is read.
#pragma once

#include <string_view>

#include "glovebox/result.h"

namespace glovebox::policy {

Result<void> check_grantable_path(std::string_view text);

}  // namespace glovebox::policy
