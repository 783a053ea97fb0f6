// glovebox-types: reads JSON Schemas behind a seal, and says which types they are. Started by a gateway only.
#include <unistd.h>

#include "types/part_message.h"
#include "types/program/sealed_loop.h"
#include "types/schema/translate.h"

int main() {
  using namespace glovebox::types;
  serve_sealed([](std::string_view bytes) {
    const auto question = decode_question(bytes);
    if (!question) ::_exit(1);
    return encode(translate(*question));
  });
}
