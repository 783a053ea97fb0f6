// Boost.JSON itself, compiled once: Boost's headers are all that is installed.
#include <boost/json/src.hpp>
