// `glovebox cache`: cached results, as their owner sees them.
#pragma once

namespace glovebox::cli {

class Command;
void add_cache_command(Command& app);

}  // namespace glovebox::cli
