// TRY and CHECK: how a Result is passed on, and how a broken invariant ends the process.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "glovebox/result.h"

// Evaluates to the value of a Result, or returns its Failure from the enclosing function.
#define GLOVEBOX_TRY(expression)                                               \
  ({                                                                           \
    auto glovebox_try_result = (expression);                                   \
    if (!glovebox_try_result) return std::move(glovebox_try_result).failure(); \
    std::move(glovebox_try_result).value();                                    \
  })

#define GLOVEBOX_TRY_VOID(expression)                                          \
  do {                                                                         \
    auto glovebox_try_result = (expression);                                   \
    if (!glovebox_try_result) return std::move(glovebox_try_result).failure(); \
  } while (false)

// For what cannot be false unless our own code is wrong.
#define GLOVEBOX_CHECK(condition)                                                                        \
  do {                                                                                                   \
    if (!(condition)) {                                                                                  \
      std::fprintf(stderr, "glovebox: broken invariant at %s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                                      \
    }                                                                                                    \
  } while (false)
