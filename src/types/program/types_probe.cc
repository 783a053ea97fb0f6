// glovebox-types-probe, for tests: the type generator's process as if a schema had taken it over. The input schema says
// what it does then; the output schema, where it needs one, with what.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "types/part_message.h"
#include "types/program/sealed_loop.h"

namespace {

using glovebox::types::Part;
using glovebox::types::PartQuestion;

// "NUMBER A B C D E F"; an argument that is no number is a pointer to its text.
std::string make_system_call(const std::string& text) {
  long words[7] = {};
  std::string copies[7];
  std::size_t at = 0;
  for (int i = 0; i < 7 && at < text.size(); ++i) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    copies[i] = text.substr(at, end - at);
    char* rest = nullptr;
    words[i] = std::strtol(copies[i].c_str(), &rest, 10);
    if (*rest) words[i] = reinterpret_cast<long>(copies[i].c_str());
    at = end + 1;
  }
  const long result = ::syscall(words[0], words[1], words[2], words[3], words[4], words[5], words[6]);
  return std::to_string(result < 0 ? -errno : result);
}

long read_counter() {
  unsigned low = 0, high = 0;
  asm volatile("rdtsc" : "=a"(low), "=d"(high));
  return low;
}

// Ends with a fault where there is none left.
void take_memory() {
  constexpr std::size_t kBytes = 1 << 20;
  auto* const block = static_cast<volatile char*>(std::malloc(kBytes));
  for (std::size_t at = 0; at < kBytes; at += 4096) block[at] = 1;
}

std::string obey(std::string_view bytes) {
  const auto question = glovebox::types::decode_question(bytes);
  if (!question) ::_exit(1);
  const std::string order(question->input_schema);
  const std::string with(question->output_schema);
  if (order == "call") return make_system_call(with);
  if (order == "counter") return std::to_string(read_counter());
  static int asked = 0;
  if (order == "count") return encode(Part{{"(args?: " + std::to_string(++asked) + "): Promise<any>"}, ""});
  if (order == "say") return with;
  if (order == "repeat") return std::string(std::strtoul(with.c_str(), nullptr, 10), 'x');
  if (order == "die") __builtin_trap();
  if (order == "exit") ::_exit(0);
  while (order == "hang") asm volatile("" ::: "memory");
  while (order == "eat") take_memory();
  if (order == "sign") return encode(Part{{with}, ""});
  if (order == "type") return encode(Part{{"(args?: any): Promise<any>"}, with});
  return encode(glovebox::types::open_part(*question, "of the probe"));
}

}  // namespace

int main() {
  glovebox::types::serve_sealed(obey);
}
