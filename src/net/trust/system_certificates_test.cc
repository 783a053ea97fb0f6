#include "net/trust/system_certificates.h"

#include <gtest/gtest.h>

namespace glovebox::net {
namespace {

TEST(SystemCertificates, AreThoseOfAnotherDistributionWhereDebiansAreNotThere) {
  EXPECT_EQ(certificates_among({"/nowhere/debian.crt", "/proc/self/exe", "/proc/self/maps"}), "/proc/self/exe");
}

TEST(SystemCertificates, AreLeftToTheLibraryWhereItKnowsThePlaceOrNobodyDoes) {
  EXPECT_EQ(certificates_among({"/proc/self/exe", "/proc/self/maps"}), "");
  EXPECT_EQ(certificates_among({"/nowhere/debian.crt", "/nowhere/fedora.crt"}), "");
}

}  // namespace
}  // namespace glovebox::net
