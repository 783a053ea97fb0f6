// Python before it runs: names of tools and their arguments against the schemas that their servers list, as far as the
// program's syntax tree says plainly what is meant. It finds what the call itself would find, before anything was done.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "code_check/python/written_calls.h"
#include "glovebox/diagnostic.h"

namespace glovebox::code_check {

// `open`: servers that may have any tool.
std::vector<Diagnostic> check_python(const std::string& code, const WrittenCalls& written,
                                     const catalog::Catalog& catalog, const std::vector<std::string>& open);

}  // namespace glovebox::code_check
