#include "CCrypto.h"

#include <secret_memory.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>

/* The types and functions as declared by OpenSSL since 1.1.0 (its manual, section 3). They are declared here so that a
   build does not need the headers of a library that it does not link. */
typedef struct cipher cipher;
typedef struct context context;
typedef struct digest digest;
typedef struct digest_context digest_context;
typedef struct public_key public_key;
typedef struct key_context key_context;

#define FUNCTIONS(X)                                                                                                   \
  X(const cipher *, EVP_aes_256_gcm, (void))                                                                           \
  X(context *, EVP_CIPHER_CTX_new, (void))                                                                             \
  X(void, EVP_CIPHER_CTX_free, (context *))                                                                            \
  X(int, EVP_CIPHER_CTX_ctrl, (context *, int, int, void *))                                                           \
  X(int, EVP_EncryptInit_ex, (context *, const cipher *, void *, const uint8_t *, const uint8_t *))                    \
  X(int, EVP_EncryptUpdate, (context *, uint8_t *, int *, const uint8_t *, int))                                       \
  X(int, EVP_EncryptFinal_ex, (context *, uint8_t *, int *))                                                           \
  X(int, EVP_DecryptInit_ex, (context *, const cipher *, void *, const uint8_t *, const uint8_t *))                    \
  X(int, EVP_DecryptUpdate, (context *, uint8_t *, int *, const uint8_t *, int))                                       \
  X(int, EVP_DecryptFinal_ex, (context *, uint8_t *, int *))                                                           \
  X(int, EVP_PBE_scrypt,                                                                                               \
    (const char *, size_t, const uint8_t *, size_t, uint64_t, uint64_t, uint64_t, uint64_t, uint8_t *, size_t))        \
  X(const digest *, EVP_sha256, (void))                                                                                \
  X(uint8_t *, SHA512, (const uint8_t *, size_t, uint8_t *))                                                           \
  X(public_key *, d2i_PUBKEY, (public_key **, const uint8_t **, long))                                                 \
  X(void, EVP_PKEY_free, (public_key *))                                                                               \
  X(int, EVP_PKEY_CTX_ctrl_str, (key_context *, const char *, const char *))                                           \
  X(digest_context *, EVP_MD_CTX_new, (void))                                                                          \
  X(void, EVP_MD_CTX_free, (digest_context *))                                                                         \
  X(int, EVP_DigestVerifyInit, (digest_context *, key_context **, const digest *, void *, public_key *))               \
  X(int, EVP_DigestVerify, (digest_context *, const uint8_t *, size_t, const uint8_t *, size_t))                       \
  X(void, ERR_clear_error, (void))

/* EVP_CTRL_AEAD_GET_TAG and EVP_CTRL_AEAD_SET_TAG of openssl/evp.h. GCM's default nonce length is 12 bytes. */
enum { GET_TAG = 0x10, SET_TAG = 0x11 };

#define MEMBER(result, name, parameters) result(*name) parameters;
typedef struct {
  FUNCTIONS(MEMBER)
} library;
static library lib;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

const char *ccrypto_name(size_t place) {
  static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1"};
  return place < sizeof names / sizeof *names ? names[place] : NULL;
}

