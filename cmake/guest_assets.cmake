# Places the prelude and the TypeScript stripper inside the guest library, byte for byte.

set(GUEST_STRIPPER ${CMAKE_SOURCE_DIR}/node_modules/amaro/dist/internal.js)
file(GLOB GUEST_PRELUDE CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/guest/prelude/*.js)
list(SORT GUEST_PRELUDE)

set(assembly ".section .rodata\n")
set(declarations "")
set(table "")
set(index 0)
foreach(file ${GUEST_PRELUDE} ${GUEST_STRIPPER})
  # V8 reads these as one byte per character.
  file(STRINGS ${file} beyond_ascii REGEX "[^\t\r\n -~]" LIMIT_COUNT 1 ENCODING UTF-8)
  if(beyond_ascii)
    message(FATAL_ERROR "${file} holds a character that is not ASCII: ${beyond_ascii}")
  endif()
  get_filename_component(name ${file} NAME)
  string(APPEND assembly ".globl glovebox_asset_${index}\n.hidden glovebox_asset_${index}\nglovebox_asset_${index}:\n"
                         ".incbin \"${file}\"\n.globl glovebox_asset_${index}_end\n.hidden glovebox_asset_${index}_end\n"
                         "glovebox_asset_${index}_end:\n.byte 0\n")
  string(APPEND declarations "extern const char glovebox_asset_${index}[];\nextern const char glovebox_asset_${index}_end[];\n")
  if(file STREQUAL GUEST_STRIPPER)
    set(stripper_index ${index})
  else()
    string(APPEND table "    {\"${name}\", text(glovebox_asset_${index}, glovebox_asset_${index}_end)},\n")
  endif()
  math(EXPR index "${index} + 1")
endforeach()
string(APPEND assembly ".section .note.GNU-stack,\"\",@progbits\n")

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/guest_assets.S CONTENT "${assembly}" @ONLY)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/guest_assets.cc @ONLY CONTENT "// Made by cmake/guest_assets.cmake.
#include \"guest/assets.h\"

extern \"C\" {
${declarations}}

namespace glovebox::guest {
namespace {
std::string_view text(const char* from, const char* to) { return {from, static_cast<std::size_t>(to - from)}; }
}  // namespace

std::span<const PreludeFile> prelude_files() {
  static const PreludeFile files[] = {
${table}  };
  return files;
}

std::string_view type_stripper_text() {
  return text(glovebox_asset_${stripper_index}, glovebox_asset_${stripper_index}_end);
}

}  // namespace glovebox::guest
")
set_source_files_properties(${CMAKE_BINARY_DIR}/generated/guest_assets.S PROPERTIES
  OBJECT_DEPENDS "${GUEST_PRELUDE};${GUEST_STRIPPER}")
