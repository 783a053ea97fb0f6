// How much of an untrusted schema is translated. Beyond these limits the rest becomes `any` with a remark.
#pragma once

#include <cstddef>

namespace glovebox::types {

// Schemas that are read for one tool. Real tools have tens, the largest seen some hundreds; code is checked against
// every known tool, so a server that lists huge ones would slow down all checks.
inline constexpr std::size_t kMostSchemas = 2000;

// Nesting in one type, and references that lead to references. Printers and compilers recurse.
inline constexpr int kMostDepth = 24;
inline constexpr int kMostNamesUnderWay = 48;

// Values of an enum. Longer lists are data, which no one reads before a call.
inline constexpr std::size_t kMostChoices = 100;

// Alternatives that an intersection of unions amounts to when it is multiplied out, as compilers do.
inline constexpr std::size_t kMostAlternatives = 500;

// A name that is used once is replaced by its type up to this size; one that is used often only if it is small.
inline constexpr std::size_t kMostNodesUsedOnce = 60;
inline constexpr std::size_t kMostNodesUsedOften = 8;

// Bytes of a property's name or an enum's value. Longer ones are not meant to be written by hand.
inline constexpr std::size_t kMostNameBytes = 200;

// Bytes of a tool's description that are shown. An agent reads many tools before it calls one; a person, or an agent
// that reads Python, has asked for this one.
inline constexpr std::size_t kMostShortDescription = 300;
inline constexpr std::size_t kMostDescription = 4000;

// The text of one declaration. A longer one is made again with `any` for its parameters and result.
inline constexpr std::size_t kMostDeclarationBytes = 64 * 1024;

}  // namespace glovebox::types
