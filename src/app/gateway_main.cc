#include "app/gateway_commands.h"

int main(int argc, char** argv) {
  return glovebox::cli::run_gateway_command_line(argc, argv);
}
