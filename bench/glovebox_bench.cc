// glovebox-bench: Glovebox's side of `make bench`, a client of the public library and nothing else.
//
//   glovebox-bench [--soak=N] [--samples=N] [--programs=DIR]   measures everything and prints one JSON object
//   glovebox-bench --python [--samples=N] [--programs=DIR]     the same of Python guests
//   glovebox-bench --serve [--pool=N] [--rewind]               answers bench/run, which alternates it with the peers
#include <charconv>
#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "figures.h"
#include "glovebox/sandbox.h"
#include "python.h"
#include "serve.h"
#include "soak.h"
#include "subject.h"

namespace glovebox::bench {
namespace {

constexpr std::size_t kContextBytes = 10'000'000;
constexpr std::size_t kContextSamples = 5;
constexpr std::size_t kProgramSamples = 3;
constexpr std::chrono::milliseconds kThroughputTime{2'000};

struct Flags {
  bool serve = false;
  bool python = false;
  bool rewind = false;
  std::size_t pool_size = SandboxOptions{}.pool_size;
  std::size_t samples = 200;
  std::size_t soak_runs = 20'000;
  std::string programs = "bench/programs";
};

std::optional<std::string_view> value_of(std::string_view argument, std::string_view flag) {
  if (argument.substr(0, flag.size()) != flag) return std::nullopt;
  return argument.substr(flag.size());
}

bool read_number(std::string_view text, std::size_t& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size();
}

bool read_flag(std::string_view argument, Flags& flags) {
  if (argument == "--serve") return flags.serve = true;
  if (argument == "--python") return flags.python = true;
  if (argument == "--rewind") return flags.rewind = true;
  if (const auto value = value_of(argument, "--pool=")) return read_number(*value, flags.pool_size);
  if (const auto value = value_of(argument, "--samples=")) return read_number(*value, flags.samples);
  if (const auto value = value_of(argument, "--soak=")) return read_number(*value, flags.soak_runs);
  if (const auto value = value_of(argument, "--programs=")) {
    flags.programs = *value;
    return true;
  }
  return false;
}

// A figure that could not be taken says why in its place; the others are still of use.
Figures or_error(Result<Figures> figures) {
  return figures.ok() ? *figures : Figures().add("error", figures.failure().message);
}

Figures throughput_figures(Subject& subject) {
  Figures figures;
  for (const std::size_t concurrency : {1, 8, 64}) {
    figures.add(std::to_string(concurrency), or_error(subject.throughput(concurrency, kThroughputTime)));
  }
  return figures;
}

Figures program_figures(Subject& subject, const std::string& folder) {
  Figures figures;
  for (const char* name : {"sieve", "json", "sort"}) {
    std::ifstream file(folder + "/" + name + ".js");
    const std::string source(std::istreambuf_iterator<char>(file), {});
    figures.add(name, source.empty() ? Figures().add("error", "not found in " + folder)
                                     : or_error(subject.program(source, kProgramSamples)));
  }
  return figures;
}

Result<Figures> measure_everything(const Flags& flags) {
  Figures report;
  {
    auto unpooled = Subject::start({.pool_size = 0});
    if (!unpooled.ok()) return std::move(unpooled).failure();
    report.add("unpooled", or_error(unpooled->sample(flags.samples)));
  }
  auto pooled = Subject::start({.pool_size = flags.pool_size});
  if (!pooled.ok()) return std::move(pooled).failure();
  report.add("memory", or_error(pooled->memory()));
  report.add("pooled", or_error(pooled->sample(flags.samples)));
  report.add("pooled_typescript", or_error(pooled->sample_typescript(flags.samples)));
  report.add("throughput", throughput_figures(*pooled));
  report.add("context_10mb", or_error(pooled->context(kContextBytes, kContextSamples)));
  report.add("programs", program_figures(*pooled, flags.programs));
  report.add("soak", or_error(soak(pooled->sandbox(), flags.soak_runs)));
  return report;
}

int serve_one(const Flags& flags) {
  const Reuse reuse = flags.rewind ? Reuse::kRewind : Reuse::kFresh;
  auto subject = Subject::start({.reuse = reuse, .pool_size = flags.pool_size});
  if (!subject.ok()) {
    std::cout << Figures().add("error", subject.failure().message).json() << std::endl;
    return 1;
  }
  serve(*subject);
  return 0;
}

int print_python(const Flags& flags) {
  std::ifstream file(flags.programs + "/python.py");
  const std::string source(std::istreambuf_iterator<char>(file), {});
  std::cout << or_error(measure_python(flags.samples, source, kProgramSamples)).json() << "\n";
  return 0;
}

int print_everything(const Flags& flags) {
  auto report = measure_everything(flags);
  if (!report.ok()) {
    std::cerr << "glovebox-bench: " << report.failure().message << "\n";
    return 1;
  }
  std::cout << report->json() << "\n";
  return 0;
}

}  // namespace
}  // namespace glovebox::bench

int main(int argc, char** argv) {
  glovebox::bench::Flags flags;
  for (int i = 1; i < argc; ++i) {
    if (!glovebox::bench::read_flag(argv[i], flags)) {
      std::cerr << "glovebox-bench: unknown flag or bad value: " << argv[i] << "\n";
      return 2;
    }
  }
  if (flags.python) return glovebox::bench::print_python(flags);
  return flags.serve ? glovebox::bench::serve_one(flags) : glovebox::bench::print_everything(flags);
}
