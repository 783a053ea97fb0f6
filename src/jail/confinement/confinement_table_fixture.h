// For tests: renders a confinement as its tables in SECURITY.md, so that neither changes without the other.
#pragma once

#include <gtest/gtest.h>
#include <seccomp.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "base/source_folder.h"
#include "jail/confinement/confinement.h"
#include "jail/confinement/namespaces.h"
#include "jail/confinement/steps.h"

namespace glovebox::jail {

inline std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

inline std::string names_of_namespaces(std::uint64_t flags) {
  const std::pair<std::uint64_t, const char*> kinds[] = {
      {CLONE_NEWUSER, "user"}, {CLONE_NEWPID, "pid"}, {CLONE_NEWNS, "mount"},      {CLONE_NEWNET, "network"},
      {CLONE_NEWIPC, "ipc"},   {CLONE_NEWUTS, "uts"}, {CLONE_NEWCGROUP, "cgroup"},
  };
  std::vector<std::string> names;
  for (const auto& [flag, name] : kinds) {
    if (flags & flag) names.emplace_back(name);
    flags &= ~flag;
  }
  return joined(names) + (flags ? " and unknown ones" : "");
}

inline std::string words_of_limits(std::span<const ResourceLimit> limits) {
  const std::map<int, const char*> names = {
      {RLIMIT_CORE, "CORE"},         {RLIMIT_FSIZE, "FSIZE"}, {RLIMIT_MEMLOCK, "MEMLOCK"},
      {RLIMIT_MSGQUEUE, "MSGQUEUE"}, {RLIMIT_NICE, "NICE"},   {RLIMIT_RTPRIO, "RTPRIO"},
      {RLIMIT_LOCKS, "LOCKS"},       {RLIMIT_DATA, "DATA"},   {RLIMIT_SIGPENDING, "SIGPENDING"},
      {RLIMIT_CPU, "CPU"},           {RLIMIT_NPROC, "NPROC"}, {RLIMIT_NOFILE, "NOFILE"},
  };
  std::vector<std::string> words;
  for (const ResourceLimit& limit : limits) {
    words.push_back(names.at(limit.resource) + (limit.given ? " given" : " " + std::to_string(limit.most)));
  }
  return joined(words);
}

inline std::string value_of(const Step& step, const Confinement& confinement) {
  if (!step.apply) return names_of_namespaces(confinement.namespaces);
  if (step.apply == steps::enter_root) {
    const OwnRoot& root = confinement.root;
    return std::string("tmpfs ") + root.options + (root.holds_program_folder ? ", /lib" : "") + ", starts in " +
           root.home;
  }
  if (step.apply == steps::limit_resources) return words_of_limits(confinement.limits);
  if (step.apply == steps::restrict_with_landlock)
    return confinement.landlock == Readable::kNothing ? "nothing" : "own files";
  if (step.apply == steps::filter_system_calls) {
    std::set<int> numbers;
    for (const AllowedCall& call : confinement.filter.calls) numbers.insert(call.number);
    return std::to_string(numbers.size()) + " calls, others " +
           (confinement.filter.otherwise == Otherwise::kKill ? "kill" : "EPERM");
  }
  return "-";
}

inline std::string table_of_steps(const Confinement& confinement) {
  const std::map<MadeIn, const char*> places = {{MadeIn::kClone, "clone"},
                                                {MadeIn::kStart, "start"},
                                                {MadeIn::kZygote, "zygote"},
                                                {MadeIn::kGuest, "guest"},
                                                {MadeIn::kProgram, "program"}};
  std::string text;
  for (const Step& step : confinement.steps) {
    text +=
        std::string("| ") + step.name + " | " + places.at(step.where) + " | " + value_of(step, confinement) + " |\n";
  }
  return text;
}

inline std::string table_of_calls(const Confinement& confinement) {
  std::string text;
  for (const AllowedCall& call : confinement.filter.calls) {
    EXPECT_EQ(::seccomp_syscall_resolve_name(call.name), call.number) << call.name;
    const bool has_rules =
        std::any_of(std::begin(call.rules), std::end(call.rules), [](const auto& rule) { return rule.mask != 0; });
    EXPECT_EQ(has_rules, std::string_view(call.condition) != "-") << call.name;
    text += std::string("| ") + call.name + " | " + call.condition + " | " + call.reason + " |\n";
  }
  return text;
}

// The rows of SECURITY.md between "<!-- NAME: begin -->" and its end, each with its first three columns.
inline std::string shown_table(const std::string& name) {
  std::ifstream file(base::source_folder() + "/SECURITY.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  const std::size_t begin = page.find("<!-- " + name + ": begin -->");
  const std::size_t end = page.find("<!-- " + name + ": end -->");
  EXPECT_TRUE(begin < end && end != page.npos) << "SECURITY.md has no table " << name;
  std::istringstream lines(page.substr(std::min(begin, page.size()), end - begin));
  std::string text;
  int row = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|") || ++row <= 2) continue;  // the first two are the table's header
    std::size_t bar = 0;
    for (int column = 0; column < 3; ++column) bar = line.find('|', bar + 1);
    text += line.substr(0, bar + 1) + "\n";
  }
  return text;
}

inline void expect_as_shown(const Confinement& confinement) {
  const std::string name = confinement.name;
  EXPECT_EQ(table_of_steps(confinement), shown_table("confinement of the " + name));
  EXPECT_EQ(table_of_calls(confinement), shown_table("system calls of the " + name));
}

}  // namespace glovebox::jail
