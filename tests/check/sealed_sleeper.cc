// Reads its input, and keeps running after its end.
#include <unistd.h>

int main() {
  char buffer[64];
  while (true) {
    if (::read(0, buffer, sizeof buffer) <= 0) ::usleep(100'000);
  }
}
