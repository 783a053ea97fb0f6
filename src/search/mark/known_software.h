// What software does elsewhere: whether a request is for a kind of software that a catalogue lacks.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace glovebox::search {

// The nearest of some hundred things that software is known to do, such as "Trello: add a card to a board"
// (bench/requests/known_software.txt).
struct KnownSoftware {
  std::size_t which;
  double closeness;  // a cosine
};

// For each text. Empty for vectors that are not of our own weights.
std::vector<KnownSoftware> known_software(std::span<const std::vector<float>> texts);

// How close a tool comes to it. A request for software that a catalogue lacks is closer to it than any tool is.
double closeness_to(const KnownSoftware& software, std::span<const float> tool);

// Where it cannot be known: with this, most tools that serve are as far above the border as they are with it.
inline constexpr double kTypicalKnownSoftware = 0.45;

// The digits of a vector in the table, for the program that makes it (bench/search_software.cc).
std::string known_software_digits(std::span<const float> vector);

}  // namespace glovebox::search
