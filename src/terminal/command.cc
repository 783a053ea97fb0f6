#include "terminal/command.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <sstream>
#include <vector>

#include "config/nearest_word.h"
#include "terminal/exit_codes.h"

namespace glovebox::cli {

Option* Option::type_name(const std::string& name) {
  option_->type_name(name);
  return this;
}

Option* Option::group(const std::string& heading) {
  option_->group(heading);
  return this;
}

Option* Option::required() {
  option_->required();
  return this;
}

Option* Option::one_of(std::initializer_list<const char*> values) {
  option_->check(CLI::IsMember(std::vector<std::string>(values.begin(), values.end())));
  return this;
}

Option* Option::within(double least, double most) {
  // CLI11's own range is shown in the help as "FLOAT in [1 - 1e+06]".
  std::ostringstream range;
  range.precision(std::numeric_limits<double>::digits10);
  range << least << " to " << most;
  option_->check(CLI::Validator(
      [least, most, range = range.str()](const std::string& text) -> std::string {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= least && value <= most) return "";
        return text + " is not a number from " + range;
      },
      ""));
  return this;
}

Option* Option::excludes(const std::string& other) {
  option_->excludes(other);
  return this;
}

Option* Option::from_variable(const std::string& name) {
  option_->envname(name);
  return this;
}

Option* Option::separated_by(char separator) {
  option_->delimiter(separator);
  return this;
}

Option* Option::one_at_a_time() {
  option_->allow_extra_args(false);
  return this;
}

bool Option::was_given() const {
  return option_->count() > 0;
}

bool Option::takes_value() const {
  return option_->get_items_expected() > 0;
}

std::string Option::type() const {
  return option_->get_type_name();
}

Command::Command(const std::string& name, const std::string& what, const std::string& version)
    : program_(std::make_unique<CLI::App>(what, name)), app_(program_.get()) {
  app_->set_version_flag("-v,--version", version);
}

Command::Command(CLI::App* inner) : app_(inner) {}

Command::~Command() = default;

Command* Command::add_subcommand(const std::string& name, const std::string& what) {
  CLI::App* inner = app_->add_subcommand(name, what);
  inner->footer("");  // CLI11 repeats that of the outer command otherwise
  inner_.emplace_back(new Command(inner));
  return inner_.back().get();
}

Option* Command::keep(CLI::Option* option) {
  return &options_.emplace_back(option);
}

template <typename Value>
Option* Command::add_option(const std::string& names, Value& value, const std::string& what) {
  return keep(app_->add_option(names, value, what));
}

template Option* Command::add_option(const std::string&, std::string&, const std::string&);
template Option* Command::add_option(const std::string&, std::size_t&, const std::string&);
template Option* Command::add_option(const std::string&, std::int64_t&, const std::string&);
template Option* Command::add_option(const std::string&, double&, const std::string&);
template Option* Command::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option* Command::add_option(const std::string&, std::vector<std::uint64_t>&, const std::string&);

Option* Command::add_flag(const std::string& names, bool& value, const std::string& what) {
  return keep(app_->add_flag(names, value, what));
}

void Command::footer(const std::string& text) {
  app_->footer(text);
}

void Command::hide() {
  app_->group("");
}

void Command::require_subcommand() {
  app_->require_subcommand(1);
}

std::optional<Option> Command::find_option(const std::string& name) const {
  CLI::Option* option = app_->get_option_no_throw(name);
  if (!option) return std::nullopt;
  return Option(option);
}

const Command* Command::innermost() const {
  for (const auto& command : inner_)
    if (command->app_->parsed()) return command->innermost();
  return this;
}

std::string Command::path() const {
  for (const auto& command : inner_)
    if (command->app_->parsed()) return app_->get_name() + " " + command->path();
  return app_->get_name();
}

std::string Command::unknown_command(const std::string& word) const {
  std::vector<std::string_view> known;
  for (const auto& command : inner_)
    if (!command->app_->get_group().empty()) known.push_back(command->app_->get_name());
  const std::string_view meant = config::nearest_word(word, known);
  return "there is no command " + word + (meant.empty() ? "" : "; did you mean " + std::string(meant) + "?");
}

int Command::parse_and_run(int argc, char** argv,
                           const std::function<int(const std::string&, const std::string&)>& fail) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& asked_for_help) {
    return app_->exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    // CLI11 finds the missing command before it examines the word that was meant to be one.
    if (app_->get_subcommands().empty() && argc > 1 && argv[1][0] != '-') return fail(unknown_command(argv[1]), path());
    return fail(error.what(), path());
  }
  const Command* command = innermost();
  return command->run_ ? command->run_() : kUsage;
}

}  // namespace glovebox::cli
