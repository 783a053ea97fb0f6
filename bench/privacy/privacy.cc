// How well private data is found in texts with right answers, how often it is found where there is none, and how fast.
//   glovebox-bench-privacy TEXTS.json [-v]
//   glovebox-bench-privacy phones SENTENCES.json [-v]
//   glovebox-bench-privacy leaks TEXTS.json [-v]
//   glovebox-bench-privacy lines [-v] PATH…
#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "privacy/code_points.h"
#include "privacy/detector.h"
#include "privacy/filter.h"
#include "privacy/other_texts.h"

namespace {

namespace json = boost::json;
using glovebox::privacy::Detector;
using glovebox::privacy::Finding;

struct Span {
  std::string entity;
  std::size_t begin;
  std::size_t end;
};

struct Figures {
  int expected = 0;
  int found = 0;
  int right = 0;
  int false_alarms = 0;  // on texts that hold nothing
};

std::vector<Span> scan(const Detector& detector, std::string_view text) {
  std::vector<Span> spans;
  glovebox::privacy::CodePointCounter count(text);
  for (const Finding& finding : detector.scan(text)) {
    const std::size_t begin = count.before(finding.begin);
    spans.push_back({std::string(entity_name(finding.entity)), begin, count.before(finding.end)});
  }
  return spans;
}

// Nine tenths in common: the measure that the data's own project uses.
bool same(const Span& a, const Span& b) {
  if (a.entity != b.entity) return false;
  const double common = static_cast<double>(std::min(a.end, b.end)) - static_cast<double>(std::max(a.begin, b.begin));
  const double both = static_cast<double>(std::max(a.end, b.end) - std::min(a.begin, b.begin));
  return common / both >= 0.9;
}

std::string random_of(std::mt19937& random, std::string_view alphabet, int size) {
  std::string text;
  for (int i = 0; i < size; ++i) text += alphabet[random() % alphabet.size()];
  return text;
}

// Numbers that look personal and are not.
std::vector<std::string> hard_negatives() {
  std::mt19937 random(7);
  std::vector<std::string> texts;
  const auto digits = [&](int n) { return random_of(random, "0123456789", n); };
  const auto hex = [&](int n) { return random_of(random, "0123456789abcdef", n); };
  const auto number = [&](int most) { return std::to_string(random() % static_cast<unsigned>(most)); };
  for (int i = 0; i < 100; ++i) {
    // 16 digits that begin with 9, as hardly any payment card does: every tenth passes the checksum at random.
    std::string order = "9" + digits(15);
    texts.push_back("Your order number is " + order + ", thank you.");
    texts.push_back("Upgrade from version " + number(20) + "." + number(40) + "." + number(90) + "." + number(200) +
                    " first.");
    texts.push_back("user agent Chrome/" + number(140) + ".0." + number(200) + "." + number(200) + " on Linux");
    texts.push_back("commit " + hex(40) + " and sha256:" + hex(64));
    texts.push_back("id=" + hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12));
    texts.push_back("ISBN 978-" + digits(1) + "-" + digits(4) + "-" + digits(4) + "-" + digits(1));
    texts.push_back("at 17" + digits(8) + " and 17" + digits(11) + " ms");
    texts.push_back("2024-0" + std::to_string(1 + random() % 9) + "-1" + digits(1) + "T0" + digits(1) + ":1" +
                    digits(1) + ":2" + digits(1) + "." + digits(3) + "Z");
    texts.push_back("total 1" + digits(1) + "." + digits(6) + ", ratio 0." + digits(12) + ", sum " + digits(3) + "," +
                    digits(3));
    texts.push_back("build " + digits(8) + " took " + number(5000) + " ms, " + number(100000) + " bytes at 0x" +
                    hex(12));
    texts.push_back("size " + number(2000) + "x" + number(2000) + " page " + number(500) + "-" + number(500));
    texts.push_back("std::chrono::seconds(" + number(100) + ") and a::b::c, icon@2x.png, lodash@4.17." + number(30));
  }
  return texts;
}

