# Places the prelude, the streams library and the TypeScript stripper inside the guest library, byte for byte.

# Machine code that the engine writes holds halves of addresses, which are the same each time where the kernel may be
# asked not to choose them at random. Where a container forbids that, two builds differ in them.
execute_process(COMMAND setarch -R true RESULT_VARIABLE places_are_random OUTPUT_QUIET ERROR_QUIET)
if(places_are_random)
  message(STATUS "setarch -R is not allowed here: the boot image and Python's code will differ from build to build")
else()
  set(GLOVEBOX_FIXED_PLACES setarch -R)
endif()

set(amaro ${CMAKE_SOURCE_DIR}/node_modules/amaro/dist/internal.js)
set(GUEST_STRIPPER ${CMAKE_BINARY_DIR}/generated/stripper.js)
set(GUEST_STRIPPER_WASM ${CMAKE_BINARY_DIR}/generated/stripper.wasm)
set(GUEST_SAMPLE ${CMAKE_SOURCE_DIR}/src/guest/typescript_sample.ts)
set(splitter ${CMAKE_SOURCE_DIR}/scripts/split_stripper.mjs)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${amaro} ${splitter})
if(${amaro} IS_NEWER_THAN ${GUEST_STRIPPER_WASM} OR ${splitter} IS_NEWER_THAN ${GUEST_STRIPPER_WASM})
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated)
  execute_process(COMMAND ${GLOVEBOX_V8}/bin/node ${splitter} ${amaro} ${GUEST_STRIPPER} ${GUEST_STRIPPER_WASM}
                  COMMAND_ERROR_IS_FATAL ANY)
endif()

# The number in its name is its place among the files of the prelude.
set(streams ${CMAKE_SOURCE_DIR}/node_modules/web-streams-polyfill/dist/ponyfill.js)
set(GUEST_STREAMS ${CMAKE_BINARY_DIR}/generated/52_streams_library.js)
set(streams_maker ${CMAKE_SOURCE_DIR}/scripts/make_streams_prelude.mjs)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${streams} ${streams_maker})
if(${streams} IS_NEWER_THAN ${GUEST_STREAMS} OR ${streams_maker} IS_NEWER_THAN ${GUEST_STREAMS})
  execute_process(COMMAND ${GLOVEBOX_V8}/bin/node ${streams_maker} ${streams} ${GUEST_STREAMS}
                  COMMAND_ERROR_IS_FATAL ANY)
endif()

# What removes types is one file of the prelude, made of a parser and of ours.
set(sucrase ${CMAKE_SOURCE_DIR}/node_modules/sucrase)
set(bundler ${CMAKE_SOURCE_DIR}/scripts/bundle_type_parser.mjs)
set(GUEST_TYPES ${CMAKE_BINARY_DIR}/generated/80_types.js)
set(type_sources regions.js grammar.js blanking.js conditions.js flow.js plan.js)
list(TRANSFORM type_sources PREPEND ${CMAKE_SOURCE_DIR}/src/guest/types/)
foreach(input ${sucrase}/package.json ${bundler} ${type_sources})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${input})
  if(${input} IS_NEWER_THAN ${GUEST_TYPES})
    set(types_are_stale TRUE)
  endif()
endforeach()
if(types_are_stale)
  execute_process(COMMAND ${GLOVEBOX_V8}/bin/node ${bundler} ${sucrase}/dist ${GUEST_TYPES} ${type_sources}
                  COMMAND_ERROR_IS_FATAL ANY)
endif()

