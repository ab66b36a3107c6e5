#ifndef IFTTT_CCRYPTO_H
#define IFTTT_CCRYPTO_H

/* A few functions of OpenSSL's libcrypto. It is loaded at run time, so that a run without credentials does not pay for
   loading it. libcurl needs the same library, so every machine that can send requests has it. */
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

/* The signature schemes, with SHA-256 if the scheme has a choice of hash. The salt is as long as the hash. */
enum {
  CCRYPTO_RSA_PKCS1,
  CCRYPTO_RSA_PSS,
  CCRYPTO_ECDSA,
  CCRYPTO_ED25519,
};

/* Bytes that are only read; `start` may be NULL if `count` is 0. */
typedef struct {
  const uint8_t *_Nullable start;
  size_t count;
} ccrypto_bytes;

/* The library's file names, newest first; NULL after the last one. */
const char *_Nullable ccrypto_name(size_t place);

/* Opens the named library and finds every function below. Returns NULL on success, otherwise the reason of the failure
   (valid until this thread's next call). The first library that has all functions is used from then on. Call this
   function before any other. */
const char *_Nullable ccrypto_open(const char *name);

/* The functions below return 1 on success and 0 on failure. */

/* AES-256-GCM (NIST SP 800-38D). `sealed` receives the ciphertext, which is as long as `plain`, followed by the tag. */
int ccrypto_seal(const uint8_t *key, const uint8_t *nonce, ccrypto_bytes additional, ccrypto_bytes plain,
                 uint8_t *sealed);
/* `sealed` is the ciphertext and its tag. `plain` receives as many bytes as the ciphertext;
   ignore them after a failure. */
int ccrypto_unseal(const uint8_t *key, const uint8_t *nonce, ccrypto_bytes additional, ccrypto_bytes sealed,
                   uint8_t *plain);
/* scrypt (RFC 7914) with N = `cost`, r = 8, p = 1. It needs 1024 * `cost` bytes of memory. */
int ccrypto_scrypt(ccrypto_bytes passphrase, ccrypto_bytes salt, uint64_t cost, uint8_t *key);

/* Whether a message was signed with the private half of `key`. The key is a SubjectPublicKeyInfo in DER (RFC 5280
   section 4.1) of the type that `scheme` needs. An ECDSA signature is in DER too (RFC 3279 section 2.2.3). Also returns
   0 if the key cannot be parsed. */
int ccrypto_verify(int scheme, ccrypto_bytes key, ccrypto_bytes message, ccrypto_bytes signature);

/* SHA-512 (FIPS 180-4). It cannot fail. */
void ccrypto_sha512(ccrypto_bytes message, uint8_t *hash);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
