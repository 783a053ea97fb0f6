// Whether a text can be granted as a path at all, before anybody looks at a disk.
#pragma once

#include <string_view>

#include "glovebox/result.h"

namespace glovebox::policy {

Result<void> check_grantable_path(std::string_view text);

}  // namespace glovebox::policy