file(GLOB GUEST_PRELUDE CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/guest/prelude/*.js)
list(APPEND GUEST_PRELUDE ${GUEST_STREAMS} ${GUEST_TYPES})
list(SORT GUEST_PRELUDE COMPARE FILE_BASENAME)

set(assembly ".section .rodata\n")
set(declarations "")
set(table "")
set(index 0)
# Adds a file; `reference` becomes the C++ expression for its content.
macro(add_asset file)
  set(symbol glovebox_asset_${index})
  string(APPEND assembly ".globl ${symbol}\n.hidden ${symbol}\n${symbol}:\n.incbin \"${file}\"\n"
                         ".globl ${symbol}_end\n.hidden ${symbol}_end\n${symbol}_end:\n.byte 0\n")
  string(APPEND declarations "extern const char ${symbol}[];\nextern const char ${symbol}_end[];\n")
  set(reference "text(${symbol}, ${symbol}_end)")
  math(EXPR index "${index} + 1")
endmacro()

foreach(file ${GUEST_PRELUDE} ${GUEST_STRIPPER} ${GUEST_SAMPLE})
  # V8 reads these as one byte per character.
  file(STRINGS ${file} beyond_ascii REGEX "[^\t\r\n -~]" LIMIT_COUNT 1 ENCODING UTF-8)
  if(beyond_ascii)
    message(FATAL_ERROR "${file} holds a character that is not ASCII: ${beyond_ascii}")
  endif()
endforeach()
foreach(file ${GUEST_PRELUDE})
  get_filename_component(name ${file} NAME)
  add_asset(${file})
  string(APPEND table "    {\"${name}\", ${reference}},\n")
endforeach()
add_asset(${GUEST_STRIPPER})
set(stripper_js ${reference})
add_asset(${GUEST_STRIPPER_WASM})
set(stripper_wasm ${reference})
add_asset(${GUEST_SAMPLE})
set(sample ${reference})
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

std::string_view type_stripper_text() { return ${stripper_js}; }
std::string_view type_stripper_wasm() { return ${stripper_wasm}; }
std::string_view typescript_sample() { return ${sample}; }

}  // namespace glovebox::guest
")
set_source_files_properties(${CMAKE_BINARY_DIR}/generated/guest_assets.S PROPERTIES
  OBJECT_DEPENDS "${GUEST_PRELUDE};${GUEST_STRIPPER};${GUEST_STRIPPER_WASM};${GUEST_SAMPLE}")

# Python comes in a file of its own, so that nothing of it is near a JavaScript guest.
set(pyodide ${CMAKE_SOURCE_DIR}/node_modules/pyodide)
file(GLOB python_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/guest/python/*.py ${CMAKE_SOURCE_DIR}/src/guest/python/*.js)
set(python_parts ${pyodide}/pyodide.mjs ${pyodide}/pyodide.asm.mjs ${pyodide}/pyodide.asm.wasm
    ${pyodide}/pyodide-lock.json ${python_sources})
set(python_packer ${CMAKE_SOURCE_DIR}/scripts/pack_python.mjs)
set(python_raw ${CMAKE_BINARY_DIR}/generated/python_parts.pack)
set(python_code ${CMAKE_BINARY_DIR}/generated/pyodide.code)
set(python_library ${CMAKE_BINARY_DIR}/generated/python_stdlib.zip)
set(python_pack ${CMAKE_BINARY_DIR}/bin/glovebox-python.pack)
add_custom_command(OUTPUT ${python_pack}
  COMMAND ${GLOVEBOX_V8}/bin/node ${python_packer} ${python_pack} ${python_parts} ${python_library} ${python_code}
  DEPENDS ${python_packer} ${python_parts} ${python_library} ${python_code})
# Machine code of the interpreter, as far as the training gets: once to see what runs often, once to compile the rest. It
# depends on the engine, its flags and what the training runs, not on the rest of the library, which merely has to be
# there.
set(python_profile ${CMAKE_BINARY_DIR}/generated/profile/pyodide.code)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated/profile)
add_custom_command(OUTPUT ${python_code} ${python_library}
  COMMAND ${GLOVEBOX_V8}/bin/node ${python_packer} ${python_raw} ${python_parts} ${pyodide}/python_stdlib.zip
  COMMAND ${GLOVEBOX_FIXED_PLACES} ${CMAKE_COMMAND} -E env LD_PRELOAD=${CMAKE_BINARY_DIR}/bin/libglovebox-guest.so
          ${GLOVEBOX_V8}/bin/node profile-python ${CMAKE_BINARY_DIR}/bin/libglovebox-guest.image ${python_raw} ${python_profile}
  COMMAND ${GLOVEBOX_V8}/bin/node ${python_packer} ${python_raw} ${python_parts} ${pyodide}/python_stdlib.zip ${python_profile}
  COMMAND ${GLOVEBOX_FIXED_PLACES} ${CMAKE_COMMAND} -E env LD_PRELOAD=${CMAKE_BINARY_DIR}/bin/libglovebox-guest.so
          ${GLOVEBOX_V8}/bin/node make-python-code ${CMAKE_BINARY_DIR}/bin/libglovebox-guest.image ${python_raw}
          ${python_code} ${python_library}
  DEPENDS ${pyodide}/package.json ${CMAKE_SOURCE_DIR}/src/guest/engine.cc ${CMAKE_SOURCE_DIR}/src/guest/python/train.py
          ${CMAKE_SOURCE_DIR}/src/guest/python/warm.py
          ${CMAKE_SOURCE_DIR}/src/guest/python/precompile.py)
add_custom_target(glovebox-python DEPENDS ${python_pack})
