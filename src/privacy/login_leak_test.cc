// Passwords that are words, beside the name of a user, and as words of a command line.
#include "privacy/leak_fixture.h"

namespace glovebox::privacy {
namespace {

class LoginLeaks : public EntityLeaks {
 protected:
  void expect_left(const Texts& texts) {
    for (const std::string& text : texts) EXPECT_EQ(filter_.text(text).text, text);
  }
};

std::string some_word(Random& random) {
  return any_of(random, Texts{"swordfish", "dragon", "sunshine", "Trumpet", "marmalade", "blackbird", "gorilla"}) +
         any_of(random, Texts{"", "penguin", "forest"});
}
std::string made_up(Random& random) {
  return random() % 2 ? some_word(random) + digits_of(random, 1 + random() % 3) : "hunter2";
}

TEST_F(LoginLeaks, WordsThatASentenceStates) {
  const Texts phrases = {"the password is ",
                         "The password for staging is ",
                         "her password was ",
                         "The password has been set to ",
                         "the pw for the box is now ",
                         "Das Passwort lautet ",
                         "das Kennwort für den Drucker ist ",
                         "le mot de passe est ",
                         "la contraseña es ",
                         "la password è ",
                         "a senha é ",
                         "het wachtwoord is ",
                         "hasło to ",
                         "lösenordet är ",
                         "the passphrase is: "};
  const Around around = {{"", "."},   {"", ", please keep it"}, {"", "\n"}, {"", ""}, {"'", "' now"}, {"\"", "\"."},
                         {"", " now"}};
  for (std::size_t i = 0; i < base::random_rounds(2000); ++i) {
    const auto [open, close] = any_of(random_, around);
    expect_gone(any_of(random_, phrases) + open, some_word(random_), close);
    if (HasFatalFailure()) return;
  }
  expect_gone("login failed with password '", "swordfish", "'");
  expect_gone("they use ", "hunter2", " as their password on prod");
  expect_gone("pw ", "hunter2", "");
  expect_gone("Einmalpasswort: ", "482913", "");
  expect_gone("<td>Password</td><td>", "swordfish", "</td>");
  expect_left({"the password is required",
               "The password is too short.",
               "password is incorrect, try again",
               "the password was changed yesterday",
               "the password is hashed with bcrypt.",
               "the password is optional.",
               "the password is documented",
               "the password is stored encrypted",
               "The password is visible.",
               "Das Passwort ist falsch",
               "Das Passwort ist abgelaufen.",
               "das Passwort wurde geändert",
               "Das Passwort ist ungültig",
               "le mot de passe est obligatoire",
               "le mot de passe est incorrect.",
               "la contraseña es incorrecta",
               "la contraseña es obligatoria",
               "la password è errata",
               "a senha é fraca",
               "het wachtwoord is onjuist",
               "het wachtwoord is verplicht.",
               "hasło jest wymagane",
               "shadow password entry to stream.",
               "the password is swordfishes and more",
               "Password is never logged",
               "uses sha256 as a password hash",
               "the password is kept secret",
               "the passwords are different",
               "<td>Password</td><td>Required</td>",
               "<td>password</td><td>string</td>",
               "password is mandatory"});
}

TEST_F(LoginLeaks, PasswordsBesideUsers) {
  const Around places = {{"user bob, pass ", ""},
                         {"User: bob\nPass: ", "\n"},
                         {"username bob password ", ""},
                         {"Benutzer bob, Passwort ", "."},
                         {"Usuario: bob, clave: ", ""},
                         {"O usuário é bob e a senha é ", ""},
                         {"identifiant : bob\nmot de passe : ", ""},
                         {"utente: bob, pwd: ", ""},
                         {"gebruiker bob, wachtwoord ", ""},
                         {"użytkownik: bob hasło: ", ""},
                         {"kullanıcı adı bob parola ", ""},
                         {"user=bob; password=", ""}};
  for (std::size_t i = 0; i < base::random_rounds(1500); ++i) {
    const auto& [before, behind] = places[random_() % places.size()];
    expect_gone(before, random_() % 2 ? some_word(random_) : made_up(random_), behind);
    if (HasFatalFailure()) return;
  }
  for (const std::string start :
       {"log in with bob / ", "login with admin / ", "sign in as bob / ", "Melde dich mit bob / ",
        "connecte-toi avec bob / ", "entra con bob / ", "log in with bob:"})
    for (int i = 0; i < 50; ++i) expect_gone(start, made_up(random_), " please");
  expect_left({"log in with email / password", "sign in with Google / GitHub", "sign in with SAML / OAuth2",
               "user admin, role owner", "user: bob / role: editor", "username and password are required",
               "user name, password reset", "username or email, password", "log in as root / sudo",
               "user bob, password required", "username field, password field"});
}

TEST_F(LoginLeaks, WordsOfCommandLines) {
  const Around places = {{"net use X: \\\\nas\\share ", " /user:bob"},
                         {"net use * \\\\nas\\c$ /user:CORP\\bob ", ""},
                         {"net user bob ", " /add"},
                         {"htpasswd -b /etc/nginx/users bob ", ""},
                         {"htpasswd -cbB .htpasswd bob ", ""},
                         {"wpa_passphrase HomeNet ", ""},
                         {"openssl rsa -in a.pem -passin pass:", " -out b.pem"},
                         {"openssl pkcs12 -export -passout pass:", ""},
                         {"ConvertTo-SecureString '", "' -AsPlainText -Force"},
                         {"ConvertTo-SecureString -String \"", "\" -AsPlainText"},
                         {"-Password (ConvertTo-SecureString ", " -AsPlainText -Force)"},
                         {"echo 'bob:", "' | chpasswd"},
                         {"echo ", " | passwd --stdin bob"},
                         {"echo \"", "\" | sudo -S apt-get update"},
                         {"printf '%s' '", "' | docker login -u bob --password-stdin"},
                         {"cryptsetup luksOpen /dev/sdb1 x <<< \"", "\""},
                         {"rsync --password-file=<(echo ", ") a b::c"},
                         {"sqlplus bob/", "@orcl"},
                         {"impacket-secretsdump CORP/bob:", "@10.1.1"},
                         {"xfreerdp /u:bob /p:", " /v:host"},
                         {"schtasks /create /tn job /ru bob /rp ", ""},
                         {"az login --service-principal -u x -p ", " --tenant corp"},
                         {"psexec \\\\host -u bob -p ", " cmd"},
                         {"keytool -genkeypair -storepass ", " -alias a"},
                         {"plink -ssh -pw ", " bob@host"},
                         {"rabbitmqctl add_user bob ", ""},
                         {"neo4j-admin set-initial-password ", ""}};
  for (std::size_t i = 0; i < base::random_rounds(3000); ++i) {
    const auto& [before, behind] = places[random_() % places.size()];
    expect_gone(before, any_of(random_, Texts{"Tr0ub4dor&3", "falcon62maple", "kx72mqR"}), behind);
    if (HasFatalFailure()) return;
  }
  expect_gone("vault login ", "hvx" + some(random_, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 28), "");
  expect_gone("npm config set //r.example.net/:_authToken ", "f3" + some(random_, "abcdef0123456789", 30), "");
  expect_left({"net use X: \\\\host\\share", "net use X: \\\\host\\share * /user:bob", "net use X: /delete",
               "net user bob /delete", "htpasswd -c .htpasswd bob1234",
               "openssl rsa -passin env:PASS12 -out b12345.pem", "ConvertTo-SecureString $plain1 -AsPlainText",
               "echo \"done123\" | tee log1234", "vault login", "echo hello1234 | sudo tee /etc/motd", "sqlplus /nolog",
               "echo $PASS1234 | sudo -S ls", "az login -p", "the net use 12345678 of water", "openssl passwd -1",
               "echo 'unclosed | sudo -S", "net user \"", "cat a | sudo -S tee b1234567", "vault login -method=ldap"});
}

TEST_F(LoginLeaks, NothingBreaksWhereATextEnds) {
  for (const std::string whole :
       {"echo -n 'bob:x1' | chpasswd <<< \"y\"", "net use * \\\\a\\b \"x\" /user:c", "user: 'bob', pass: \"x\"",
        "log in with bob / x", "use code 482913 to sign in", "htpasswd -b a 'b' \"c", "PIN is **1", "openssl x pass:'",
        "<b>code</b>: <i", "1 is your code", "kod 1", "\\x4", "4**1", "\xbcytkownik: bob hasło: x1",
        "\xbfser x, pass y1", "\xffPIN 1\xff"})
    for (std::size_t size = 0; size <= whole.size(); ++size)
      for (const std::string tail : {"", " ", "'", "\"", "\n", "\\", "1", ":", "/ "})
        (void)filter_.text(whole.substr(0, size) + tail);
}

}  // namespace
}  // namespace glovebox::privacy
