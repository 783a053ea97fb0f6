// The entry of libglovebox-guest.so. Preloaded into Node's executable, it takes the place of Node's main, so that V8 is
// there and nothing of Node ever runs.
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "guest/engine.h"
#include "jail/zygote.h"

namespace {

int guest_main(int argc, char** argv, char**) {
  // The build runs this once, with the engine and the library that the image is for.
  if (argc == 3 && std::strcmp(argv[1], "make-image") == 0) {
    const std::string error = glovebox::guest::Engine::make_image(argv[2]);
    if (!error.empty()) std::fprintf(stderr, "make-image: %s\n", error.c_str());
    return error.empty() ? 0 : 1;
  }
  if (argc == 3 && std::strcmp(argv[1], "note-used-pages") == 0) {
    const std::string error = glovebox::guest::Engine::note_used_pages(argv[2]);
    if (!error.empty()) std::fprintf(stderr, "note-used-pages: %s\n", error.c_str());
    ::_exit(error.empty() ? 0 : 1);
  }
  if (argc == 5 && std::strcmp(argv[1], "profile-python") == 0) {
    const std::string error = glovebox::guest::Engine::profile_python(argv[2], argv[3], argv[4]);
    if (!error.empty()) std::fprintf(stderr, "profile-python: %s\n", error.c_str());
    ::_exit(error.empty() ? 0 : 1);
  }
  if (argc == 6 && std::strcmp(argv[1], "make-python-code") == 0) {
    const std::string error = glovebox::guest::Engine::make_python_code(argv[2], argv[3], argv[4], argv[5]);
    if (!error.empty()) std::fprintf(stderr, "make-python-code: %s\n", error.c_str());
    ::_exit(error.empty() ? 0 : 1);
  }
  // Leaked on purpose: guests end with _exit and must not run destructors on hostile state.
  auto* engine = new glovebox::guest::Engine;
  glovebox::jail::zygote_main(*engine);
}

}  // namespace

using Main = int (*)(int, char**, char**);
using Hook = void (*)();

extern "C" __attribute__((visibility("default"))) int __libc_start_main(Main, int argc, char** argv, Hook init,
                                                                        Hook fini, Hook rtld_fini, void* stack_end) {
  using Start = int (*)(Main, int, char**, Hook, Hook, Hook, void*);
  const auto start = reinterpret_cast<Start>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  ::unsetenv("LD_PRELOAD");
  return start(guest_main, argc, argv, init, fini, rtld_fini, stack_end);
}
