// Which modules Python code may not import unless its owner allows it. Here and not beside the broker, because the
// config starts from the same list.
#include "glovebox/sandbox.h"

namespace glovebox {

std::vector<std::string> SandboxConfig::default_python_blocked_imports() {
  return {"os", "sys", "subprocess", "socket", "importlib", "builtins", "ctypes", "multiprocessing"};
}

}  // namespace glovebox
