#ifndef IFTTT_CCRYPTO_H
#define IFTTT_CCRYPTO_H

/* A few functions of OpenSSL's libcrypto, which is found only at run time, so that a program that touches no credential
   does not pay for loading it. libcurl needs the same library, so it is on every machine that can make a request. */
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

enum {
  CCRYPTO_KEY_SIZE = 32,
  CCRYPTO_NONCE_SIZE = 12,
  CCRYPTO_TAG_SIZE = 16,
  CCRYPTO_SHA512_SIZE = 64,
};

/* What a signature was made by, with SHA-256 where a hash can be chosen. A salt is as long as the hash. */
enum {
  CCRYPTO_RSA_PKCS1,
  CCRYPTO_RSA_PSS,
  CCRYPTO_ECDSA,
  CCRYPTO_ED25519,
};

/* Bytes that are only read; `start` may be NULL where there are none. */
typedef struct {
  const uint8_t *_Nullable start;
  size_t count;
} ccrypto_bytes;

/* The names that the library has, the newest first; NULL behind the last. */
const char *_Nullable ccrypto_name(size_t place);

/* Opens the named library and finds every function below. Gives NULL on success, else why not (valid until this
   thread's next call). The first library that has them all is used from then on. Call it before any other function. */
const char *_Nullable ccrypto_open(const char *name);

/* The functions below give 1 on success and 0 on failure. */

/* AES-256-GCM (NIST SP 800-38D). `sealed` takes the ciphertext, as long as `plain`, and the tag behind it. */
int ccrypto_seal(const uint8_t *key, const uint8_t *nonce, ccrypto_bytes additional, ccrypto_bytes plain,
                 uint8_t *sealed);
/* `sealed` is the ciphertext and its tag; `plain` takes as much as the ciphertext, and is worth nothing after a failure. */
int ccrypto_unseal(const uint8_t *key, const uint8_t *nonce, ccrypto_bytes additional, ccrypto_bytes sealed,
                   uint8_t *plain);
/* scrypt (RFC 7914) with N = `cost`, r = 8, p = 1, which takes 1024 * `cost` bytes of memory. */
int ccrypto_scrypt(ccrypto_bytes passphrase, ccrypto_bytes salt, uint64_t cost, uint8_t *key);

/* Whether a message was signed with the private half of `key`, a SubjectPublicKeyInfo in DER (RFC 5280 section 4.1) of the
   kind that `scheme` needs. A signature of ECDSA is in DER too (RFC 3279 section 2.2.3). 0 too for a key that cannot be
   read. */
int ccrypto_verify(int scheme, ccrypto_bytes key, ccrypto_bytes message, ccrypto_bytes signature);

/* Gives nothing: SHA-512 (FIPS 180-4) cannot fail. */
void ccrypto_sha512(ccrypto_bytes message, uint8_t *hash);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
