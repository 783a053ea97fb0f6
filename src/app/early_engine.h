// The engine of `glovebox exec` is started before the library with the commands is loaded. Most of the time until a
// program runs is the engine's, and it boots on another core meanwhile. One that stands by has booted already.
#pragma once

namespace glovebox::cli {

// From the program to its library, which has a copy of its own of everything but these numbers.
struct EarlyEngine {
  int pid;
  int pidfd;
  int control;
  unsigned missing_layers;
  // Of one that stood by: its guest's socket, and where its wait status is reported.
  int guest = -1;
  int reaper = -1;
};

// What the library is called by.
using LightMain = int (*)(int argc, char** argv, const EarlyEngine* engine);
inline constexpr const char* kLightMain = "glovebox_light_main";
inline constexpr const char* kLightLibrary = "libglovebox-light.so";

// Whether the command will most likely want one. A wrong guess costs time only.
bool is_likely_to_run_javascript(int argc, char** argv);

// One that stands by, or is started now. Null if it cannot be started: the code that needs it tries again, and reports
// why.
const EarlyEngine* find_early_engine();

}  // namespace glovebox::cli
