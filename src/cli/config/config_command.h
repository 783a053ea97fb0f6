// `glovebox config`: validates and explains a config file, prints its schema, and imports servers from other programs'
// files.
#pragma once

#include <string>

namespace glovebox::cli {

int run_config_validate(const std::string& file, bool json);
// Every limit and grant that code has with it, and where that is reported.
int run_config_explain(const std::string& file, bool json);

// JSON Schema of glovebox.json, for editors.
int run_config_schema();

struct ConfigImport {
  std::string file;
  std::string into;       // empty: glovebox.json in the workspace
  std::string workspace;  // empty: the current folder
  bool force = false;
  bool json = false;
};
int run_config_import(const ConfigImport& import);

}  // namespace glovebox::cli
