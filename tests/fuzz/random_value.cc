#include "random_value.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>

namespace glovebox::fuzz {
namespace {

bool is_high(char16_t unit) {
  return unit >= 0xd800 && unit <= 0xdbff;
}
bool is_low(char16_t unit) {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3f));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  }
}

bool is_plain_name(const std::string& key) {
  if (key.empty() || (key[0] >= '0' && key[0] <= '9')) return false;
  for (const char c : key) {
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$'))
      return false;
  }
  return true;
}

// Nothing needs an escape here: refused() chooses its keys.
std::string step_to(const std::string& key) {
  return is_plain_name(key) ? "." + key : "[\"" + key + "\"]";
}

struct Culprit {
  const char* source;
  const char* what;
  bool thrown;
};
constexpr Culprit kCulprits[] = {
    {"(x) => x", "a function", false},
    {"class {}", "a function", false},
    {"Symbol('s')", "a symbol", false},
    {"10n", "a BigInt", false},
    {"new WeakMap()", "a weak collection", false},
    {"new Uint8Array(2)", "a typed array", false},
    {"new DataView(new ArrayBuffer(2))", "a typed array", false},
    {"new ArrayBuffer(2)", "an ArrayBuffer", false},
    {"Promise.resolve(1)", "a Promise", false},
    {"/x/", "a RegExp", false},
    {"(function* () {})()", "a generator", false},
    {"Object(1n)", "a boxed primitive", false},
    {"{ toJSON() { return () => 1 } }", "a function", false},
    {"{ toJSON() { throw new Error('from toJSON') } }", "from toJSON", true},
    {"{ get x() { throw new Error('from a getter') } }", "from a getter", true},
    {"new Proxy({}, { ownKeys() { throw new Error('from a trap') } })", "from a trap", true},
    {"new Proxy({}, { get() { throw new Error('from a get trap') } })", "from a get trap", true},
    {"(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()", "has been revoked",
     true},
};

}  // namespace

std::string utf8_of(const std::u16string& units) {
  std::string out;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (is_high(units[i]) && i + 1 < units.size() && is_low(units[i + 1])) {
      append_utf8(out, 0x10000 + ((units[i] - 0xd800u) << 10) + (units[i + 1] - 0xdc00u));
      ++i;
    } else {
      append_utf8(out, is_high(units[i]) || is_low(units[i]) ? 0xfffd : units[i]);
    }
  }
  return out;
}

std::string literal_of(const std::u16string& units) {
  std::string out = "'";
  char escaped[8];
  for (const char16_t unit : units) {
    if (unit >= 0x20 && unit < 0x7f && unit != '\'' && unit != '\\') {
      out += static_cast<char>(unit);
    } else {
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(unit));
      out += escaped;
    }
  }
  return out + "'";
}

std::u16string ValueGenerator::random_units(std::size_t longest) {
  // Quotes and controls; line separators; surrogates, alone or in accidental pairs; noncharacters.
  static constexpr char16_t kNastyUnits[] = {u'"',   u'\\',  u'\n',  0,      0x7f,   0x85, 0x2028, 0xd800,
                                             0xdc00, 0xd83d, 0xde00, 0xfeff, 0xffff, u'/', u'<',   u'\''};
  std::u16string units(below(longest + 1), u' ');
  const auto kind = below(4);
  for (char16_t& unit : units) {
    switch (kind) {
      case 0: unit = static_cast<char16_t>(' ' + below(95)); break;
      case 1: unit = static_cast<char16_t>(below(0x100)); break;
      case 2: unit = static_cast<char16_t>(below(0x10000)); break;
      default: unit = kNastyUnits[below(std::size(kNastyUnits))];
    }
  }
  return units;
}

std::u16string ValueGenerator::random_key() {
  static constexpr const char16_t* kNasty[] = {u"__proto__", u"constructor", u"toString",   u"length", u"0", u"42",
                                               u"-1",        u"1.5",         u"4294967295", u"",       u" ", u"a.b",
                                               u"[0]",       u"then",        u"result",     u"frame"};
  return chance(30) ? kNasty[below(std::size(kNasty))] : random_units(12);
}

RandomValue ValueGenerator::number() {
  double number = 0;
  switch (below(5)) {
    case 0: number = static_cast<double>(static_cast<std::int64_t>(below(2001)) - 1000); break;
    case 1: number = static_cast<double>(static_cast<std::int32_t>(random_())); break;
    case 2: number = static_cast<double>(static_cast<std::int64_t>(random_())); break;
    case 3: {  // any bit pattern
      const std::uint64_t bits = random_();
      std::memcpy(&number, &bits, sizeof number);
      break;
    }
    default: {
      static constexpr double kNasty[] = {0,
                                          -0.0,
                                          0.1,
                                          1e21,
                                          1e20,
                                          123456789012345680000.0,
                                          18446744073709551616.0,
                                          9007199254740993.0,
                                          5e-324,
                                          1.7976931348623157e308,
                                          -1e-7,
                                          1e-6,
                                          2147483648.0,
                                          -2147483649.0,
                                          0.000001,
                                          4294967295.0};
      number = kNasty[below(std::size(kNasty))];
    }
  }
  if (std::isnan(number)) return {"NaN", {}};
  if (std::isinf(number)) return {number > 0 ? "Infinity" : "-Infinity", {}};
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.17g", number);
  return {std::string("(") + digits + ")", {number}};
}

