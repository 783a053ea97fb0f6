#include "cli/serve/serve_via.h"

#include <gtest/gtest.h>

namespace glovebox::cli {
namespace {

const std::vector<std::string> kServe = {"glovebox", "serve", "--workspace", "/home/ada/it's mine"};

std::string words(const std::string& place) {
  const auto command = command_via(place, kServe);
  if (!command) return command.failure().message.substr(0, 10);
  std::string text;
  for (const std::string& word : *command) text += "[" + word + "]";
  return text;
}

TEST(ServeVia, LeadsToOtherMachines) {
  EXPECT_EQ(words("ssh://ada@box.example"),
            "[ssh][-T][--][ada@box.example]['glovebox']['serve']['--workspace']['/home/ada/it'\\''s mine']");
  EXPECT_EQ(words("ssh://box:2222").substr(0, 29), "[ssh][-T][-p][2222][--][box][");
  EXPECT_EQ(words("ssh://[::1]:22").substr(0, 27), "[ssh][-T][-p][22][--][::1][");
  EXPECT_EQ(words("docker://box"), "[docker][exec][-i][box][glovebox][serve][--workspace][/home/ada/it's mine]");
  EXPECT_EQ(words("wsl"), "[wsl.exe][--][glovebox][serve][--workspace][/home/ada/it's mine]");
  EXPECT_EQ(words("wsl://Debian").substr(0, 26), "[wsl.exe][-d][Debian][--][");
}

// A place is no way to hand options to those programs.
TEST(ServeVia, RefusesWhatIsNoPlace) {
  for (const char* place : {"", "ssh", "ssh://", "ssh://-oProxyCommand=x", "ssh://a b", "ssh://h:22x", "ssh://h:",
                            "docker", "docker://-v", "docker://a/b", "wsl://", "http://x", "ssh://h;x", "ssh://h'x"})
    EXPECT_EQ(words(place), "--via take") << place;
}

}  // namespace
}  // namespace glovebox::cli
