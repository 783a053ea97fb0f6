// Counters, gauges and histograms, with labels whose number is bounded, as Prometheus reads them.
//
// Every member may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::observe {

using LabelValues = std::vector<std::string>;

// Replaces all labels beyond a family's bound, so that a client that makes up names costs only one more line.
inline constexpr const char* kOtherLabel = "other";

struct FamilySpec {
  std::string name;
  std::string help;
  std::vector<std::string> labels{};
  std::size_t most_series = 64;  // beyond them, all labels are kOtherLabel
};

class Family {
 public:
  explicit Family(FamilySpec spec) : spec_(std::move(spec)) {}
  virtual ~Family() = default;
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  const FamilySpec& spec() const { return spec_; }
  // `# HELP`, `# TYPE` and a line for each series.
  virtual void print(std::string& out) const = 0;

 protected:
  void print_head(std::string& out, const char* type) const;
  void print_series(std::string& out, std::string_view suffix, const LabelValues& values, std::string_view le,
                    double value) const;
  // The series to use for these labels, given the existing ones.
  template <typename Series>
  Series& series_of(std::map<LabelValues, Series>& all, const LabelValues& values, const Series& fresh) const;

  FamilySpec spec_;
  mutable std::mutex mutex_;
};

class Counter final : public Family {
 public:
  // A counter without labels exists from the start, with zero: a rate needs a first value.
  explicit Counter(FamilySpec spec);
  void add(const LabelValues& values = {}, double amount = 1);
  // For a count that is kept elsewhere.
  void set(double total);
  double value(const LabelValues& values = {}) const;
  double total() const;
  void print(std::string& out) const override;

 private:
  std::map<LabelValues, double> series_;
};

class Gauge final : public Family {
 public:
  using Family::Family;
  void set(double value, const LabelValues& values = {});
  // Series that are not set again disappear, since what they described is gone.
  void clear();
  double value(const LabelValues& values = {}) const;
  void print(std::string& out) const override;

 private:
  std::map<LabelValues, double> series_;
};

class Histogram final : public Family {
 public:
  Histogram(FamilySpec spec, std::vector<double> bounds);
  void observe(double value, const LabelValues& values = {});
  std::uint64_t count(const LabelValues& values = {}) const;
  void print(std::string& out) const override;

 private:
  struct Series {
    std::vector<std::uint64_t> buckets;  // not cumulative; the last is beyond all bounds
    std::uint64_t count = 0;
    double sum = 0;
  };
  std::vector<double> bounds_;
  std::map<LabelValues, Series> series_;
};

class Registry {
 public:
  Counter& counter(FamilySpec spec);
  Gauge& gauge(FamilySpec spec);
  Histogram& histogram(FamilySpec spec, std::vector<double> bounds);
  // All of it in Prometheus' text format, in the order of creation.
  std::string text() const;
  std::vector<std::string> names() const;

 private:
  template <typename Made>
  Made& keep(std::unique_ptr<Made> family);
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Family>> families_;
};

// Content-Type of text().
inline constexpr const char* kPrometheusText = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace glovebox::observe
