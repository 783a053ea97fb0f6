#include "search/text/language.h"

#include <gtest/gtest.h>

namespace glovebox::search {
namespace {

TEST(Language, IsToldByScriptAndSmallWords) {
  EXPECT_EQ(foreign_language("Schick eine Nachricht an das Team und zeige mir die Dateien"), "German");
  EXPECT_EQ(foreign_language("envoie un message à mes collègues avec les fichiers"), "French");
  EXPECT_EQ(foreign_language("busca los archivos de la carpeta y envía un correo para mi equipo"), "Spanish");
  EXPECT_EQ(foreign_language("zoek het bestand en stuur een bericht naar mijn team"), "Dutch");
  EXPECT_EQ(foreign_language("найди все файлы в папке"), "Russian or a language that is written like it");
  EXPECT_EQ(foreign_language("获取阿迪达斯的工单"), "Chinese");
  EXPECT_EQ(foreign_language("最近のニュースを探して"), "Japanese");
  EXPECT_EQ(foreign_language("최근 뉴스를 찾아줘"), "Korean");
  EXPECT_EQ(foreign_language("SQL で table を query する、最近の注文を全部表示して"), "Japanese");
}

TEST(Language, EnglishIsNotForeign) {
  for (const char* text :
       {"", "list files", "show me the commits of a branch", "order a crème brûlée", "book a table at Café de Flore",
        "what does 'la vie en rose' mean in English?", "send São Paulo office the report", "kubectl get pods -n prod",
        "El Niño forecast for the coast", "translate 你好 into English, and write it to a file",
        "\xff\xfe broken \xc3"})
    EXPECT_EQ(foreign_language(text), "") << text;
}

}  // namespace
}  // namespace glovebox::search
