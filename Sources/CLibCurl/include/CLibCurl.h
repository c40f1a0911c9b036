#ifndef OAP_CLIBCURL_H
#define OAP_CLIBCURL_H
#include <curl/curl.h>
#include <stddef.h>

// Only the types and constants of <curl/curl.h> may be used from Swift: the program is not linked with libcurl.

/// Loads libcurl.so.4 and initialises it (curl_global_init). Returns NULL, or why not. Call once before any other
/// function here.
const char *oap_curl_load(void);

/// What libcurl calls back; `context` is each one's user pointer. A member may be NULL.
struct oap_curl_callbacks {
    curl_write_callback header;       ///< CURLOPT_HEADERFUNCTION
    curl_write_callback body;         ///< CURLOPT_WRITEFUNCTION
    curl_read_callback read;          ///< CURLOPT_READFUNCTION
    curl_seek_callback seek;          ///< CURLOPT_SEEKFUNCTION
    curl_prereq_callback prerequest;  ///< CURLOPT_PREREQFUNCTION
    curl_debug_callback debug;        ///< CURLOPT_DEBUGFUNCTION
};

/// curl_version.
const char *oap_curl_version(void);

/// curl_easy_strerror.
const char *oap_curl_message(CURLcode code);

/// curl_easy_init, _reset and _cleanup.
CURL *oap_curl_open(void);
void oap_curl_reset(CURL *handle);

/// curl_easy_pause: goes on in both directions. Callbacks may be called before it returns.
void oap_curl_resume(CURL *handle);
void oap_curl_close(CURL *handle);

/// curl_easy_setopt, one function for each type of argument.
CURLcode oap_curl_set_long(CURL *handle, CURLoption option, long value);
CURLcode oap_curl_set_size(CURL *handle, CURLoption option, curl_off_t value);
CURLcode oap_curl_set_text(CURL *handle, CURLoption option, const char *value);
CURLcode oap_curl_unset(CURL *handle, CURLoption option);
CURLcode oap_curl_set_bytes(CURL *handle, CURLoption option, const void *value);
CURLcode oap_curl_set_blob(CURL *handle, CURLoption option, const void *bytes, size_t count);
CURLcode oap_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value);
CURLcode oap_curl_set_error_buffer(CURL *handle, char *buffer);
CURLcode oap_curl_set_callbacks(CURL *handle, const struct oap_curl_callbacks *callbacks, void *context);

/// curl_easy_getinfo for a number, a size or a text. Zero or NULL where libcurl does not know the item.
long oap_curl_get_long(CURL *handle, CURLINFO info);
curl_off_t oap_curl_get_size(CURL *handle, CURLINFO info);
const char *oap_curl_get_text(CURL *handle, CURLINFO info);

/// curl_slist_append and curl_slist_free_all.
struct curl_slist *oap_curl_list_append(struct curl_slist *list, const char *text);
void oap_curl_list_free(struct curl_slist *list);

/// curl_multi_init, _cleanup, _strerror, _add_handle, _remove_handle and _perform.
CURLM *oap_curl_multi_open(void);
void oap_curl_multi_close(CURLM *multi);
const char *oap_curl_multi_message(CURLMcode code);
CURLMcode oap_curl_multi_add(CURLM *multi, CURL *handle);
CURLMcode oap_curl_multi_remove(CURLM *multi, CURL *handle);
CURLMcode oap_curl_multi_perform(CURLM *multi);

/// curl_multi_poll: waits until a transfer can go on or one of `others` has an event. A signal ends the wait too.
CURLMcode oap_curl_multi_wait(CURLM *multi, struct curl_waitfd *others, unsigned count, int milliseconds);

/// curl_multi_info_read: the handle and the result of a transfer that has ended, NULL if there is none.
CURL *oap_curl_multi_finished(CURLM *multi, CURLcode *result);

#endif
