// `glovebox trust`: what the workspace's config gives, and the owner's agreement to it.
#pragma once

namespace glovebox::cli {

class Command;

void add_trust_command(Command& app);

}  // namespace glovebox::cli
