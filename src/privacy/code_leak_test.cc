// Codes that only a name makes secret, in the languages of their names; and numbers that are other codes.
#include "privacy/leak_fixture.h"

namespace glovebox::privacy {
namespace {

class CodeLeaks : public EntityLeaks {
 protected:
  void expect_left(const Texts& texts) {
    for (const std::string& text : texts) EXPECT_EQ(filter_.text(text).text, text);
  }
  void expect_codes_gone(std::size_t times, const Texts& phrases, const std::function<std::string(Random&)>& make) {
    const Texts ends = {"", ".", ", thanks", "\n", " !", "\"}"};
    for (std::size_t i = 0; i < base::random_rounds(times); ++i) {
      expect_gone(any_of(random_, phrases), make(random_), any_of(random_, ends));
      if (HasFatalFailure()) return;
    }
  }
};

std::string one_time_code(Random& random) {
  const std::size_t form = random() % 4;
  if (form == 0) return digits_of(random, 3) + any_of(random, Texts{"-", " "}) + digits_of(random, 3);
  if (form == 1) return "G-" + digits_of(random, 6);
  return digits_of(random, 4 + random() % 5);
}

TEST_F(CodeLeaks, OneTimeCodesInManyLanguages) {
  const Texts phrases = {"Your verification code is ",
                         "Your Google verification code is ",
                         "Use this code to sign in: ",
                         "login code: ",
                         "2FA code ",
                         "OTP: ",
                         "{\"otp\":\"",
                         "{\"verificationCode\": \"",
                         "/verify?code=",
                         "Your OTP for the payment of EUR 250.00 is ",
                         "your code is ",
                         "security code: ",
                         "Your code:\n\n",
                         "<p>Your code is <b>",
                         "Ihr Bestätigungscode lautet ",
                         "Sicherheitscode: ",
                         "Ihr Code ist ",
                         "Votre code de vérification est ",
                         "Voici votre code de connexion : ",
                         "Tu código de verificación es ",
                         "código de acceso: ",
                         "Il tuo codice di verifica è ",
                         "Seu código de verificação é ",
                         "Je verificatiecode is ",
                         "Twój kod weryfikacyjny to ",
                         "Doğrulama kodunuz: ",
                         "Din verifieringskod är ",
                         "認証コードは",
                         "確認コード：",
                         "您的验证码是",
                         "인증번호 ",
                         "Ваш код подтверждения: ",
                         "Код доступа: "};
  expect_codes_gone(3000, phrases, one_time_code);
}

TEST_F(CodeLeaks, CodesBeforeTheirName) {
  for (const std::string end :
       {" is your verification code.", " is your Acme code", " ist Ihr Bestätigungscode.",
        " est votre code de connexion", " es tu código de verificación", " as your one-time code"})
    for (int i = 0; i < 100; ++i) expect_gone("use ", digits_of(random_, 6), end);
  for (int i = 0; i < 100; ++i) expect_gone("use code ", digits_of(random_, 6), " to sign in to your account");
}

TEST_F(CodeLeaks, PinsAndCodesOfDoorsAndCards) {
  const Texts pins = {"PIN ",
                      "PIN: ",
                      "My PIN is ",
                      "the pin for the new card is ",
                      "{\"pin\":\"",
                      "Pin = ",
                      "PIN #",
                      "el pin de la tarjeta es ",
                      "le code PIN de la carte : ",
                      "kod PIN: ",
                      "Geheimzahl: ",
                      "door code ",
                      "Gate code: ",
                      "the alarm code is ",
                      "暗証番号は"};
  expect_codes_gone(1000, pins, [](Random& random) { return digits_of(random, 4); });
  expect_codes_gone(300, {"CVV: ", "cvc ", "CVV2=", "exp 04/29 cvc ", "\"cvv\":\""},
                    [](Random& random) { return digits_of(random, 3); });
  expect_codes_gone(300, {"PUK: ", "SIM PUK "}, [](Random& random) { return digits_of(random, 8); });
  expect_codes_gone(300, {"safe combination: ", "the combination of the safe is "}, [](Random& random) {
    return two_digits(random, 10, 99) + "-" + two_digits(random, 10, 99) + "-" + two_digits(random, 10, 99);
  });
}

TEST_F(CodeLeaks, ListsOfBackupCodes) {
  for (int i = 0; i < 100; ++i) {
    Texts codes;
    std::string text = "backup codes:";
    for (int n = 0; n < 8; ++n) {
      codes.push_back(digits_of(random_, 4) + "-" + some(random_, "abcdefgh", 4));
      text += any_of(random_, Texts{" ", "\n"}) + codes.back();
    }
    const std::string filtered = filter_.text(text).text;
    for (const std::string& code : codes) ASSERT_EQ(filtered.find(code), filtered.npos) << filtered;
  }
  expect_gone("recovery code ", "3BP9K-FDQT3", "");
}

TEST_F(CodeLeaks, OtherCodesAndNumbersStay) {
  expect_left({"error code is 482913",
               "error code: 482913",
               "status code 4040",
               "Your ZIP code is 90210",
               "your postal code: 75011",
               "country code 4912",
               "promo code 482913",
               "Der Code ist 482913 Zeilen lang",
               "Fehlercode 482913",
               "code postal 75011",
               "código de error 482913",
               "エラーコード482913",
               "错误码 482913",
               "code coverage is 93.4821 percent",
               "verification code expired after 6000 seconds",
               "the verification code has 6000 characters",
               "pin 1000 of the chip",
               "#define LED_PIN 1300",
               "pin the version to 4821",
               "connect pin 4821",
               "{\"pincode\":\"560001\"}",
               "\"code\": 482913",
               "Erlang/OTP 2026.2",
               "tan 482913",
               "message authentication code (RFC-2104)",
               "access code paths in 482913",
               "login code at line 482913",
               "the PIN is four digits",
               "verification code: 482913.5",
               "security code 2026-11-19",
               "safe: 2026-11-19",
               "barcode 48291345",
               "source code: 4829",
               "unicode 4829",
               "return code: 4829",
               "\"errorCode\":\"482913\"",
               "authentication code lives in src/auth.cc:4829"});
}

}  // namespace
}  // namespace glovebox::privacy
