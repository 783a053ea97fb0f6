#include "types/sealed/part_source.h"

#include <algorithm>
#include <utility>

#include "base/program_part.h"
#include "jail/layers.h"
#include "types/part_check.h"
#include "types/part_message.h"

namespace glovebox::types {
namespace {

constexpr std::string_view kTooLarge = "the schema is too large";
constexpr std::string_view kNoTypes = "its types could not be made";

}  // namespace

PartSource::PartSource(TypeGeneratorOptions options, int stop, std::function<void(std::string)> notice)
    : options_(std::move(options)), stop_(stop), notice_(std::move(notice)) {
  if (options_.program.empty()) options_.program = base::program_part("glovebox-types");
}

MadeText PartSource::make(const ComposeText& compose, Clock::time_point deadline) {
  MadeText made;
  made.text = compose([&](const PartQuestion& question) -> Part {
    const std::string bytes = encode(question);
    if (bytes.size() > kMostQuestionBytes) return open_part(question, kTooLarge);
    const std::string key = KnownParts::key_of(question.source, bytes);
    if (const Part* known = known_.find(key)) return *known;
    auto part = part_for(question, bytes, deadline);
    if (part) {
      known_.keep(key, *part);
      return *std::move(part);
    }
    made.is_whole = false;
    return open_part(question, kNoTypes);
  });
  return made;
}

std::optional<Part> PartSource::part_for(const PartQuestion& question, const std::string& bytes,
                                         Clock::time_point deadline) {
  const std::string source(question.source);
  if (Clock::now() >= deadline || is_paused(source)) return std::nullopt;
  const bool is_new = !recall(source);
  if (is_new && !start(source, deadline)) return std::nullopt;
  auto part = try_once(question, bytes, deadline);
  // One that was there already may have ended before it was asked this, through no fault of the question's.
  if (!part && !is_new && !was_late_ && Clock::now() < deadline) {
    if (!start(source, deadline)) return std::nullopt;
    part = try_once(question, bytes, deadline);
  }
  if (!part && Clock::now() < deadline) blame(source);
  return part;
}

std::optional<Part> PartSource::try_once(const PartQuestion& question, const std::string& bytes,
                                         Clock::time_point deadline) {
  const auto until = std::min(Clock::now() + options_.answer_time, deadline);
  const auto answer = processes_.back().process.ask(bytes, until);
  was_late_ = !answer && Clock::now() >= until;
  why_ = answer ? "the type generator's answer cannot be read" : answer.failure().message;
  auto part = answer ? decode_part(*answer) : std::nullopt;
  if (part) {
    const std::string_view fault = fault_in(question, *part);
    if (fault.empty()) return part;
    why_ = "the type generator's answer is wrong in " + std::string(fault);
  }
  processes_.pop_back();
  return std::nullopt;
}

bool PartSource::recall(const std::string& source) {
  const auto found =
      std::find_if(processes_.begin(), processes_.end(), [&](const OfServer& one) { return one.source == source; });
  if (found == processes_.end()) return false;
  std::rotate(found, found + 1, processes_.end());
  return true;
}

bool PartSource::start(const std::string& source, Clock::time_point deadline) {
  if (start_failed_ && Clock::now() < *start_failed_ + kPauseAfterFailedStart) return false;
  if (processes_.size() == kMostGenerators) processes_.erase(processes_.begin());
  auto started = GeneratorProcess::start({options_.program, missing_layers(), stop_},
                                         std::min(Clock::now() + options_.start_time, deadline));
  if (started) {
    start_failed_.reset();
    noticed_.clear();
    processes_.push_back({source, std::move(started).value()});
    return true;
  }
  if (Clock::now() >= deadline) return false;  // the text's time is over, which says nothing about starts
  start_failed_ = Clock::now();
  // Once for each reason: what this machine lacks does not change with every try.
  if (std::exchange(noticed_, started.failure().message) != started.failure().message)
    notice_("tools are declared without types: " + noticed_);
  return false;
}

bool PartSource::is_paused(const std::string& source) {
  const auto now = Clock::now();
  const auto failures = failures_.find(source);
  if (failures == failures_.end()) return false;
  if (now < failures->second.last + kPauseForServer) return failures->second.count >= kMostGeneratorFailures;
  failures_.erase(failures);
  return false;
}

void PartSource::blame(const std::string& source) {
  Failures& failures = failures_[source];
  ++failures.count;
  failures.last = Clock::now();
  notice_("a tool of " + source + " is declared without types: " + why_ +
          (failures.count < kMostGeneratorFailures
               ? ""
               : "; its other tools are not tried for " + std::to_string(kPauseForServer.count()) + " minutes"));
}

std::uint32_t PartSource::missing_layers() {
  if (!missing_layers_) {
    missing_layers_ = options_.missing_layers;
    if (!options_.accepted_layers.empty()) {
      for (const std::string& name : jail::missing_among(options_.accepted_layers))
        *missing_layers_ |= jail::layer_bit(name);
    }
  }
  return *missing_layers_;
}

}  // namespace glovebox::types
