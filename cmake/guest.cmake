# What runs agents' code: a library that is loaded into the engine, its boot image, and Python. Read by src/CMakeLists.txt.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(GLOVEBOX_GUEST_FROM)
  # A guest is never sanitized, so that of another build serves.
  foreach(target glovebox-guest glovebox-guest-probe glovebox-python)
    add_custom_target(${target})
  endforeach()
  foreach(file libglovebox-guest.so libglovebox-guest.image libglovebox-guest-probe.so libglovebox-guest-probe.image
               glovebox-python.pack glovebox-engine)
    file(CREATE_LINK ${GLOVEBOX_GUEST_FROM}/bin/${file} ${CMAKE_BINARY_DIR}/bin/${file} SYMBOLIC)
  endforeach()
  return()
endif()
include(${CMAKE_SOURCE_DIR}/cmake/guest_assets.cmake)

add_library(guest_flags INTERFACE)
target_link_libraries(guest_flags INTERFACE glovebox_flags)
target_include_directories(guest_flags SYSTEM INTERFACE ${GLOVEBOX_V8}/include/node)
# Node is built without RTTI; with it, classes derived from V8's would need type information that is not there.
target_compile_options(guest_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti -fvisibility=hidden>)

# The guest: its own objects of wire and base, because they live in another program.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS guest/*.cc)
list(FILTER sources EXCLUDE REGEX "(syscall_probe|host_functions)\\.cc$")
add_library(guest_objects OBJECT ${sources}
  jail/control_socket.cc jail/confinement/guest_confinement.cc jail/confinement/own_root.cc jail/confinement/privileges.cc
  jail/confinement/steps.cc jail/rewind/first_filter.cc jail/zygote.cc
  wire/data_frame.cc wire/frame.cc wire/json_members.cc program/agent_program.cc
  program/plain_types.cc program/statements.cc program/tokens.cc
  base/text/json_scanner.cc base/text/json_text.cc
  ${CMAKE_BINARY_DIR}/generated/guest_assets.S ${CMAKE_BINARY_DIR}/generated/guest_assets.cc)
target_link_libraries(guest_objects PRIVATE guest_flags)

# glovebox_guest_library(NAME [SOURCES …] [DEFINITIONS …]): the guest, with the functions that it gives to code.
function(glovebox_guest_library name)
  cmake_parse_arguments(GUEST "" "" "SOURCES;DEFINITIONS" ${ARGN})
  add_library(${name} SHARED guest/host_functions.cc ${GUEST_SOURCES} $<TARGET_OBJECTS:guest_objects>)
  target_compile_definitions(${name} PRIVATE ${GUEST_DEFINITIONS})
  target_link_libraries(${name} PRIVATE guest_flags dl)
  # Bound on first use: a process with one run looks up only what it calls. A zygote that forks is told otherwise when it
  # is started.
  target_link_options(${name} PRIVATE -Wl,-z,lazy)
  # The engine runs once to make the boot image.
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND ${GLOVEBOX_FIXED_PLACES} ${CMAKE_COMMAND} -E env LD_PRELOAD=$<TARGET_FILE:${name}>
            ${GLOVEBOX_V8}/bin/node make-image ${CMAKE_BINARY_DIR}/bin/lib${name}.image
    COMMAND ${GLOVEBOX_FIXED_PLACES} ${CMAKE_COMMAND} -E env LD_PRELOAD=$<TARGET_FILE:${name}>
            ${GLOVEBOX_V8}/bin/node note-used-pages ${CMAKE_BINARY_DIR}/bin/lib${name}.image)
endfunction()
# The engine stands beside the program under our name for it.
file(CREATE_LINK ${GLOVEBOX_V8}/bin/node ${CMAKE_BINARY_DIR}/bin/glovebox-engine SYMBOLIC)
glovebox_guest_library(glovebox-guest)
add_dependencies(glovebox-python glovebox-guest)

# For tests/attack: a guest that makes raw system calls, as if it had broken out of the engine.
glovebox_guest_library(glovebox-guest-probe SOURCES guest/syscall_probe.cc DEFINITIONS GLOVEBOX_SYSCALL_PROBE)
set_target_properties(glovebox-guest-probe PROPERTIES EXCLUDE_FROM_ALL ON)