RandomValue ValueGenerator::text() {
  const std::u16string units = random_units(chance(2) ? 3000 : 20);
  return {literal_of(units), {utf8_of(units)}};
}

RandomValue ValueGenerator::scalar() {
  switch (below(8)) {
    case 0: return {"null", {}};
    case 1: return {"undefined", {}};
    case 2: return {"true", {true}};
    case 3: return {"false", {false}};
    case 4:
    case 5: return number();
    default: return text();
  }
}

RandomValue ValueGenerator::array(int depth) {
  std::string source = "[";
  JsonArray expected;
  for (std::uint64_t left = below(5); left > 0; --left) {
    if (chance(10)) {  // a hole
      source += ",";
      expected.emplace_back();
      continue;
    }
    RandomValue item = value(depth - 1);
    source += item.source + ",";
    expected.push_back(std::move(item.expected));
  }
  source += "]";
  if (chance(10)) source = "Object.assign(" + source + ", { extra: 1 })";
  return {source, {std::move(expected)}};
}

RandomValue ValueGenerator::object(int depth) {
  static constexpr const char* kOpenings[] = {"{", "{ __proto__: null, ", "{ __proto__: { inherited: 1 }, ",
                                              "{ [Symbol('s')]: 1, "};
  std::string source = kOpenings[below(std::size(kOpenings))];
  JsonObject expected;
  std::set<std::string> used;
  for (std::uint64_t left = below(5); left > 0; --left) {
    const std::u16string key = random_key();
    // Keys that differ only in lone surrogates would become one.
    if (!used.insert(utf8_of(key)).second || key == u"toJSON") continue;
    RandomValue member = value(depth - 1);
    if (chance(15)) {
      source += "get [" + literal_of(key) + "]() { return " + member.source + " }, ";
    } else {
      source += "[" + literal_of(key) + "]: " + member.source + ", ";
    }
    expected[utf8_of(key)] = std::move(member.expected);
  }
  source += "}";
  // The value may have a method named then, which makes no difference deep inside.
  if (chance(10)) source = "new Proxy(" + source + ", {})";
  if (chance(10)) source = "Object.freeze(" + source + ")";
  return {"(" + source + ")", {std::move(expected)}};
}

// Objects that represent something else.
RandomValue ValueGenerator::disguised(int depth) {
  switch (below(5)) {
    case 0: {
      // As in JSON.stringify, toJSON is called once: what it returns must not rely on its own toJSON.
      RandomValue inner = chance(50) ? array(depth - 1) : scalar();
      return {"({ hidden: 1, toJSON() { return " + inner.source + " } })", std::move(inner.expected)};
    }
    case 1: {
      RandomValue inner = text();
      return {"new String(" + inner.source + ")", std::move(inner.expected)};
    }
    case 2: {
      RandomValue inner = number();
      return {"new Number(" + inner.source + ")", std::move(inner.expected)};
    }
    case 3: return {"new Boolean(false)", {false}};
    default: {
      const std::u16string message = random_units(10);
      return {"new TypeError(" + literal_of(message) + ")",
              {JsonObject{{"name", {std::string("TypeError")}}, {"message", {utf8_of(message)}}}}};
    }
  }
}

RandomValue ValueGenerator::value(int depth) {
  if (depth <= 0 || chance(30)) return scalar();
  if (chance(10)) {  // a long way down without branching
    RandomValue inner = value(depth / 8);
    for (int level = depth - depth / 8; level > 0; --level) {
      if (chance(50)) {
        inner = {"[" + inner.source + "]", {JsonArray{std::move(inner.expected)}}};
      } else {
        inner = {"({ a: " + inner.source + " })", {JsonObject{{"a", std::move(inner.expected)}}}};
      }
    }
    return inner;
  }
  const int shallower = depth > 6 ? 6 : depth;  // wide trees stay shallow, or they would grow without bound
  if (chance(15)) return disguised(shallower);
  return chance(50) ? array(shallower) : object(shallower);
}

ValueGenerator::Refused ValueGenerator::refused(int depth) {
  const Culprit& culprit = kCulprits[below(std::size(kCulprits))];
  Refused result{std::string("(") + culprit.source + ")", "", culprit.what, culprit.thrown};
  static constexpr const char* kKeys[] = {"a", "items", "$x_1", "two words", "0", "a-b"};
  // At least one level: a promise at the top is awaited.
  for (std::uint64_t level = 1 + below(static_cast<std::uint64_t>(depth)); level > 0; --level) {
    if (chance(50)) {
      const std::uint64_t before = below(3);
      std::string source = "[";
      for (std::uint64_t i = 0; i < before; ++i) source += value(1).source + ", ";
      result.source = source + result.source + ", " + value(1).source + "]";
      result.path = "[" + std::to_string(before) + "]" + result.path;
    } else {
      const std::string key = kKeys[below(std::size(kKeys))];
      // Numeric keys come first, so a neighbour must not be a value that is refused before this one; it never is.
      result.source =
          "({ before: " + value(1).source + ", '" + key + "': " + result.source + ", after: " + value(1).source + " })";
      result.path = step_to(key) + result.path;
    }
  }
  result.path = "result" + result.path;
  return result;
}

}  // namespace glovebox::fuzz
