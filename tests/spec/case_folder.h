// The folder of a case that has files: laid out before its run, removed after it.
#pragma once

#include <string>

#include "case_file.h"

namespace glovebox::spec {

class CaseFolder {
 public:
  // Makes the folder and its files if the case has any, and puts its path where {folder} stands.
  explicit CaseFolder(Case& item);
  ~CaseFolder();
  CaseFolder(const CaseFolder&) = delete;
  CaseFolder& operator=(const CaseFolder&) = delete;

 private:
  void lay_out(const std::string& files) const;

  std::string path_;
};

}  // namespace glovebox::spec
