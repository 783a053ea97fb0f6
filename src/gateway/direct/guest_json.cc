#include "gateway/direct/guest_json.h"

#include <boost/json.hpp>
#include <boost/json/basic_parser_impl.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "base/text/json_text.h"
#include "wire/limits.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

bool is_small_integer(double number) {
  return number >= INT32_MIN && number <= INT32_MAX && number == std::trunc(number);
}

// A number that JSON does not have is written as null.
void append_guest_number(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  char digits[32];
  char* const end = digits + sizeof digits;
  const auto written = is_small_integer(number)  ? std::to_chars(digits, end, static_cast<std::int32_t>(number))
                       : std::abs(number) < 1e18 ? std::to_chars(digits, end, number)
                                                 : std::to_chars(digits, end, number, std::chars_format::scientific);
  out.append(digits, static_cast<std::size_t>(written.ptr - digits));
}

// Writes what the parser reports. Numbers are read from their text: the parser's own are not exact to the last digit.
class GuestWriter {
 public:
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  explicit GuestWriter(std::string& out) : out_(out) {}

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code&) { return literal("{"); }
  bool on_object_end(std::size_t, json::error_code&) { return put('}'); }
  bool on_array_begin(json::error_code&) { return literal("["); }
  bool on_array_end(std::size_t, json::error_code&) { return put(']'); }
  bool on_key_part(json::string_view part, std::size_t, json::error_code&) { return collect(part); }
  bool on_key(json::string_view part, std::size_t, json::error_code&) { return string(part) && put(':'); }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) { return collect(part); }
  bool on_string(json::string_view part, std::size_t, json::error_code&) { return string(part); }
  bool on_number_part(json::string_view part, json::error_code&) { return collect(part); }
  bool on_int64(std::int64_t value, json::string_view, json::error_code&) { return number(static_cast<double>(value)); }
  bool on_uint64(std::uint64_t value, json::string_view, json::error_code&) {
    return number(static_cast<double>(value));
  }
  bool on_double(double about, json::string_view part, json::error_code&) {
    collect(part);
    double exact = 0;
    const auto read = std::from_chars(text_.data(), text_.data() + text_.size(), exact);
    if (read.ec == std::errc::result_out_of_range) exact = std::abs(about) > 1 ? HUGE_VAL : 0;
    return number(exact);
  }
  bool on_bool(bool value, json::error_code&) { return literal(value ? "true" : "false"); }
  bool on_null(json::error_code&) { return literal("null"); }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

  bool number(double value) {
    separate();
    append_guest_number(out_, value);
    text_.clear();
    return true;
  }

 private:
  bool put(char c) {
    out_ += c;
    return true;
  }
  bool collect(json::string_view part) {
    text_.append(part.data(), part.size());
    return true;
  }
  void separate() {
    if (!is_first_ && std::string_view("{[:").find(out_.back()) == std::string_view::npos) out_ += ',';
    is_first_ = false;
  }
  bool literal(std::string_view text) {
    separate();
    out_ += text;
    return true;
  }
  bool string(json::string_view last_part) {
    separate();
    // Most come in one part.
    const bool is_whole = text_.empty();
    if (!is_whole) collect(last_part);
    base::append_json_string(out_, is_whole ? std::string_view(last_part.data(), last_part.size()) : text_);
    text_.clear();
    return true;
  }

  std::string& out_;
  std::string text_;  // of the current key, string or number
  bool is_first_ = true;
};

// As the parser reports it.
void report(GuestWriter& writer, const json::value& value) {
  json::error_code none;
  if (const json::object* members = value.if_object()) {
    writer.on_object_begin(none);
    for (const auto& member : *members) {
      writer.on_key(member.key(), 0, none);
      report(writer, member.value());
    }
    writer.on_object_end(0, none);
  } else if (const json::array* items = value.if_array()) {
    writer.on_array_begin(none);
    for (const json::value& item : *items) report(writer, item);
    writer.on_array_end(0, none);
  } else if (const json::string* text = value.if_string()) {
    writer.on_string(*text, 0, none);
  } else if (value.is_number()) {
    writer.number(value.to_number<double>());
  } else if (const bool* flag = value.if_bool()) {
    writer.on_bool(*flag, none);
  } else {
    writer.on_null(none);
  }
}

}  // namespace

GuestReading write_as_guest(std::string_view json, std::string& out) {
  json::parse_options options;
  options.max_depth = wire::kMaxValueDepth;
  json::basic_parser<GuestWriter> parser(options, out);
  json::error_code error;
  const std::size_t used = parser.write_some(false, json.data(), json.size(), error);
  if (error == json::error::too_deep) return GuestReading::kTooDeep;
  return error || used != json.size() ? GuestReading::kUnreadable : GuestReading::kWritten;
}

void write_tree_as_guest(const json::value& tree, std::string& out) {
  GuestWriter writer(out);
  report(writer, tree);
}

}  // namespace glovebox::gateway