double megabytes_per_second(const Detector& detector, const std::string& text) {
  const std::clock_t begin = std::clock();
  std::size_t bytes = 0;
  do {
    if (detector.scan(text).size() == static_cast<std::size_t>(-1)) return 0;
    bytes += text.size();
  } while (std::clock() - begin < CLOCKS_PER_SEC / 4);
  return static_cast<double>(bytes) / 1e6 / (static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
}

std::string repeated(std::string_view part, std::size_t size) {
  std::string text;
  while (text.size() < size) text += part;
  return text;
}

// Sentences, JSON, code, a log and a table, as an agent gets them.
std::string mixed(const std::string& sentences, const std::string& json_text) {
  std::string text = sentences.substr(0, 32768) + json_text.substr(0, 32768);
  for (int i = 0; i < 150; ++i) {
    const std::string n = std::to_string(i);
    text += "2026-11-17T12:" + std::to_string(10 + i % 50) + ":07.123Z INFO  [worker-" + n + "] GET /api/v1/items/" +
            n + "?page=2 200 in 12 ms, 10." + n + ".0.7:8080, trace 4bf92f3577b34da6a3ce929d0e0e4736\n";
    text += "  const total" + n + " = await mcp.shop.orders({ customer: id, since: '2026-01-" +
            std::to_string(10 + i % 20) + "', limit: 100 }); // " + n + " of them\n";
    text +=
        n + ",Ines Duarte,user" + n + "@example.com,+351 912 672 " + std::to_string(100 + i) + ",Lisboa,active,12.50\n";
    text += R"({"id":)" + n + R"(,"status":"open","labels":["bug","p1"],"url":"https://example.com/i/)" + n + "\"}\n";
  }
  return text;
}

// What bench/privacy/cost.mjs measures in a gateway, without the gateway: an answer whose text is made from its JSON.
double answer_microseconds(bool addresses) {
  std::string records;
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    const std::string mail = addresses ? R"(,"mail":"user)" + n + R"(@example.com")" : R"(,"name":"entry)" + n + '"';
    records += (i > 0 ? "," : "") + (R"({"id":)" + n + mail + R"(,"text":"row )" + n +
                                     " of run 7, with nothing in it that anybody would mind\"}");
  }
  records = "[" + records + "]";
  const std::string head = R"({"content":[{"type":"text","text":")";
  const std::string middle = R"("}],"structuredContent":{"result":)";
  const std::string answer = head + middle + records + "}}";
  const std::size_t value = head.size() + middle.size();
  const glovebox::base::TwiceSaid places{head.size(), value, value + records.size()};
  const glovebox::privacy::Filter filter(std::make_shared<Detector>(),
                                         std::make_shared<glovebox::privacy::TokenVault>(),
                                         glovebox::privacy::Mode::kTokenize);
  constexpr int kTimes = 5000;
  const std::clock_t begin = std::clock();
  for (int i = 0; i < kTimes; ++i) (void)filter.json_said_twice(answer, places);
  return 1e6 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / kTimes;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool verbose = std::erase(words, "-v") > 0;
  const std::string what = words.empty() ? "" : words[0];
  // As an agent's answers are filtered: hosts of URLs do not count as private.
  if (what == "phones" && words.size() == 2) return glovebox::bench::measure_carriers(Detector(), words[1], verbose);
  if (what == "leaks" && words.size() == 2) return glovebox::bench::measure_leaks(Detector(), words[1], verbose);
  if (what == "lines" && words.size() > 1)
    return glovebox::bench::measure_real_lines(Detector(), {words.begin() + 1, words.end()}, verbose);
  std::ifstream file(what);
  if (!file || words.size() != 1) {
    std::fprintf(
        stderr,
        "usage: glovebox-bench-privacy [-v] TEXTS.json | phones SENTENCES.json | leaks TEXTS.json | lines PATH...\n");
    return 2;
  }
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  const json::value texts = json::parse(content);
  glovebox::privacy::DetectorSettings settings;
  settings.entities = glovebox::privacy::every_entity();
  const Detector detector = std::move(Detector::make(settings)).value();

  const std::set<std::string> in_scope = {"EMAIL_ADDRESS", "CREDIT_CARD",  "IBAN_CODE",  "US_SSN",
                                          "IP_ADDRESS",    "PHONE_NUMBER", "DOMAIN_NAME"};
  std::map<std::string, Figures> figures;
  std::string corpus;
  for (const json::value& entry : texts.as_array()) {
    const std::string text(entry.at("full_text").as_string());
    corpus += text + "\n";
    std::vector<Span> expected;
    for (const json::value& span : entry.at("spans").as_array()) {
      const std::string entity(span.at("entity_type").as_string());
      if (in_scope.count(entity) == 0) continue;
      expected.push_back({entity, static_cast<std::size_t>(span.at("start_position").as_int64()),
                          static_cast<std::size_t>(span.at("end_position").as_int64())});
      ++figures[entity].expected;
    }
    std::vector<bool> taken(expected.size());
    for (const Span& found : scan(detector, text)) {
      Figures& of = figures[found.entity];
      ++of.found;
      bool right = false;
      for (std::size_t i = 0; i < expected.size() && !right; ++i)
        if (!taken[i] && same(found, expected[i])) right = taken[i] = true;
      of.right += right;
      if (!right && verbose)
        std::printf("false: %s %zu-%zu in %s\n", found.entity.c_str(), found.begin, found.end,
                    json::serialize(json::value(text)).c_str());
    }
    for (std::size_t i = 0; verbose && i < expected.size(); ++i)
      if (!taken[i])
        std::printf("missed: %s %zu-%zu in %s\n", expected[i].entity.c_str(), expected[i].begin, expected[i].end,
                    json::serialize(json::value(text)).c_str());
  }
  int negatives = 0;
  for (const std::string& text : hard_negatives()) {
    ++negatives;
    for (const Span& found : scan(detector, text)) {
      ++figures[found.entity].false_alarms;
      if (verbose) std::printf("alarm: %s %zu-%zu in %s\n", found.entity.c_str(), found.begin, found.end, text.c_str());
    }
  }

  std::printf("| entity | in the texts | precision | recall | with hard negatives |\n|---|---|---|---|---|\n");
  for (const auto& [entity, of] : figures) {
    const auto share = [](int part, int whole) { return whole == 0 ? 0.0 : static_cast<double>(part) / whole; };
    std::printf("| %s | %d | %.3f | %.3f | %.3f |\n", entity.c_str(), of.expected, share(of.right, of.found),
                share(of.right, of.expected), share(of.right, of.found + of.false_alarms));
  }
  std::printf(
      "\n%d hard negatives: order numbers, versions, hashes, UUIDs, ISBNs, times, decimals, names in programs\n\n",
      negatives);

  std::printf("| text | MB/s of CPU time, 1 MB | 4 MB | time of 4 MB / time of 1 MB |\n|---|---|---|---|\n");
  const std::map<std::string, std::string> kinds = {
      {"the texts", corpus},
      {"mixed", mixed(corpus, content)},
      {"JSON", content.substr(0, 4096)},
      {"letters", "a"},
      {"digits", "4"},
      {"digits and spaces", "4 1 1 "},
      {"groups of four", "4111 "},
      {"at signs", "a@"},
      {"points", "a@b."},
      {"brackets", "(1"},
      {"colons", "a:1::"},
      {"secrets' keys", "password="},
      {"base64", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo"},
      {"base64 of base64", "VVVwR1JFVkdSMGhKU2t0TVRVNVBVRkZTVTFSVlZsZFlXVm8"},
      {"lines", "call 415 555\n"},
      {"lists", "\"a1\",\"b2\","},
      {"percents", "%34%D9%A4"},
      {"look-alike digits", "\xd9\xa4\xe2\x80\x8b"},
      {"escapes", "\\u0034"},
      {"wallets", "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3 "},
      {"bank accounts", "GB56HXDO88167774656118 "},
      {"tags", "a1<b>@</b>x "},
      {"columns", "a,password\nb,c\n"},
      {"purposes", "password for the "},
      {"cells", "<td>password</td>"},
      {"names of codes", "pin code 12 "},
      {"logins", "user bob, "},
      {"commands", "echo net use "},
      {"stated words", "password is swordfishes "},
      {"emphasis", "1**1 "},
      {"quoted lines", "1\n> > "},
      {"private keys", "-----BEGIN PRIVATE KEY-----"},
  };
  for (const auto& [name, part] : kinds) {
    const double small = megabytes_per_second(detector, repeated(part, 1 << 20));
    const double large = megabytes_per_second(detector, repeated(part, 4 << 20));
    std::printf("| %s | %.0f | %.0f | %.1f |\n", name.c_str(), small, large, 4 * small / large);
  }
  std::printf(
      "\nan answer of execute_code, 40 records as JSON and as text: %.0f µs of CPU time, with an address in each %.0f "
      "µs\n",
      answer_microseconds(false), answer_microseconds(true));
  return 0;
}
