# The engine is the largest program that we ship and did not build. Its bytes are those that were recorded here when its
# version was chosen; npm's own check covers the download only.
set(GLOVEBOX_ENGINE_SHA256 ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da CACHE STRING
  "SHA-256 of the engine's bin/node, 26.10.0 for linux-x64")
file(REAL_PATH ${GLOVEBOX_V8}/bin/node engine)
file(TIMESTAMP ${engine} engine_time "%s")
file(SIZE ${engine} engine_size)
set(engine_seen "${GLOVEBOX_ENGINE_SHA256} ${engine_time} ${engine_size}")
if(NOT engine_seen STREQUAL GLOVEBOX_ENGINE_SEEN)
  file(SHA256 ${engine} engine_digest)
  if(NOT engine_digest STREQUAL GLOVEBOX_ENGINE_SHA256)
    message(FATAL_ERROR "The engine ${engine} is not the one that was chosen: its SHA-256 is ${engine_digest}, not "
      "${GLOVEBOX_ENGINE_SHA256}. Remove node_modules and run make again. For another engine that you trust, pass its "
      "digest as -DGLOVEBOX_ENGINE_SHA256, or record it in cmake/engine_digest.cmake when the version in package.json changes.")
  endif()
  set(GLOVEBOX_ENGINE_SEEN "${engine_seen}" CACHE INTERNAL "The engine whose digest was right")
endif()
