#include "types/schema/typescript_printer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/characters/ascii.h"
#include "types/limits.h"
#include "types/typescript_text.h"

namespace glovebox::types {
namespace {

using Kind = Type::Kind;

constexpr std::size_t kMostCompactProperty = 120;
constexpr std::size_t kMostFact = 60;

std::string spaces(int count) {
  return std::string(static_cast<std::size_t>(count), ' ');
}

std::string literal_text(const boost::json::value& value) {
  constexpr double kMostExact = 9007199254740992.0;
  if (value.is_string()) return string_literal({value.get_string().data(), value.get_string().size()});
  if (value.is_bool()) return value.get_bool() ? "true" : "false";
  const auto number = value.to_number<double>();
  if (!std::isfinite(number) || (!value.is_double() && std::abs(number) > kMostExact)) return "number";
  char text[40];
  const auto end = std::to_chars(std::begin(text), std::end(text), number).ptr;
  return {text, end};
}

// Whether the description says no more than the name: "path": "The path".
bool repeats(std::string_view name, std::string_view description) {
  const auto letters = [](std::string_view text) {
    std::string out;
    for (const char c : text) {
      if (base::is_alnum(c) || static_cast<unsigned char>(c) >= 0x80) out += base::to_lower(c);
    }
    return out;
  };
  if (description.size() > 2 * name.size() + 8) return false;
  const std::string said = letters(description);
  const std::string known = letters(name);
  return said == known || said == "the" + known || said == "a" + known;
}

const std::string* fact(const std::vector<Fact>& facts, std::string_view key) {
  const auto found = std::find_if(facts.begin(), facts.end(), [&](const Fact& one) { return one.key == key; });
  return found == facts.end() ? nullptr : &found->value;
}

// The facts that affect how a call is written, as short as possible.
std::string short_facts(const std::vector<Fact>& facts, std::string_view description) {
  std::string out;
  const auto add = [&](const std::string& text) {
    if (text.size() <= kMostFact) out += (out.empty() ? "" : ", ") + comment_line(text, kMostFact);
  };
  const auto is_said = [&](std::string_view word) { return description.find(word) != description.npos; };
  if (const auto* value = fact(facts, "default"); value && !is_said("efault")) add("= " + *value);
  if (const auto* value = fact(facts, "format"); value && !is_said(*value)) add(*value);
  if (const auto* value = fact(facts, "enum")) add(*value);
  const auto* least = fact(facts, "minimum");
  const auto* most = fact(facts, "maximum");
  const auto* pattern = fact(facts, "pattern");
  // Bounds that generators write for every integer carry no information.
  const auto is_real = [](const std::string* bound) { return bound && bound->find("9007199254740991") == bound->npos; };
  if (is_real(least) && is_real(most)) {
    add(*least + ".." + *most);
  } else if (is_real(least) && *least != "0") {
    add(">= " + *least);
  } else if (is_real(most)) {
    add("<= " + *most);
  }
  if (pattern && pattern->size() <= 40) add("/" + *pattern + "/");
  if (const auto* value = fact(facts, "deprecated"); value && *value == "true") add("deprecated");
  return out;
}

}  // namespace

std::string TypeScriptPrinter::type(const Type& type, int indent) const {
  switch (type.kind) {
    case Kind::kAny: return type.remark.empty() ? "any" : "any /* " + type.remark + " */";
    case Kind::kNever: return "never";
    case Kind::kNull: return "null";
    case Kind::kBoolean: return "boolean";
    case Kind::kInteger:
    case Kind::kNumber: return "number";
    case Kind::kString: return "string";
    case Kind::kLiteral: return literal_text(type.literal);
    case Kind::kArray: return within_array(type.parts.front(), indent) + "[]";
    case Kind::kTuple: return tuple(type, indent);
    case Kind::kObject: return object(type, indent);
    case Kind::kUnion: return joined(type, is_compact() ? "|" : " | ", indent);
    case Kind::kIntersection: return joined(type, " & ", indent);
    case Kind::kName: return prefix_ + model_.names[type.name].name;
  }
  return "any";
}

std::string TypeScriptPrinter::within_array(const Type& of, int indent) const {
  const bool binds_less = of.is(Kind::kUnion) || of.is(Kind::kIntersection);
  return binds_less ? "(" + type(of, indent) + ")" : type(of, indent);
}

std::string TypeScriptPrinter::joined(const Type& of, const char* between, int indent) const {
  std::string out;
  for (const Type& part : of.parts) {
    if (!out.empty()) out += between;
    const bool binds_less = of.is(Kind::kIntersection) && part.is(Kind::kUnion);
    out += binds_less ? "(" + type(part, indent) + ")" : type(part, indent);
  }
  return out;
}

std::string TypeScriptPrinter::tuple(const Type& of, int indent) const {
  std::string out;
  for (std::size_t i = 0; i < of.parts.size(); ++i) {
    if (i > 0) out += ", ";
    out += i < of.required ? type(of.parts[i], indent) : within_array(of.parts[i], indent) + "?";
  }
  if (!of.rest.empty()) out += (of.parts.empty() ? "..." : ", ...") + within_array(of.rest.front(), indent) + "[]";
  return "[" + out + "]";
}

std::string TypeScriptPrinter::object(const Type& of, int indent) const {
  if (of.properties.empty() && of.rest.empty()) return "Record<string, never>";
  const std::string line = is_compact() ? " " : "\n" + spaces(indent + 2);
  std::string out = "{";
  bool is_first = true;
  const auto separate = [&] {
    if (is_compact() && !is_first) out += ';';
    is_first = false;
  };
  for (const Property& property : of.properties) {
    separate();
    if (!is_compact()) out += "\n" + comment(property.description, property.facts, indent + 2);
    out += is_compact() ? " " : spaces(indent + 2);
    out += property_name(property.name) + (property.is_required ? ": " : "?: ") + type(property.type, indent + 2);
    if (!is_compact()) {
      out += ';';
      continue;
    }
    std::string remark;
    if (!repeats(property.name, property.description))
      remark = comment_line(property.description, kMostCompactProperty);
    if (const std::string facts = short_facts(property.facts, remark); !facts.empty())
      remark += (remark.empty() ? "" : " ") + ("(" + facts + ")");
    if (!remark.empty()) out += " /* " + remark + " */";
  }
  if (!of.rest.empty()) {
    separate();
    out += line + "[key: string]: " + type(of.rest.front(), indent + 2) + (is_compact() ? "" : ";");
  }
  return out + (is_compact() ? " }" : "\n" + spaces(indent) + "}");
}

std::string TypeScriptPrinter::signature(int indent) const {
  return std::string("(args") + (model_.may_omit_arguments ? "?: " : ": ") + type(model_.arguments, indent) +
         "): Promise<" + type(model_.result, indent) + ">";
}

std::string TypeScriptPrinter::named_types() const {
  std::string out;
  for (const NamedType& named : model_.names) {
    out += comment(named.description, {}, 0);
    out += "type " + prefix_ + named.name + " = " + type(named.type, 0) + ";\n";
  }
  return out;
}

std::string TypeScriptPrinter::comment(const std::string& description, const std::vector<Fact>& facts,
                                       int indent) const {
  if (is_compact()) return doc_comment(comment_line(description, kMostShortDescription), indent);
  std::string text = comment_text(description, kMostDescription);
  for (const Fact& one : facts)
    text += (text.empty() ? "@" : "\n@") + one.key + " " + comment_line(one.value, kMostDescription);
  return doc_comment(text, indent);
}

}  // namespace glovebox::types
