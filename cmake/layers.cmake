# Two families of code: the gateway's, which may be sanitized, and the guest's, which is loaded into Node's executable and
# must match how that was built.

# Names of files in messages do not depend on where the tree lies or is built, nor does what the compiler's cache finds.
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
file(RELATIVE_PATH from_batches ${CMAKE_BINARY_DIR}/batches ${CMAKE_SOURCE_DIR})
add_compile_options(-ffile-prefix-map=${CMAKE_BINARY_DIR}/batches/${from_batches}=)
add_compile_options(-Wall -Wextra -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of g++ 12 about std::variant, std::optional and the concatenation of strings.
  add_compile_options(-Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict -Wno-array-bounds
                      -Wno-mismatched-new-delete)
  # A batch takes about a gigabyte. By default g++ looks for garbage every time its heap has doubled, a seventh of its time.
  add_compile_options(--param=ggc-min-expand=1000 --param=ggc-min-heapsize=1500000)
endif()

add_library(glovebox_flags INTERFACE)
target_include_directories(glovebox_flags INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)

add_library(gateway_flags INTERFACE)
target_link_libraries(gateway_flags INTERFACE glovebox_flags)
# Asio's deadlines by calendar and its old names: nothing here uses them, and every file would read them.
target_compile_definitions(gateway_flags INTERFACE BOOST_ASIO_DISABLE_BOOST_DATE_TIME BOOST_ASIO_NO_DEPRECATED)
if(GLOVEBOX_SANITIZE)
  target_compile_options(gateway_flags INTERFACE -fsanitize=${GLOVEBOX_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gateway_flags INTERFACE -fsanitize=${GLOVEBOX_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # clang 14 cannot write down where the parts of a coroutine lie when their types are checked at calls.
    target_compile_options(gateway_flags INTERFACE -fno-sanitize=function)
  endif()
endif()

# What makes a memory error in the gateway end it rather than serve an attacker. Sanitizers have checks of their own.
add_library(hardened INTERFACE)
if(NOT GLOVEBOX_SANITIZE)
  target_compile_options(hardened INTERFACE -fstack-protector-strong -fstack-clash-protection -fcf-protection=full
    $<$<CONFIG:Release>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3> -D_GLIBCXX_ASSERTIONS)
  target_link_options(hardened INTERFACE LINKER:-z,relro,-z,now,-z,noexecstack)
endif()

# glovebox_layer(NAME FOLDERS … LINKS … WITHOUT …): one target per folder of src/, tests left out. Without FOLDERS the
# folder has the target's name. A layer sees only what it links.
function(glovebox_layer name)
  cmake_parse_arguments(LAYER "" "" "FOLDERS;LINKS;WITHOUT" ${ARGN})
  if(NOT LAYER_FOLDERS)
    set(LAYER_FOLDERS ${name})
  endif()
  list(TRANSFORM LAYER_FOLDERS APPEND "/*.cc")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${LAYER_FOLDERS})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(REMOVE_ITEM sources "" ${LAYER_WITHOUT})
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC gateway_flags ${LAYER_LINKS} PRIVATE hardened)
endfunction()