const char *ccrypto_open(const char *name) {
  void *opened = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (opened == NULL) return dlerror();
  library found;
#define FIND(result, name, parameters)                                                                                 \
  *(void **)&found.name = dlsym(opened, #name);                                                                        \
  if (found.name == NULL) {                                                                                            \
    dlclose(opened);                                                                                                   \
    return "it lacks the function " #name;                                                                             \
  }
  FUNCTIONS(FIND)
  /* Keep the first library, because other threads may be using it. */
  pthread_mutex_lock(&opening);
  if (lib.EVP_aes_256_gcm == NULL) lib = found;
  pthread_mutex_unlock(&opening);
  return NULL;
}

/* Whether a length fits OpenSSL's int. Updates without bytes are skipped below, because OpenSSL 1.1 treats a NULL input
   as the end. */
static int fits(ccrypto_bytes bytes) { return bytes.count <= INT_MAX - CCRYPTO_TAG_SIZE; }

int ccrypto_seal(const uint8_t *key, const uint8_t *nonce, ccrypto_bytes additional, ccrypto_bytes plain,
                 uint8_t *sealed) {
  context *box = lib.EVP_CIPHER_CTX_new();
  if (box == NULL) return 0;
  int count = 0, rest = 0;
  int done = fits(additional) && fits(plain) &&
             lib.EVP_EncryptInit_ex(box, lib.EVP_aes_256_gcm(), NULL, key, nonce) == 1 &&
             (additional.count == 0 ||
              lib.EVP_EncryptUpdate(box, NULL, &rest, additional.start, (int)additional.count) == 1) &&
             (plain.count == 0 || lib.EVP_EncryptUpdate(box, sealed, &count, plain.start, (int)plain.count) == 1) &&
             lib.EVP_EncryptFinal_ex(box, sealed + count, &rest) == 1 &&
             lib.EVP_CIPHER_CTX_ctrl(box, GET_TAG, CCRYPTO_TAG_SIZE, sealed + plain.count) == 1;
  lib.EVP_CIPHER_CTX_free(box);
  return done;
}

int ccrypto_unseal(const uint8_t *key, const uint8_t *nonce, ccrypto_bytes additional, ccrypto_bytes sealed,
                   uint8_t *plain) {
  if (sealed.count < CCRYPTO_TAG_SIZE || !fits(sealed) || !fits(additional)) return 0;
  size_t size = sealed.count - CCRYPTO_TAG_SIZE;
  context *box = lib.EVP_CIPHER_CTX_new();
  if (box == NULL) return 0;
  int count = 0, rest = 0;
  /* EVP_DecryptFinal_ex compares the tags. */
  int done = lib.EVP_DecryptInit_ex(box, lib.EVP_aes_256_gcm(), NULL, key, nonce) == 1 &&
             (additional.count == 0 ||
              lib.EVP_DecryptUpdate(box, NULL, &rest, additional.start, (int)additional.count) == 1) &&
             (size == 0 || lib.EVP_DecryptUpdate(box, plain, &count, sealed.start, (int)size) == 1) &&
             lib.EVP_CIPHER_CTX_ctrl(box, SET_TAG, CCRYPTO_TAG_SIZE, (void *)(sealed.start + size)) == 1 &&
             lib.EVP_DecryptFinal_ex(box, plain + count, &rest) == 1;
  lib.EVP_CIPHER_CTX_free(box);
  /* It was decrypted before the tags were compared. */
  if (!done) secret_memory_clear(plain, size);
  return done;
}

int ccrypto_scrypt(ccrypto_bytes passphrase, ccrypto_bytes salt, uint64_t cost, uint8_t *key) {
  /* OpenSSL fails above this memory limit; it needs slightly more than 128 * r * N bytes. */
  uint64_t memory = 1024 * cost + (1 << 20);
  return lib.EVP_PBE_scrypt((const char *)passphrase.start, passphrase.count, salt.start, salt.count, cost, 8, 1,
                            memory, key, CCRYPTO_KEY_SIZE) == 1;
}

int ccrypto_verify(int scheme, ccrypto_bytes key, ccrypto_bytes message, ccrypto_bytes signature) {
  const uint8_t *rest = key.start;
  public_key *read = key.count <= LONG_MAX ? lib.d2i_PUBKEY(NULL, &rest, (long)key.count) : NULL;
  digest_context *check = lib.EVP_MD_CTX_new();
  key_context *settings = NULL;
  /* Ed25519 has a fixed hash. */
  const digest *hash = scheme == CCRYPTO_ED25519 ? NULL : lib.EVP_sha256();
  int done = read != NULL && check != NULL && rest == key.start + key.count &&
             lib.EVP_DigestVerifyInit(check, &settings, hash, NULL, read) == 1 &&
             (scheme != CCRYPTO_RSA_PSS || (lib.EVP_PKEY_CTX_ctrl_str(settings, "rsa_padding_mode", "pss") == 1 &&
                                            lib.EVP_PKEY_CTX_ctrl_str(settings, "rsa_pss_saltlen", "32") == 1)) &&
             lib.EVP_DigestVerify(check, signature.start, signature.count, message.start, message.count) == 1;
  lib.EVP_MD_CTX_free(check);
  lib.EVP_PKEY_free(read);
  /* libcurl shares this thread's error queue and would report these errors as its own. */
  lib.ERR_clear_error();
  return done;
}

void ccrypto_sha512(ccrypto_bytes message, uint8_t *hash) { lib.SHA512(message.start, message.count, hash); }
