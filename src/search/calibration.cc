#include "search/calibration.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/try.h"
#include "search/encoder/minilm.h"

namespace glovebox::search {
namespace {

constexpr double kMostCoverage = 0.3;     // a larger share of words adds nothing
constexpr double kClauseDiscount = 0.03;  // a clause comes closer to some tool by accident than the whole request does
constexpr double kPerDistance = 18;       // how quickly uncertainty becomes certainty
constexpr double kTypicalTools = 150;
// The range that was measured.
constexpr double kFewestTools = 10;
constexpr double kMostTools = 5000;

constexpr double kWordsConstant = -2.7;
constexpr double kWordsPerCoverage = 80;

double logistic(double value) {
  return 1.0 / (1.0 + std::exp(-value));
}

struct Pair {
  const char* request;
  const char* tool;
};
constexpr auto kPairs = std::to_array<Pair>({
    {"What will the weather be in Lisbon tomorrow?",
     "weather - get forecast: The forecast of the next days for a city"},
    {"Show me what was committed last week", "git - log: Lists the commits of a branch. Parameters: branch, since"},
    {"Write an email to my landlord about the heating", "mail - send message: Sends an e-mail. Parameters: to, body"},
    {"I want to fly to Tokyo in May", "travel - search flights: Finds flights between two airports on a date"},
    {"How did the shares of Siemens do today?", "finance - quote: The price of a stock and its change today"},
    {"Rename all photos in this folder", "files - move file: Moves or renames a file. Parameters: from, to"},
    {"Play something by Miles Davis", "music - play track: Starts to play a song, an album or an artist"},
    {"Translate this paragraph into Polish", "language - translate: Translates a text from one language to another"},
    {"Which customers have not paid yet?", "database - run query: Executes SQL and returns the rows"},
    {"Draw a red bicycle", "images - generate image: Makes a picture from a description"},
    {"Remind me to call the dentist on Friday",
     "calendar - create event: Adds an appointment. Parameters: title, start"},
    {"Turn off the lights in the kitchen", "home - set device state: Switches lamps and plugs on or off"},
});

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) sum += double{a[i]} * b[i];
  return sum;
}

}  // namespace

Result<CosineScale> measure_scale(Encoder& encoder) {
  if (encoder.model() == tools_minilm().model) return CosineScale();
  return scale_of(GLOVEBOX_TRY(encoder.embed(scale_texts())));
}

std::vector<std::string> scale_texts() {
  std::vector<std::string> texts;
  for (const Pair& pair : kPairs) texts.insert(texts.end(), {pair.request, pair.tool});
  return texts;
}

Result<CosineScale> scale_of(const std::vector<std::vector<float>>& vectors) {
  if (vectors.size() != 2 * kPairs.size())
    return Failure{ErrorCode::kProtocol, "the encoder returned a different number of vectors than texts"};
  double related = 0;
  double unrelated = 0;
  for (std::size_t i = 0; i < kPairs.size(); ++i)
    for (std::size_t j = 0; j < kPairs.size(); ++j)
      (i == j ? related : unrelated) += dot(vectors[2 * i], vectors[2 * j + 1]);
  constexpr double kCount = kPairs.size();
  CosineScale scale;
  scale.is_ours = false;
  scale.related = static_cast<float>(related / kCount);
  scale.unrelated = static_cast<float>(unrelated / (kCount * (kCount - 1)));
  if (!(scale.related > scale.unrelated + 0.01F))
    return Failure{ErrorCode::kInvalidArgument, "the encoder does not tell related texts from others"};
  return scale;
}

double common_cosine(double cosine, const CosineScale& scale) {
  constexpr CosineScale kOurs;
  const double place = (cosine - scale.unrelated) / (scale.related - scale.unrelated);
  return kOurs.unrelated + place * (kOurs.related - kOurs.unrelated);
}

double evidence_of(const Closeness& known, const CosineScale& scale, const MarkConstants& constants) {
  return common_cosine(known.cosine, scale) - (known.is_clause ? kClauseDiscount : 0) +
         constants.per_coverage * std::min(known.coverage, kMostCoverage) -
         constants.per_software * std::max(0.0, known.software - std::max(constants.software_from, known.same));
}

double border_of(double doubt, std::size_t tools, const MarkConstants& constants) {
  const double crowd = std::log(std::clamp(static_cast<double>(tools), kFewestTools, kMostTools) / kTypicalTools);
  return constants.border + doubt * (constants.per_doubt + constants.per_doubt_and_crowd * crowd);
}

double score_of(const Closeness& known, const CosineScale& scale) {
  return logistic(kPerDistance * (evidence_of(known, scale) - border_of(known.doubt, known.tools)));
}

double score_of_words(double coverage) {
  return coverage > 0 ? logistic(kWordsConstant + kWordsPerCoverage * coverage) : 0;
}

}  // namespace glovebox::search
