#include "cli/doctor/doctor_check.h"

#include "base/text/json_builder.h"
#include "config/jsonc.h"

namespace glovebox::cli {
namespace {

struct TextField {
  const char* key;
  std::string DoctorCheck::*text;
};
constexpr TextField kTextFields[] = {
    {"name", &DoctorCheck::name},     {"detail", &DoctorCheck::detail},       {"blocked_by", &DoctorCheck::blocked_by},
    {"remedy", &DoctorCheck::remedy}, {"waived_by", &DoctorCheck::waived_by}, {"warning", &DoctorCheck::warning},
};

// What works needs no remedy.
bool is_about_fixing(const TextField& field) {
  return field.text == &DoctorCheck::remedy || field.text == &DoctorCheck::waived_by;
}

}  // namespace

std::string to_json(const std::vector<DoctorCheck>& checks) {
  return base::json_list(checks, [](const DoctorCheck& check) {
    base::ObjectText out;
    out.flag("present", check.present);
    for (const TextField& field : kTextFields)
      if (!(check.present && is_about_fixing(field))) out.text_if(field.key, check.*field.text);
    return out.done();
  });
}

Result<std::vector<DoctorCheck>> read_doctor_checks(std::string_view json) {
  const auto tree = config::parse_jsonc(json);
  const auto* items = tree ? tree->as<config::JsonArray>() : nullptr;
  if (!items) return Failure{ErrorCode::kInvalidArgument, "it reported nothing"};
  std::vector<DoctorCheck> checks;
  for (const config::JsonNode& item : *items) {
    const auto* members = item.as<config::JsonObject>();
    if (!members) return Failure{ErrorCode::kInvalidArgument, "it reported nothing"};
    DoctorCheck check;
    for (const config::JsonMember& member : *members) {
      if (const bool* present = member.value.as<bool>(); present && member.key == "present") check.present = *present;
      for (const TextField& field : kTextFields)
        if (const auto* text = member.value.as<std::string>(); text && member.key == field.key)
          check.*field.text = *text;
    }
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace glovebox::cli
