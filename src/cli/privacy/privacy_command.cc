#include "cli/privacy/privacy_command.h"

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include "base/try.h"
#include "privacy/code_points.h"
#include "privacy/detector.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

struct ScanOptions {
  std::string file = "-";
  std::vector<std::string> entities;
  bool json = false;
};

struct Place {
  privacy::Finding finding;
  std::size_t begin = 0;  // in characters
  std::size_t end = 0;
};

Result<std::string> read_text(const std::string& file) {
  if (file == "-") return std::string{std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return Failure{ErrorCode::kNotFound, file + " cannot be read"};
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) return Failure{ErrorCode::kSystem, file + " cannot be read"};
  return text;
}

Result<privacy::Detector> make_detector(const ScanOptions& options) {
  privacy::DetectorSettings settings;
  settings.entities = privacy::every_entity();
  if (!options.entities.empty()) settings.entities.reset();
  for (const std::string& name : options.entities) {
    const auto entity = privacy::entity_of(name);
    if (!entity) return Failure{ErrorCode::kInvalidArgument, "there is no entity " + name};
    settings.entities.set(static_cast<std::size_t>(*entity));
  }
  return privacy::Detector::make(std::move(settings));
}

// A score is no more precise than two decimals.
std::string rounded_score(double score) {
  char text[16];
  std::snprintf(text, sizeof(text), "%.2f", score);
  return text;
}

void print_places_for_programs(const std::vector<Place>& places) {
  print_json(json_list(places, [](const Place& place) {
    ObjectText out;
    out.text("entity", privacy::entity_name(place.finding.entity)).number("start", place.begin);
    out.number("end", place.end).json("score", rounded_score(place.finding.score));
    return out.text_if("kind", place.finding.kind).done();
  }));
}

// Values are not shown: other people may see the screen.
void print_places_for_people(const std::vector<Place>& places) {
  for (const Place& place : places) {
    std::string line = std::to_string(place.begin) + "-" + std::to_string(place.end) + "\t" +
                       std::string(privacy::entity_name(place.finding.entity)) + "\t" +
                       rounded_score(place.finding.score);
    if (!place.finding.kind.empty()) line += "\t" + std::string(place.finding.kind);
    print_line(line);
  }
  print_note(places.empty() ? "Nothing was found." : std::to_string(places.size()) + " found.");
}

int run_scan(const ScanOptions& options) {
  const auto detector = make_detector(options);
  if (!detector) return fail_usage(detector.failure().message, options.json);
  const auto text = read_text(options.file);
  if (!text) return fail_usage(text.failure().message, options.json);
  std::vector<Place> places;
  privacy::CodePointCounter count(text.value());
  for (const privacy::Finding& finding : detector->scan(text.value())) {
    const std::size_t begin = count.before(finding.begin);
    places.push_back({finding, begin, count.before(finding.end)});
  }
  options.json ? print_places_for_programs(places) : print_places_for_people(places);
  return kOk;
}

}  // namespace

void add_privacy_command(Command& app) {
  const auto options = std::make_shared<ScanOptions>();
  Command* command = app.add_subcommand("privacy", "Find private data and secrets in a text (see docs/privacy.md)");
  command->require_subcommand();
  Command* scan = command->add_subcommand("scan", "Print what is found and where, with offsets in characters");
  scan->add_option("file", options->file, "The text; - reads standard input")->type_name("FILE");
  scan->add_option("--entities", options->entities, "Only these, separated by commas; by default all")
      ->separated_by(',')
      ->one_at_a_time()
      ->type_name("NAMES");
  scan->add_flag("--json", options->json, "Print [{entity, start, end, score}]");
  scan->runs([options] { return run_scan(*options); });
}

}  // namespace glovebox::cli
