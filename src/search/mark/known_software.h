// What software does elsewhere: whether a request is for a kind of software that a catalogue lacks.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace glovebox::search {

// How close each of these texts comes to the nearest of some hundred things that software is known to do, such as
// "Trello: add a card to a board" (bench/requests/known_software.txt): a cosine. Where no tool comes about as close,
// the catalogue lacks it. Empty for vectors that are not of our own weights.
std::vector<float> known_software(std::span<const std::vector<float>> texts);

// Where it cannot be known: what most requests have.
inline constexpr double kTypicalKnownSoftware = 0.5;

// The digits of a vector in the table, for the program that makes it (bench/search_software.cc).
std::string known_software_digits(std::span<const float> vector);

}  // namespace glovebox::search
