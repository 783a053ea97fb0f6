# The page of `glovebox ui`, in the program: the files of src/ui/page, and preact with htm, which is one file of an npm
# package and is taken only with the bytes that were reviewed.
set(UI_PREACT ${CMAKE_SOURCE_DIR}/node_modules/htm/preact/standalone.module.js)
set(UI_PREACT_SHA256 72284e8e9079c87817145df1110f74e8a2aa040b2fc384922e18dfcb46fc1fd7)
file(SHA256 ${UI_PREACT} found)
if(NOT found STREQUAL UI_PREACT_SHA256)
  message(FATAL_ERROR "${UI_PREACT} is not the file that was reviewed: its SHA-256 is ${found}")
endif()

# They are served from one folder, whichever they are kept in.
file(GLOB_RECURSE UI_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/ui/page/*)
list(SORT UI_FILES)
list(APPEND UI_FILES ${UI_PREACT})

set(ui_assembly ".section .rodata\n")
set(ui_declarations "")
set(ui_table "")
set(ui_digests "")
set(ui_index 0)
foreach(file ${UI_FILES})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  get_filename_component(name ${file} NAME)
  if(file STREQUAL UI_PREACT)
    set(name preact.js)
  endif()
  file(SHA256 ${file} digest)
  string(APPEND ui_digests "${name} ${digest}\n")
  set(symbol glovebox_ui_file_${ui_index})
  string(APPEND ui_assembly ".globl ${symbol}\n.hidden ${symbol}\n${symbol}:\n.incbin \"${file}\"\n"
                            ".globl ${symbol}_end\n.hidden ${symbol}_end\n${symbol}_end:\n.byte 0\n")
  string(APPEND ui_declarations "extern const char ${symbol}[];\nextern const char ${symbol}_end[];\n")
  string(APPEND ui_table "    {\"${name}\", text(${symbol}, ${symbol}_end)},\n")
  math(EXPR ui_index "${ui_index} + 1")
endforeach()
string(APPEND ui_assembly ".section .note.GNU-stack,\"\",@progbits\n")
string(SHA256 ui_digest "${ui_digests}")
string(SUBSTRING ${ui_digest} 0 16 ui_digest)

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/ui_files.S CONTENT "${ui_assembly}" @ONLY)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/ui_files.cc @ONLY CONTENT "// Made by cmake/ui_files.cmake.
#include \"ui/files.h\"

extern \"C\" {
@ui_declarations@}

namespace glovebox::ui {
namespace {

std::string_view text(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::span<const File> files() {
  static const File all[] = {
@ui_table@  };
  return all;
}

std::string_view files_digest() {
  return \"@ui_digest@\";
}

}  // namespace glovebox::ui
")
glovebox_layer(ui LINKS base)
target_sources(ui PRIVATE ${CMAKE_BINARY_DIR}/generated/ui_files.S ${CMAKE_BINARY_DIR}/generated/ui_files.cc)
set_source_files_properties(${CMAKE_BINARY_DIR}/generated/ui_files.S PROPERTIES OBJECT_DEPENDS "${UI_FILES}")
