// Command: one word of the command line, with its options, the commands inside it and what it runs. CLI11 does the
// parsing, behind this: its headers take ten seconds to compile, in every file that reads them.
#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace glovebox::cli {

// Belongs to its command. What describes it returns it again, so that descriptions can be chained.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option* type_name(const std::string& name);  // what stands for its value in the help
  Option* group(const std::string& heading);
  Option* required();
  Option* one_of(std::initializer_list<const char*> values);
  Option* within(double least, double most);
  Option* excludes(const std::string& other);
  Option* from_variable(const std::string& name);  // of the environment, where the line does not say
  Option* separated_by(char separator);
  // Of a list: each value needs the option's name before it again.
  Option* one_at_a_time();

  bool was_given() const;
  bool takes_value() const;
  std::string type() const;
  friend bool operator==(const Option& a, const Option& b) { return a.option_ == b.option_; }

 private:
  CLI::Option* option_;
};

class Command {
 public:
  // The program itself.
  Command(const std::string& name, const std::string& what, const std::string& version);
  ~Command();
  Command(Command&&) = delete;

  Command* add_subcommand(const std::string& name, const std::string& what);
  // Without a dash before its name it is an argument, known by its place. What it fills outlives the command;
  // std::string, std::size_t, std::int64_t, double, and vectors of std::string and std::uint64_t can be filled.
  template <typename Value>
  Option* add_option(const std::string& names, Value& value, const std::string& what);
  Option* add_flag(const std::string& names, bool& value, const std::string& what);
  void footer(const std::string& text);
  void require_subcommand();
  void hide();  // from the help of the command that it is in
  // What is done when it is the innermost command of the line.
  void runs(std::function<int()> run) { run_ = std::move(run); }

  std::optional<Option> find_option(const std::string& name) const;

  // Of a program: parses the line and runs its innermost command; gives that one's exit code. Help and the version are
  // printed. What is wrong with the line is passed to `fail`, with the command that it is about ("glovebox serve"); it
  // gives the exit code.
  int parse_and_run(int argc, char** argv,
                    const std::function<int(const std::string& what, const std::string& command)>& fail);

 private:
  explicit Command(CLI::App* inner);
  Option* keep(CLI::Option* option);
  const Command* innermost() const;
  std::string path() const;  // the words of the line as far as they are commands
  std::string unknown_command(const std::string& word) const;

  std::unique_ptr<CLI::App> program_;  // null for inner commands
  CLI::App* app_;
  std::deque<Option> options_;
  std::deque<std::unique_ptr<Command>> inner_;
  std::function<int()> run_;
};

}  // namespace glovebox::cli
