// The key `skills` of a config file: a folder of Python classes that are offered as tools.
//
// "skills": "./skills", or { "folder": "./skills", "python": "./venv/bin/python", "env": { … } } with those keys of a
// server that are not about how it is reached.
#pragma once

#include <string>
#include <vector>

#include "config/server_settings.h"

namespace glovebox::config {

// The name of the process that runs them among the servers.
inline constexpr const char* kSkillServer = "skills";

// Skills are one more server, whose only argument is the folder as the file spells it. Another server of that name is a
// problem.
void read_skills(const JsonMember& member, std::vector<DeclaredServer>& servers, std::vector<JsonProblem>& problems);

// Python's arguments to run the skills of this folder.
std::vector<std::string> skill_host_arguments(std::string folder);

}  // namespace glovebox::config
