#include "types/schema/python_printer.h"

#include <algorithm>
#include <map>
#include <set>

#include "types/python_text.h"
#include "types/shown_text.h"
#include "types/typescript_text.h"

namespace glovebox::types {
namespace {

using Kind = Type::Kind;

constexpr std::size_t kMostPropertyBytes = 200;
constexpr std::string_view kLiteral = "Literal[";

std::string remark(const std::string& description) {
  const std::string text = shown_line(description, kMostPropertyBytes);
  return text.empty() ? "" : "  # " + text;
}

// The types of one tool. Python has no anonymous object types, so each becomes a class before the tool's server.
class PythonPrinter {
 public:
  PythonPrinter(const ToolModel& model, DistinctNames& names, std::string prefix)
      : model_(model), names_(names), prefix_(std::move(prefix)) {
    for (const NamedType& named : model.names) own_names_.push_back(names.take(prefix_ + "_" + named.name));
  }

  // What a method takes and gives, callable both with keyword arguments and with one dict.
  std::vector<std::string> signatures() {
    const std::string result = type(model_.result, prefix_ + "_Result");
    const Type* arguments = object_of(model_.arguments);
    const auto signature = [&](const std::string& parameters) { return "(self" + parameters + ") -> " + result; };
    if (!arguments || arguments->properties.empty()) {
      const bool takes_any = !arguments || !arguments->rest.empty();
      return {
          signature(takes_any ? ", args: dict[str, Any] = ..., /, **named: Any" : ", args: dict[str, Never] = ..., /")};
    }
    const std::string dict = type(model_.arguments, prefix_ + "_Args");
    const std::string as_dict = ", args: " + dict + (model_.may_omit_arguments ? " = ..." : "") + ", /";
    if (!has_plain_names(*arguments)) return {signature(as_dict)};
    return {signature(as_dict), signature(named_parameters(*arguments))};
  }

  // The classes that these need, in an order that reads well; forward references are fine in stubs.
  std::string classes() {
    for (std::size_t i = 0; i < model_.names.size(); ++i) {
      const Type& named = model_.names[i].type;
      if (is_class(named)) {
        write_class(named, own_names_[i]);
      } else {
        const std::string text = type(named, own_names_[i] + "_");
        classes_ += own_names_[i] + ": TypeAlias = " + python_string(text) + "\n";
      }
    }
    return classes_;
  }

 private:
  static bool is_class(const Type& of) { return of.is(Kind::kObject) && !of.properties.empty(); }

  static bool has_plain_names(const Type& object) {
    return std::all_of(object.properties.begin(), object.properties.end(), [](const Property& property) {
      return is_python_name(property.name) && property.name != "self";
    });
  }

  // The object type of a call's arguments, as far as Python can express it; null: anything.
  const Type* object_of(const Type& of) const {
    if (of.is(Kind::kObject)) return &of;
    if (of.is(Kind::kName) && is_class(model_.names[of.name].type)) return &model_.names[of.name].type;
    if (!of.is(Kind::kIntersection)) return nullptr;
    const auto found = std::find_if(of.parts.begin(), of.parts.end(), [](const Type& part) { return is_class(part); });
    return found == of.parts.end() ? nullptr : &*found;
  }

  std::string named_parameters(const Type& object) {
    std::string out = ", *";
    for (const Property& property : object.properties)
      out += ", " + property.name + ": " + type(property.type, prefix_ + "_Args_" + plain_word(property.name)) +
             (property.is_required ? "" : " = ...");
    return out + (object.rest.empty() ? "" : ", **named: Any");
  }

  std::string type(const Type& of, const std::string& path) {
    switch (of.kind) {
      case Kind::kAny: return "Any";
      case Kind::kNever: return "Never";
      case Kind::kNull: return "None";
      case Kind::kBoolean: return "bool";
      case Kind::kInteger: return "int";
      case Kind::kNumber: return "float";
      case Kind::kString: return "str";
      case Kind::kLiteral: return literal(of.literal);
      case Kind::kArray: return "list[" + type(of.parts.front(), path + "_item") + "]";
      case Kind::kTuple: return tuple(of, path);
      case Kind::kObject: return object(of, path);
      case Kind::kUnion: return alternatives(of.parts, path);
      // Each part alone allows more than the intersection, and an object says most.
      case Kind::kIntersection: return type(of.parts.front(), path);
      case Kind::kName: return own_names_[of.name];
    }
    return "Any";
  }

  static std::string literal(const boost::json::value& value) {
    if (value.is_string())
      return "Literal[" + python_string({value.get_string().data(), value.get_string().size()}) + "]";
    if (value.is_bool()) return value.get_bool() ? "Literal[True]" : "Literal[False]";
    if (value.is_int64()) return "Literal[" + std::to_string(value.get_int64()) + "]";
    return value.is_uint64() ? "int" : "float";
  }

  // A JSON array is a list, whatever its items are.
  std::string tuple(const Type& of, const std::string& path) {
    std::vector<Type> items = of.parts;
    items.insert(items.end(), of.rest.begin(), of.rest.end());
    const Type item = union_of(std::move(items));
    return "list[" + type(item, path + "_item") + "]";
  }

  std::string alternatives(const std::vector<Type>& parts, const std::string& path) {
    std::set<std::string> seen;
    std::string out;
    std::string literals;
    for (const Type& part : parts) {
      const std::string one = type(part, path);
      if (!seen.insert(one).second) continue;
      if (one.starts_with(kLiteral)) {
        literals += (literals.empty() ? "" : ", ") + one.substr(kLiteral.size(), one.size() - kLiteral.size() - 1);
      } else {
        out += (out.empty() ? "" : " | ") + one;
      }
    }
    if (literals.empty()) return out;
    return std::string(kLiteral) + literals + "]" + (out.empty() ? "" : " | " + out);
  }

  std::string object(const Type& of, const std::string& path) {
    if (!is_class(of))
      return of.rest.empty() ? "dict[str, Never]" : "dict[str, " + type(of.rest.front(), path + "_value") + "]";
    // Types of parameters are printed twice: as keyword arguments and as a dict.
    const auto [known, is_new] = written_.try_emplace(&of);
    if (is_new) {
      known->second = names_.take(path);
      write_class(of, known->second);
    }
    return known->second;
  }

  void write_class(const Type& of, const std::string& name) {
    const auto field = [&](const Property& property) {
      const std::string inner = type(property.type, name + "_" + plain_word(property.name));
      return property.is_required ? inner : "NotRequired[" + inner + "]";
    };
    std::string out;
    if (has_plain_names(of)) {
      out = "class " + name + "(TypedDict):\n";
      for (const Property& property : of.properties)
        out += "    " + property.name + ": " + field(property) + remark(property.description) + "\n";
    } else {
      out = name + " = TypedDict(" + python_string(name) + ", {\n";
      for (const Property& property : of.properties)
        out +=
            "    " + python_string(property.name) + ": " + field(property) + "," + remark(property.description) + "\n";
      out += "})\n";
    }
    classes_ += out;
  }

  const ToolModel& model_;
  DistinctNames& names_;
  std::string prefix_;
  std::vector<std::string> own_names_;
  std::map<const Type*, std::string> written_;
  std::string classes_;
};

}  // namespace

Part print_python(const ToolModel& model, DistinctNames& names, const std::string& prefix) {
  PythonPrinter printer(model, names, prefix);
  // In this order: it decides which types get the shorter names.
  std::vector<std::string> signatures = printer.signatures();
  return {std::move(signatures), printer.classes()};
}

}  // namespace glovebox::types
