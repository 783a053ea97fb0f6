// TypeGenerator: declarations of tools, whose schemas are read in a sealed process (types/sealed/generator_process.h).
//
// Schemas are hostile. Whatever they do to the process, a text is made in bounded time: what cannot be made of schemas
// accepts any call, and the owner gets a notice. A process reads the schemas of one server only, so that none can
// change what is said about another's tools; the next question replaces one that has died, lied or hung.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "types/part.h"
#include "types/sealed/generator_limits.h"

namespace glovebox::types {

// Makes the text, and asks for the parts in it. Called on the generator's own thread.
using ComposeText = std::function<std::string(const AskForPart& ask)>;

struct MadeText {
  std::string text;
  bool is_whole = true;  // false: some tools are declared without types, and may have them the next time
};

struct TypeGeneratorOptions {
  std::string program{};                       // empty: glovebox-types, beside this program
  std::uint32_t missing_layers = 0;            // kWithout… of jail/zygote_protocol.h that are missing and may be
  std::vector<std::string> accepted_layers{};  // or their names, as --degraded has them: which are missing is tried
  std::function<void(const std::string& text)> on_notice{};  // on the executor: what the owner should know
  std::chrono::milliseconds answer_time = kAnswerTime;
  std::chrono::milliseconds start_time = kGeneratorStartTime;
  std::chrono::milliseconds whole_time = kWholeTextTime;
  std::chrono::milliseconds idle_time = kGeneratorIdleTime;
};

class TypeGenerator {
 public:
  TypeGenerator(boost::asio::any_io_executor executor, TypeGeneratorOptions options);
  // Texts that are not made yet are not made any more.
  ~TypeGenerator();
  TypeGenerator(const TypeGenerator&) = delete;
  TypeGenerator& operator=(const TypeGenerator&) = delete;

  // `done` runs on the executor, once, never from within this function.
  void make(ComposeText compose, std::function<void(MadeText)> done);

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace glovebox::types
