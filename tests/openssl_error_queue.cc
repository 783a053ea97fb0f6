// For programs that use OpenSSL only through libcurl: it keeps the error queue of a thread until the thread ends, which
// LeakSanitizer reports as a leak if the process ends first.
extern "C" const char* __lsan_default_suppressions();

const char* __lsan_default_suppressions() {
  return "leak:CRYPTO_zalloc\n";
}
