#include "CCurl.h"

#include <secret_memory.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Every function that is used. libcurl's own header declares them, so a wrong signature does not compile. */
#define FUNCTIONS(X)                                                                                                   \
  X(curl_global_init)                                                                                                  \
  X(curl_version)                                                                                                      \
  X(curl_easy_init)                                                                                                    \
  X(curl_easy_reset)                                                                                                   \
  X(curl_easy_cleanup)                                                                                                 \
  X(curl_easy_strerror)                                                                                                \
  X(curl_easy_setopt)                                                                                                  \
  X(curl_easy_getinfo)                                                                                                 \
  X(curl_slist_append)                                                                                                 \
  X(curl_slist_free_all)                                                                                               \
  X(curl_multi_init)                                                                                                   \
  X(curl_multi_setopt)                                                                                                 \
  X(curl_multi_cleanup)                                                                                                \
  X(curl_multi_add_handle)                                                                                             \
  X(curl_multi_remove_handle)                                                                                          \
  X(curl_multi_perform)                                                                                                \
  X(curl_multi_poll)                                                                                                   \
  X(curl_multi_info_read)

#define MEMBER(name) __typeof__(&name) name##_;
typedef struct {
  FUNCTIONS(MEMBER)
} library;
static library lib;
static int observes_sending;

const char *ccurl_open(const char *name) {
  void *opened = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (opened == NULL) return dlerror();
  library found;
#define FIND(name)                                                                                                     \
  *(void **)&found.name##_ = dlsym(opened, #name);                                                                     \
  if (found.name##_ == NULL) {                                                                                         \
    dlclose(opened);                                                                                                   \
    return "it lacks the function " #name;                                                                             \
  }
  FUNCTIONS(FIND)
  if (found.curl_global_init_(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    dlclose(opened);
    return "it cannot be initialised";
  }
#ifdef __GLIBC__
  /* libcurl allocates and frees buffers for each HTTP/2 stream. glibc would return that memory to the system and request it
     again for the next streams: 8 percent of the time for 500 requests. */
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
#endif
  lib = found;
  /* Added in 7.80, as CURLOPT_PREREQFUNCTION was. curl_version_info would also report the version, but takes milliseconds
     to query the dependencies. */
  observes_sending = dlsym(opened, "curl_url_strerror") != NULL;
  return NULL;
}

int ccurl_observes_sending(void) { return observes_sending; }

const char *ccurl_version(void) { return lib.curl_version_(); }

CURL *ccurl_easy_new(void) { return lib.curl_easy_init_(); }
void ccurl_easy_reset(CURL *easy) { lib.curl_easy_reset_(easy); }
void ccurl_easy_free(CURL *easy) { lib.curl_easy_cleanup_(easy); }
const char *ccurl_words(CURLcode code) { return lib.curl_easy_strerror_(code); }

CURLcode ccurl_set_number(CURL *easy, CURLoption option, long value) {
  return lib.curl_easy_setopt_(easy, option, value);
}
CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return lib.curl_easy_setopt_(easy, option, value);
}
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return lib.curl_easy_setopt_(easy, option, value);
}
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return lib.curl_easy_setopt_(easy, option, value);
}
CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, ccurl_receiver value) {
  return lib.curl_easy_setopt_(easy, option, value);
}
CURLcode ccurl_set_starter(CURL *easy, ccurl_starter value) {
  return lib.curl_easy_setopt_(easy, CURLOPT_PREREQFUNCTION, value);
}

/* libcurl opens sockets without close-on-exec. A program that the user's command starts must not use them. */
static int close_on_exec(void *context, curl_socket_t descriptor, curlsocktype purpose) {
  (void)context;
  (void)purpose;
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return CURL_SOCKOPT_OK;
}
CURLcode ccurl_close_sockets_on_exec(CURL *easy) {
  return lib.curl_easy_setopt_(easy, CURLOPT_SOCKOPTFUNCTION, close_on_exec);
}

long ccurl_get_number(CURL *easy, CURLINFO what) {
  long value = 0;
  lib.curl_easy_getinfo_(easy, what, &value);
  return value;
}
curl_off_t ccurl_get_size(CURL *easy, CURLINFO what) {
  curl_off_t value = 0;
  lib.curl_easy_getinfo_(easy, what, &value);
  return value;
}
void *ccurl_get_context(CURL *easy) {
  char *value = NULL;
  lib.curl_easy_getinfo_(easy, CURLINFO_PRIVATE, &value);
  return value;
}

const char *ccurl_get_text(CURL *easy, CURLINFO what) {
  char *value = NULL;
  lib.curl_easy_getinfo_(easy, what, &value);
  return value;
}
int ccurl_has_openssl(CURL *easy) {
  struct curl_tlssessioninfo *session = NULL;
  lib.curl_easy_getinfo_(easy, CURLINFO_TLS_SSL_PTR, &session);
  return session != NULL && session->backend == CURLSSLBACKEND_OPENSSL;
}

struct curl_slist *ccurl_list_adding(struct curl_slist *list, const char *line) {
  return lib.curl_slist_append_(list, line);
}
void ccurl_list_free(struct curl_slist *list) {
  /* A header may contain a token. */
  for (struct curl_slist *line = list; line != NULL; line = line->next) secret_memory_clear(line->data, strlen(line->data));
  lib.curl_slist_free_all_(list);
}

CURLM *ccurl_multi_new(void) {
  CURLM *multi = lib.curl_multi_init_();
  if (multi != NULL) lib.curl_multi_setopt_(multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
  return multi;
}
void ccurl_multi_free(CURLM *multi) { lib.curl_multi_cleanup_(multi); }
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy) { return lib.curl_multi_add_handle_(multi, easy); }
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy) { return lib.curl_multi_remove_handle_(multi, easy); }

CURLMcode ccurl_multi_perform(CURLM *multi) {
  int running;
  return lib.curl_multi_perform_(multi, &running);
}

int ccurl_multi_poll(CURLM *multi, int interruption, int wake, int milliseconds) {
  struct curl_waitfd watched[2];
  unsigned count = 0;
  /* `wake` comes first, so that its place is known. */
  if (wake >= 0) watched[count++] = (struct curl_waitfd){.fd = wake, .events = CURL_WAIT_POLLIN, .revents = 0};
  if (interruption >= 0) {
    watched[count++] = (struct curl_waitfd){.fd = interruption, .events = CURL_WAIT_POLLIN, .revents = 0};
  }
  lib.curl_multi_poll_(multi, watched, count, milliseconds, NULL);
  return wake >= 0 && watched[0].revents != 0;
}

CURL *ccurl_multi_ended(CURLM *multi, CURLcode *result) {
  int left;
  CURLMsg *message;
  while ((message = lib.curl_multi_info_read_(multi, &left)) != NULL) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}
