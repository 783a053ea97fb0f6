// `glovebox trust`: shows what the workspace's config grants, and records that the owner trusts it.
#pragma once

namespace glovebox::cli {

class Command;

void add_trust_command(Command& app);

}  // namespace glovebox::cli
