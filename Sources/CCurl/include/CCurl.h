#ifndef IFTTT_CCURL_H
#define IFTTT_CCURL_H

/* libcurl's types and constants come from its header. `ccurl_open` loads its functions at run time, so that a run
   without requests does not pay for loading the library and its twenty dependencies. */
#ifndef CURL_DISABLE_TYPECHECK
#define CURL_DISABLE_TYPECHECK 1
#endif
#include <curl/curl.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/* Options and infos that are newer than the oldest supported header. The numbers are part of libcurl's ABI. */
enum {
  CCURL_OPT_PROTOCOLS_STR = 10318,
  CCURL_OPT_QUICK_EXIT = 322,
  CCURL_INFO_CAINFO = 0x10003D,
  CCURL_INFO_CAPATH = 0x10003E,
};

typedef size_t (*ccurl_receiver)(char *_Nullable bytes, size_t size, size_t count, void *_Nullable context);
typedef int (*ccurl_starter)(void *_Nullable context, char *_Nullable server, char *_Nullable local, int server_port,
                             int local_port);

/* Opens the named library and finds every function below. Returns NULL on success, otherwise the reason of the failure
   (valid until the next call). A failure changes nothing. Call this function from one thread at a time, and before any
   other. */
const char *_Nullable ccurl_open(const char *name);

/* Whether the library calls the starter of `ccurl_set_starter`. Libraries before 7.80 do not. */
int ccurl_observes_sending(void);

/* The names and versions of the library and its dependencies: "libcurl/7.88.1 OpenSSL/3.0.11 …". Slow. */
const char *ccurl_version(void);

CURL *_Nullable ccurl_easy_new(void);
void ccurl_easy_reset(CURL *easy);
void ccurl_easy_free(CURL *easy);
const char *ccurl_words(CURLcode code);

/* curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call; hence one function per type. */
CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value);
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *_Nullable value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *_Nullable value);
CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, ccurl_receiver value);
CURLcode ccurl_set_starter(CURL *easy, ccurl_starter value);
/* Closes the sockets of the requests in programs that this process starts. */
CURLcode ccurl_close_sockets_on_exec(CURL *easy);
long ccurl_get_number(CURL *easy, CURLINFO what);
curl_off_t ccurl_get_size(CURL *easy, CURLINFO what);
void *_Nullable ccurl_get_context(CURL *easy);
const char *_Nullable ccurl_get_text(CURL *easy, CURLINFO what);
/* Whether the TLS backend is OpenSSL or one of its forks. */
int ccurl_has_openssl(CURL *easy);

/* Adds one line and returns the new list. Returns NULL if memory is exhausted; the old list is still valid then. */
struct curl_slist *_Nullable ccurl_list_adding(struct curl_slist *_Nullable list, const char *line);
void ccurl_list_free(struct curl_slist *_Nullable list);

CURLM *_Nullable ccurl_multi_new(void);
void ccurl_multi_free(CURLM *multi);
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_perform(CURLM *multi);
/* Waits for any transfer, for one of two descriptors to become readable (-1 for none), or for the time to pass. Returns
   whether `wake` is readable. */
int ccurl_multi_poll(CURLM *multi, int interruption, int wake, int milliseconds);
/* The next completed transfer, or NULL. */
CURL *_Nullable ccurl_multi_ended(CURLM *multi, CURLcode *result);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif

#endif
