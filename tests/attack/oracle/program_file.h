// Reads a hostile program: its code and, from comments at its top, what it may use and how it must end. README.md
// describes the format.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "glovebox/sandbox.h"

namespace glovebox::attack {

enum class GuestKind {
  kProduct,  // libglovebox-guest.so, as it is shipped
  kPython,   // the same, with its zygote for Python
  kCold,     // as shipped, without the type stripper in its zygote, as `glovebox exec` has it
  kProbe,    // libglovebox-guest-probe.so: as shipped, and guest code makes raw system calls
};

struct Program {
  std::string path;
  std::string group;  // the folder of tests/attack, e.g. "a"
  std::string name;   // the file's name without its ending, e.g. "a01_constructor_walk"
  GuestKind guest = GuestKind::kProduct;
  RunRequest request;
  std::vector<std::string> expected;  // JSON; the outcome must contain one of them
  std::optional<std::size_t> gateway_peak_bytes;
  bool is_silent = false;            // no packet may be sent, not even to a name server
  std::vector<std::string> files;    // what is in the folder that the program gets, see attack_folder.h
  std::vector<FileMode> file_modes;  // it runs once in each
};

// The programs in tests/attack/<group>/ and its subfolders. Only what the name of a test needs; cheap, for listing.
std::vector<Program> list_programs(const std::string& group);

// Throws std::runtime_error with file and line on an unknown header.
Program read_program(const std::string& path);

}  // namespace glovebox::attack
