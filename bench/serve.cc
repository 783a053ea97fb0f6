#include "serve.h"

#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

#include "soak.h"

namespace glovebox::bench {
namespace {

Result<std::string> text_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Failure{ErrorCode::kNotFound, "cannot read " + path};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<Figures> answer_to(const std::string& line, Subject& subject) {
  std::istringstream words(line);
  std::string command;
  words >> command;

  if (command == "program") {
    std::string path;
    std::size_t count = 0;
    words >> path >> count;
    auto source = text_of(path);
    if (!source.ok()) return std::move(source).failure();
    return subject.program(*source, count);
  }

  std::size_t first = 0;
  std::size_t second = 0;
  words >> first >> second;
  if (command == "sample") return subject.sample(first);
  if (command == "typescript") return subject.sample_typescript(first);
  if (command == "python") return subject.sample_python(first);
  if (command == "throughput") return subject.throughput(first, std::chrono::milliseconds(second));
  if (command == "context") return subject.context(first, second);
  if (command == "memory") return subject.memory();
  if (command == "soak") return soak(subject.sandbox(), first);
  return Failure{ErrorCode::kInvalidArgument, "unknown command: " + command};
}

}  // namespace

void serve(Subject& subject) {
  std::cout << R"({"ready":true})" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    auto answer = answer_to(line, subject);
    const Figures reply = answer.ok() ? *answer : Figures().add("error", answer.failure().message);
    std::cout << reply.json() << std::endl;
  }
}

}  // namespace glovebox::bench
