// Reads until its input ends, and forever after that.
#include <unistd.h>

int main() {
  char buffer[64];
  while (true) {
    if (::read(0, buffer, sizeof buffer) <= 0) ::usleep(100'000);
  }
}
