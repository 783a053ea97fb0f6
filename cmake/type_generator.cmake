# glovebox-types: the program that reads servers' schemas behind a seal. Linked statically, so that it needs no file once
# it runs, and none of a folder that its user may not enter. Read by src/CMakeLists.txt.
if(GLOVEBOX_GUEST_FROM)
  # Like a guest it is never sanitized: sanitizers make system calls of their own, which its filter does not allow.
  foreach(program glovebox-types glovebox-types-probe)
    add_custom_target(${program})
    file(CREATE_LINK ${GLOVEBOX_GUEST_FROM}/bin/${program} ${CMAKE_BINARY_DIR}/bin/${program} SYMBOLIC)
  endforeach()
  return()
endif()
find_library(RE2_ARCHIVE libre2.a REQUIRED)

# Its own objects of what the gateway's layers hold: those bring shared libraries along.
add_library(types_objects OBJECT
  types/program/sealed_loop.cc types/part.cc types/part_message.cc types/sealed/generator_confinement.cc
  jail/confinement/own_root.cc jail/confinement/privileges.cc jail/confinement/steps.cc)
file(GLOB sources CONFIGURE_DEPENDS types/schema/*.cc)
list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
add_library(schema_objects OBJECT ${sources}
  types/program/plain_utf8.cc types/python_text.cc types/shown_text.cc types/typescript_text.cc
  mcp/json/json_tree.cc mcp/json/schema_index.cc
  base/text/boost_json.cc base/text/hex.cc base/text/json_scanner.cc base/text/json_slice.cc base/text/json_text.cc
  base/characters/percent.cc)
foreach(objects types_objects schema_objects)
  target_link_libraries(${objects} PRIVATE glovebox_flags hardened Boost::headers)
  target_compile_options(${objects} PRIVATE -ffunction-sections -fdata-sections)
endforeach()

# glovebox_types_program(NAME SOURCES … [LINKS …])
function(glovebox_types_program name)
  cmake_parse_arguments(PROGRAM "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${PROGRAM_SOURCES} $<TARGET_OBJECTS:types_objects>)
  target_link_libraries(${name} PRIVATE glovebox_flags hardened ${PROGRAM_LINKS})
  target_link_options(${name} PRIVATE -static-pie LINKER:--gc-sections)
endfunction()
glovebox_types_program(glovebox-types SOURCES types/program/types_main.cc $<TARGET_OBJECTS:schema_objects> LINKS ${RE2_ARCHIVE})
# For tests: the same process, as if a schema had taken it over.
glovebox_types_program(glovebox-types-probe SOURCES types/program/types_probe.cc)
set_target_properties(glovebox-types-probe PROPERTIES EXCLUDE_FROM_ALL ON)
