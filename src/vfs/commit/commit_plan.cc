#include "vfs/commit/commit_plan.h"

#include <charconv>

#include "base/characters/percent.h"
#include "base/try.h"
#include "policy/path_grants.h"

namespace glovebox::vfs {
namespace {

constexpr std::string_view kHeader = "glovebox-plan 1";

// Paths are bytes; a line is printable ASCII without spaces.
void append_text(std::string& out, std::string_view text) {
  out.append(" ").append(base::printable_escaped(text));
}

template <typename Number>
void append_number(std::string& out, Number number) {
  out += ' ';
  out += std::to_string(number);
}

void append_identity(std::string& out, const Identity& identity) {
  append_number(out, identity.inode);
  append_number(out, identity.born_ns);
}

void append_place(std::string& out, const PlanPlace& place) {
  append_number(out, place.root);
  append_text(out, place.path);
}

// Reads the fields of one line; a missing or wrong one makes it not ok.
class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}

  std::string_view word() {
    const std::size_t space = std::min(rest_.find(' '), rest_.size());
    const std::string_view field = rest_.substr(0, space);
    rest_.remove_prefix(std::min(space + 1, rest_.size()));
    ok_ = ok_ && !field.empty();
    return field;
  }

  template <typename Number>
  Number number() {
    const std::string_view field = word();
    Number value{};
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    ok_ = ok_ && error == std::errc() && end == field.data() + field.size();
    return value;
  }

  std::string text() {
    const auto value = base::percent_decoded(word());
    ok_ = ok_ && value;
    return value.value_or("");
  }

  Identity identity() {
    Identity value;
    value.inode = number<std::uint64_t>();
    value.born_ns = number<std::int64_t>();
    return value;
  }

  // A path that leaves its root, or is empty, is never followed.
  PlanPlace place(std::size_t roots) {
    PlanPlace value;
    value.root = number<std::size_t>();
    value.path = text();
    const bool normal = !value.path.empty() && policy::normal_path("/", value.path) == '/' + value.path;
    ok_ = ok_ && value.root < roots && normal && value.path.find('\0') == std::string::npos;
    return value;
  }

  bool ok() const { return ok_; }
  bool done() const { return ok_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

PlanStep read_step(Fields& fields, PlanStep::Kind kind, std::size_t roots) {
  PlanStep step;
  step.kind = kind;
  step.from = fields.place(roots);
  step.to = fields.place(roots);
  step.what = fields.identity();
  if (kind == PlanStep::Kind::kExchange) step.replaced = fields.identity();
  const std::string_view guard = fields.word();
  if (guard == "file") {
    step.content.emplace();
    step.content->size = fields.number<std::uint64_t>();
    step.content->modified_ns = fields.number<std::int64_t>();
  } else if (guard == "folder") {
    step.folder_print = fields.number<std::uint64_t>();
  }
  return step;
}

}  // namespace

std::string encode_plan(const CommitPlan& plan) {
  std::string out(kHeader);
  out += '\n';
  for (const PlanRoot& root : plan.roots) {
    out += "root";
    append_text(out, root.path);
    append_identity(out, root.identity);
    out += '\n';
  }
  for (const PlanPlace& stage : plan.stages) {
    out += "stage";
    append_place(out, stage);
    out += '\n';
  }
  for (const PlanStep& step : plan.steps) {
    const bool exchange = step.kind == PlanStep::Kind::kExchange;
    out += exchange ? "exchange" : "move";
    append_place(out, step.from);
    append_place(out, step.to);
    append_identity(out, step.what);
    if (exchange) append_identity(out, step.replaced);
    if (step.content) {
      out += " file";
      append_number(out, step.content->size);
      append_number(out, step.content->modified_ns);
    } else if (step.folder_print) {
      out += " folder";
      append_number(out, *step.folder_print);
    } else {
      out += " any";
    }
    out += '\n';
  }
  out += "end";
  append_number(out, plan.steps.size());
  return out + '\n';
}

Result<CommitPlan> decode_plan(std::string_view text) {
  const Failure broken{ErrorCode::kProtocol, "the plan of a commit is damaged"};
  CommitPlan plan;
  bool header = false;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    if (newline == std::string_view::npos) return broken;
    const std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline + 1);
    if (!header) {
      if (line != kHeader) return broken;
      header = true;
      continue;
    }
    Fields fields(line);
    const std::string_view kind = fields.word();
    if (kind == "root") {
      PlanRoot root{.path = fields.text(), .identity = {}};
      root.identity = fields.identity();
      if (policy::normal_path("/", root.path) != root.path) return broken;
      plan.roots.push_back(std::move(root));
    } else if (kind == "stage") {
      plan.stages.push_back(fields.place(plan.roots.size()));
      if (!policy::last_name(plan.stages.back().path).starts_with(kStagePrefix)) return broken;
    } else if (kind == "move") {
      plan.steps.push_back(read_step(fields, PlanStep::Kind::kMove, plan.roots.size()));
    } else if (kind == "exchange") {
      plan.steps.push_back(read_step(fields, PlanStep::Kind::kExchange, plan.roots.size()));
    } else if (kind == "end") {
      const auto steps = fields.number<std::size_t>();
      if (fields.done() && steps == plan.steps.size() && text.empty()) return plan;
      return broken;
    } else {
      return broken;
    }
    if (!fields.done()) return broken;
  }
  return broken;
}

}  // namespace glovebox::vfs
