// The one place where Boost.JSON is compiled; everything else includes its declarations only.
#include <boost/json/src.hpp>
