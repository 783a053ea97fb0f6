// PartSource: parts from the sealed process, from what is known, or open ones. Used by one thread, which may wait.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "types/sealed/generator_process.h"
#include "types/sealed/known_parts.h"
#include "types/sealed/type_generator.h"

namespace glovebox::types {

class PartSource {
 public:
  using Clock = std::chrono::steady_clock;

  // `notice` is called on the thread that asks.
  PartSource(TypeGeneratorOptions options, int stop, std::function<void(std::string)> notice);

  // Of one text, which waits until the deadline at most.
  MadeText make(const ComposeText& compose, Clock::time_point deadline);
  // Ends the processes.
  void rest() { processes_.clear(); }

 private:
  struct OfServer {
    std::string source;  // whose schemas it has read
    GeneratorProcess process;
  };
  struct Failures {
    int count = 0;
    Clock::time_point last{};
  };

  // Nothing where it cannot be made now.
  std::optional<Part> part_for(const PartQuestion& question, const std::string& bytes, Clock::time_point deadline);
  // Makes the server's process the last of them; false where there is none.
  bool recall(const std::string& source);
  // By the last process. Nothing where it does not make it; then it is ended.
  std::optional<Part> try_once(const PartQuestion& question, const std::string& bytes, Clock::time_point deadline);
  bool start(const std::string& source, Clock::time_point deadline);
  bool is_paused(const std::string& source);
  void blame(const std::string& source);
  std::uint32_t missing_layers();

  TypeGeneratorOptions options_;
  int stop_;
  std::function<void(std::string)> notice_;
  KnownParts known_{kMostKeptBytes};
  std::vector<OfServer> processes_;  // those used last come last
  std::string why_;                  // of the last failure
  bool was_late_ = false;            // the last answer did not come in time
  std::map<std::string, Failures> failures_;
  std::optional<Clock::time_point> start_failed_;
  std::string noticed_;  // why, as the owner knows
  std::optional<std::uint32_t> missing_layers_;
};

}  // namespace glovebox::types
