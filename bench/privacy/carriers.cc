#include <boost/json.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "privacy/other_texts.h"

namespace glovebox::bench {
namespace {

namespace json = boost::json;
constexpr int kNumbersPerCarrier = 40;

struct Figures {
  int expected = 0;
  int right = 0;    // nine tenths of its place, and called a telephone
  int covered = 0;  // no digit of it leaves, whatever it is called
  int wrong = 0;    // a telephone elsewhere
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

void look_at(const privacy::Detector& detector, const std::string& text, std::size_t begin, std::size_t end,
             Figures& figures, bool verbose) {
  std::string left = text;
  bool right = false;
  for (const privacy::Finding& finding : detector.scan(text)) {
    for (std::size_t i = finding.begin; i < finding.end; ++i) left[i] = '_';
    if (finding.entity != privacy::Entity::kPhone) continue;
    const double common =
        static_cast<double>(std::min(end, finding.end)) - static_cast<double>(std::max(begin, finding.begin));
    const auto both = static_cast<double>(std::max(end, finding.end) - std::min(begin, finding.begin));
    if (common / both >= 0.9) {
      right = true;
    } else {
      ++figures.wrong;
      if (verbose)
        std::printf("wrong: %s in %s\n", text.substr(finding.begin, finding.end - finding.begin).c_str(), text.c_str());
    }
  }
  if (begin == end) return;
  ++figures.expected;
  figures.right += right;
  bool covered = true;
  for (std::size_t i = begin; i < end; ++i) covered &= !is_digit(left[i]);
  figures.covered += covered;
  if (!right && verbose) std::printf("missed%s: %s\n", covered ? " (covered)" : "", text.c_str());
}

}  // namespace

int measure_carriers(const privacy::Detector& detector, const std::string& file, bool verbose) {
  std::ifstream stream(file);
  if (!stream) {
    std::fprintf(stderr, "%s cannot be read\n", file.c_str());
    return 2;
  }
  const json::value data = json::parse(std::string{std::istreambuf_iterator<char>(stream), {}});
  const json::array& numbers = data.at("numbers").as_array();
  std::mt19937 random(5);
  Figures all;
  std::map<std::string, Figures> by_carrier;
  for (const json::value& carrier : data.at("carriers").as_array()) {
    const std::string sentence(carrier.as_string());
    const std::size_t place = sentence.find("{}");
    Figures& of = by_carrier[sentence];
    for (int i = 0; i < kNumbersPerCarrier; ++i) {
      const std::string number(numbers[random() % numbers.size()].as_string());
      const std::string text = sentence.substr(0, place) + number + sentence.substr(place + 2);
      look_at(detector, text, place, place + number.size(), of, verbose);
    }
    all.expected += of.expected;
    all.right += of.right;
    all.covered += of.covered;
    all.wrong += of.wrong;
  }
  int alarms = 0;
  for (const json::value& text : data.at("harmless").as_array()) {
    Figures of;
    look_at(detector, std::string(text.as_string()), 0, 0, of, verbose);
    alarms += of.wrong > 0;
  }
  const auto share = [](int part, int whole) { return whole == 0 ? 0.0 : static_cast<double>(part) / whole; };
  std::printf("PHONE_NUMBER in %zu sentences of %s, %d numbers in each:\n", by_carrier.size(), file.c_str(),
              kNumbersPerCarrier);
  std::printf("precision %.3f, recall %.3f, nothing of it leaves %.3f; alarms in %d of %zu harmless sentences\n",
              share(all.right, all.right + all.wrong + alarms), share(all.right, all.expected),
              share(all.covered, all.expected), alarms, data.at("harmless").as_array().size());
  if (verbose)
    for (const auto& [sentence, of] : by_carrier)
      std::printf("%3d of %d  %s\n", of.right, of.expected, sentence.c_str());
  return 0;
}

}  // namespace glovebox::bench
