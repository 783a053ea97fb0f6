#include "observe/metrics.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text/utf8.h"

namespace glovebox::observe {
namespace {

// Of one label's value: names of servers and tools are shorter, and longer ones are not meant seriously.
constexpr std::size_t kMostLabelBytes = 128;

void append_number(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "NaN";
  } else if (std::isinf(value)) {
    out += value < 0 ? "-Inf" : "+Inf";
  } else {
    char text[400];
    // 300000, not 3e+05: people read it too.
    const auto [end, wrong] = std::abs(value) < 1e15
                                  ? std::to_chars(text, text + sizeof text, value, std::chars_format::fixed)
                                  : std::to_chars(text, text + sizeof text, value);
    out.append(text, wrong == std::errc() ? end : text);
  }
}

// As the format requires: a backslash before backslashes and quotes, and
// \n for a line break. Other control characters are dropped.
void append_escaped(std::string& out, std::string_view text, bool quotes) {
  for (const char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '"' && quotes) {
      out += "\\\"";
    } else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
      out += c;
    }
  }
}

}  // namespace

void Family::print_head(std::string& out, const char* type) const {
  out += "# HELP " + spec_.name + " ";
  append_escaped(out, spec_.help, false);
  out += "\n# TYPE " + spec_.name + " " + type + "\n";
}

void Family::print_series(std::string& out, std::string_view suffix, const LabelValues& values, std::string_view le,
                          double value) const {
  out += spec_.name;
  out += suffix;
  char before = '{';
  const auto label = [&](std::string_view name, std::string_view text) {
    out += before;
    out += name;
    out += "=\"";
    append_escaped(out, text, true);
    out += '"';
    before = ',';
  };
  for (std::size_t i = 0; i < values.size(); ++i) label(spec_.labels[i], values[i]);
  if (!le.empty()) label("le", le);
  if (before == ',') out += '}';
  out += ' ';
  append_number(out, value);
  out += '\n';
}

template <typename Series>
Series& Family::series_of(std::map<LabelValues, Series>& all, const LabelValues& values, const Series& fresh) const {
  if (const auto known = all.find(values); known != all.end()) return known->second;
  LabelValues wanted = values;
  wanted.resize(spec_.labels.size());
  for (std::string& value : wanted) value = std::string(base::beginning_of(value, kMostLabelBytes));
  if (all.size() >= spec_.most_series && !all.contains(wanted)) wanted.assign(spec_.labels.size(), kOtherLabel);
  return all.try_emplace(wanted, fresh).first->second;
}

Counter::Counter(FamilySpec spec) : Family(std::move(spec)) {
  if (spec_.labels.empty()) series_[{}] = 0;
}

void Counter::add(const LabelValues& values, double amount) {
  const std::lock_guard lock(mutex_);
  if (amount > 0) series_of(series_, values, 0.0) += amount;
}

void Counter::set(double total) {
  const std::lock_guard lock(mutex_);
  series_of(series_, {}, 0.0) = total;
}

double Counter::value(const LabelValues& values) const {
  const std::lock_guard lock(mutex_);
  const auto found = series_.find(values);
  return found == series_.end() ? 0 : found->second;
}

double Counter::total() const {
  const std::lock_guard lock(mutex_);
  double sum = 0;
  for (const auto& [values, value] : series_) sum += value;
  return sum;
}

void Counter::print(std::string& out) const {
  const std::lock_guard lock(mutex_);
  print_head(out, "counter");
  for (const auto& [values, value] : series_) print_series(out, "", values, "", value);
}

void Gauge::set(double value, const LabelValues& values) {
  const std::lock_guard lock(mutex_);
  series_of(series_, values, 0.0) = value;
}

void Gauge::clear() {
  const std::lock_guard lock(mutex_);
  series_.clear();
}

double Gauge::value(const LabelValues& values) const {
  const std::lock_guard lock(mutex_);
  const auto found = series_.find(values);
  return found == series_.end() ? 0 : found->second;
}

void Gauge::print(std::string& out) const {
  const std::lock_guard lock(mutex_);
  print_head(out, "gauge");
  for (const auto& [values, value] : series_) print_series(out, "", values, "", value);
}

Histogram::Histogram(FamilySpec spec, std::vector<double> bounds)
    : Family(std::move(spec)), bounds_(std::move(bounds)) {
  if (spec_.labels.empty()) series_[{}] = {std::vector<std::uint64_t>(bounds_.size() + 1), 0, 0};
}

void Histogram::observe(double value, const LabelValues& values) {
  if (std::isnan(value)) return;
  const auto bucket =
      static_cast<std::size_t>(std::lower_bound(bounds_.begin(), bounds_.end(), value) - bounds_.begin());
  const std::lock_guard lock(mutex_);
  Series& series = series_of(series_, values, Series{std::vector<std::uint64_t>(bounds_.size() + 1), 0, 0});
  ++series.buckets[bucket];
  ++series.count;
  series.sum += value;
}

std::uint64_t Histogram::count(const LabelValues& values) const {
  const std::lock_guard lock(mutex_);
  const auto found = series_.find(values);
  return found == series_.end() ? 0 : found->second.count;
}

void Histogram::print(std::string& out) const {
  const std::lock_guard lock(mutex_);
  print_head(out, "histogram");
  for (const auto& [values, series] : series_) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < bounds_.size(); ++i) {
      sum += series.buckets[i];
      std::string bound;
      append_number(bound, bounds_[i]);
      print_series(out, "_bucket", values, bound, static_cast<double>(sum));
    }
    print_series(out, "_bucket", values, "+Inf", static_cast<double>(series.count));
    print_series(out, "_sum", values, "", series.sum);
    print_series(out, "_count", values, "", static_cast<double>(series.count));
  }
}

template <typename Made>
Made& Registry::keep(std::unique_ptr<Made> family) {
  Made& made = *family;
  const std::lock_guard lock(mutex_);
  families_.push_back(std::move(family));
  return made;
}

Counter& Registry::counter(FamilySpec spec) {
  return keep(std::make_unique<Counter>(std::move(spec)));
}

Gauge& Registry::gauge(FamilySpec spec) {
  return keep(std::make_unique<Gauge>(std::move(spec)));
}

Histogram& Registry::histogram(FamilySpec spec, std::vector<double> bounds) {
  return keep(std::make_unique<Histogram>(std::move(spec), std::move(bounds)));
}

std::string Registry::text() const {
  const std::lock_guard lock(mutex_);
  std::string out;
  for (const auto& family : families_) family->print(out);
  return out;
}

std::vector<std::string> Registry::names() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& family : families_) names.push_back(family->spec().name);
  return names;
}

}  // namespace glovebox::observe
