#include <boost/json.hpp>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>

#include "privacy/other_texts.h"

namespace glovebox::bench {
namespace {

namespace json = boost::json;

struct Value {
  std::string entity;
  std::size_t begin;
  std::size_t end;
};

struct Marked {
  std::string text;
  std::vector<Value> values;
};

// "call {{PHONE_NUMBER|555 0132}} now", without its marks.
Marked without_marks(std::string_view marked) {
  Marked plain;
  while (!marked.empty()) {
    const std::size_t open = marked.find("{{");
    const std::size_t bar = open == marked.npos ? open : marked.find('|', open);
    const std::size_t close = bar == marked.npos ? bar : marked.find("}}", bar);
    if (close == marked.npos) break;
    plain.text += marked.substr(0, open);
    const std::string_view value = marked.substr(bar + 1, close - bar - 1);
    const std::size_t begin = plain.text.size();
    plain.text += value;
    plain.values.push_back({std::string(marked.substr(open + 2, bar - open - 2)), begin, plain.text.size()});
    marked.remove_prefix(close + 2);
  }
  plain.text += marked;
  return plain;
}

struct Tally {
  int values = 0;
  int gone = 0;   // no letter or digit of it leaves
  int named = 0;  // and it is called what it is
};

struct Seen {
  std::map<std::string, Tally> by_entity;
  std::map<std::string, int> alarms;  // on nothing private
  int texts_with_alarms = 0;
};

void look_at(const privacy::Detector& detector, std::string_view marked, Seen& seen, bool verbose) {
  const Marked plain = without_marks(marked);
  const std::vector<privacy::Finding> findings = detector.scan(plain.text);
  bool alarm = false;
  for (const privacy::Finding& finding : findings) {
    bool right = false;
    for (const Value& value : plain.values) right |= finding.begin < value.end && finding.end > value.begin;
    if (right) continue;
    alarm = true;
    ++seen.alarms[std::string(entity_name(finding.entity))];
    if (verbose)
      std::printf("alarm: %s [%s] in %s\n", std::string(entity_name(finding.entity)).c_str(),
                  plain.text.substr(finding.begin, finding.end - finding.begin).c_str(), plain.text.c_str());
  }
  seen.texts_with_alarms += alarm;
  for (const Value& value : plain.values) {
    std::string left = plain.text;
    bool named = false;
    for (const privacy::Finding& finding : findings) {
      for (std::size_t i = finding.begin; i < finding.end; ++i) left[i] = ' ';
      named |= finding.begin < value.end && finding.end > value.begin && entity_name(finding.entity) == value.entity;
    }
    bool gone = true;
    for (std::size_t i = value.begin; i < value.end; ++i)
      gone &= std::isalnum(static_cast<unsigned char>(left[i])) == 0;
    Tally& of = seen.by_entity[value.entity];
    ++of.values;
    of.gone += gone;
    of.named += gone && named;
    if (!gone && verbose)
      std::printf("leak: %s %s in %s\n", value.entity.c_str(),
                  plain.text.substr(value.begin, value.end - value.begin).c_str(), plain.text.c_str());
  }
}

}  // namespace

int measure_leaks(const privacy::Detector& detector, const std::string& file, bool verbose) {
  std::ifstream stream(file);
  if (!stream) {
    std::fprintf(stderr, "%s cannot be read\n", file.c_str());
    return 2;
  }
  const json::value data = json::parse(std::string{std::istreambuf_iterator<char>(stream), {}});
  Seen in_texts;
  Seen in_harmless;
  for (const json::value& text : data.at("texts").as_array()) look_at(detector, text.as_string(), in_texts, verbose);
  for (const json::value& text : data.at("harmless").as_array())
    look_at(detector, text.as_string(), in_harmless, verbose);
  std::printf("| %s | values | nothing leaves | and called so |\n|---|---|---|---|\n", file.c_str());
  Tally all;
  for (const auto& [entity, of] : in_texts.by_entity) {
    std::printf("| %s | %d | %.3f | %.3f |\n", entity.c_str(), of.values, 1.0 * of.gone / of.values,
                1.0 * of.named / of.values);
    all.values += of.values;
    all.gone += of.gone;
    all.named += of.named;
  }
  std::printf("%zu texts, %d values: %d leave; alarms beside them in %d texts\n", data.at("texts").as_array().size(),
              all.values, all.values - all.gone, in_texts.texts_with_alarms);
  std::printf("alarms in %d of %zu harmless texts:", in_harmless.texts_with_alarms,
              data.at("harmless").as_array().size());
  for (const auto& [entity, times] : in_harmless.alarms) std::printf(" %s %d", entity.c_str(), times);
  std::printf("\n");
  return 0;
}

}  // namespace glovebox::bench
