// `glovebox cache`: lists, shows and removes cached results.
#pragma once

namespace glovebox::cli {

class Command;
void add_cache_command(Command& app);

}  // namespace glovebox::cli
