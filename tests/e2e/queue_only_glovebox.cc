// The program as it is shipped, but `serve` ends at once where its loop, which is the main thread's, calls the store
// directly: docs/decisions/01-store-thread.md.
#include <unistd.h>

#include <string_view>

#include "app/gateway_commands.h"
#include "base/program_part.h"
#include "store/database/patience.h"

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "serve") {
    const glovebox::store::QueueOnly loop;
    return glovebox::cli::run_gateway_command_line(argc, argv);
  }
  ::execv(glovebox::base::program_part("../glovebox").c_str(), argv);
  return 127;
}
