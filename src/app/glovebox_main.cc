#include "app/command_line.h"

int main(int argc, char** argv) {
  return glovebox::cli::run_light_command_line(argc, argv);
}
