#include "CLibCurl.h"
#include "CLazyLoad.h"

static struct {
    __typeof__(curl_global_init) *curl_global_init;
    __typeof__(curl_version) *curl_version;
    __typeof__(curl_easy_strerror) *curl_easy_strerror;
    __typeof__(curl_easy_init) *curl_easy_init;
    __typeof__(curl_easy_reset) *curl_easy_reset;
    __typeof__(curl_easy_pause) *curl_easy_pause;
    __typeof__(curl_easy_cleanup) *curl_easy_cleanup;
    __typeof__(curl_easy_setopt) *curl_easy_setopt;
    __typeof__(curl_easy_getinfo) *curl_easy_getinfo;
    __typeof__(curl_slist_append) *curl_slist_append;
    __typeof__(curl_slist_free_all) *curl_slist_free_all;
    __typeof__(curl_multi_init) *curl_multi_init;
    __typeof__(curl_multi_cleanup) *curl_multi_cleanup;
    __typeof__(curl_multi_strerror) *curl_multi_strerror;
    __typeof__(curl_multi_add_handle) *curl_multi_add_handle;
    __typeof__(curl_multi_remove_handle) *curl_multi_remove_handle;
    __typeof__(curl_multi_perform) *curl_multi_perform;
    __typeof__(curl_multi_poll) *curl_multi_poll;
    __typeof__(curl_multi_info_read) *curl_multi_info_read;
} curl;

#define SYMBOL(name) {#name, (void **)&curl.name}

const char *oap_curl_load(void) {
    static const struct oap_symbol symbols[] = {
        SYMBOL(curl_global_init), SYMBOL(curl_version), SYMBOL(curl_easy_strerror), SYMBOL(curl_easy_init),
        SYMBOL(curl_easy_reset), SYMBOL(curl_easy_pause), SYMBOL(curl_easy_cleanup), SYMBOL(curl_easy_setopt), SYMBOL(curl_easy_getinfo),
        SYMBOL(curl_slist_append), SYMBOL(curl_slist_free_all), SYMBOL(curl_multi_init), SYMBOL(curl_multi_cleanup),
        SYMBOL(curl_multi_strerror), SYMBOL(curl_multi_add_handle), SYMBOL(curl_multi_remove_handle),
        SYMBOL(curl_multi_perform), SYMBOL(curl_multi_poll), SYMBOL(curl_multi_info_read)};
    const char *failure = oap_load_library("libcurl.so.4", symbols, sizeof symbols / sizeof symbols[0]);
    if (failure != NULL) return failure;
    CURLcode code = curl.curl_global_init(CURL_GLOBAL_DEFAULT);
    return code == CURLE_OK ? NULL : curl.curl_easy_strerror(code);
}

const char *oap_curl_version(void) { return curl.curl_version(); }
const char *oap_curl_message(CURLcode code) { return curl.curl_easy_strerror(code); }

CURL *oap_curl_open(void) { return curl.curl_easy_init(); }
void oap_curl_reset(CURL *handle) { curl.curl_easy_reset(handle); }

void oap_curl_resume(CURL *handle) { curl.curl_easy_pause(handle, CURLPAUSE_CONT); }
void oap_curl_close(CURL *handle) { curl.curl_easy_cleanup(handle); }

CURLcode oap_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl.curl_easy_setopt(handle, option, value);
}

CURLcode oap_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl.curl_easy_setopt(handle, option, value);
}

CURLcode oap_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl.curl_easy_setopt(handle, option, value);
}

CURLcode oap_curl_unset(CURL *handle, CURLoption option) {
    return curl.curl_easy_setopt(handle, option, NULL);
}

CURLcode oap_curl_set_bytes(CURL *handle, CURLoption option, const void *value) {
    return curl.curl_easy_setopt(handle, option, value);
}

CURLcode oap_curl_set_blob(CURL *handle, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl.curl_easy_setopt(handle, option, &blob);
}

CURLcode oap_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl.curl_easy_setopt(handle, option, value);
}

CURLcode oap_curl_set_error_buffer(CURL *handle, char *buffer) {
    return curl.curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

#define SET(option, value) \
    if ((code = curl.curl_easy_setopt(handle, option, value)) != CURLE_OK) return code

CURLcode oap_curl_set_callbacks(CURL *handle, const struct oap_curl_callbacks *callbacks, void *context) {
    CURLcode code;
    SET(CURLOPT_HEADERFUNCTION, callbacks->header);
    SET(CURLOPT_HEADERDATA, context);
    SET(CURLOPT_WRITEFUNCTION, callbacks->body);
    SET(CURLOPT_WRITEDATA, context);
    SET(CURLOPT_READFUNCTION, callbacks->read);
    SET(CURLOPT_READDATA, context);
    SET(CURLOPT_SEEKFUNCTION, callbacks->seek);
    SET(CURLOPT_SEEKDATA, context);
    SET(CURLOPT_PREREQFUNCTION, callbacks->prerequest);
    SET(CURLOPT_PREREQDATA, context);
    SET(CURLOPT_DEBUGFUNCTION, callbacks->debug);
    SET(CURLOPT_DEBUGDATA, context);
    return CURLE_OK;
}

long oap_curl_get_long(CURL *handle, CURLINFO info) {
    long value = 0;
    return curl.curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

curl_off_t oap_curl_get_size(CURL *handle, CURLINFO info) {
    curl_off_t value = 0;
    return curl.curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}

const char *oap_curl_get_text(CURL *handle, CURLINFO info) {
    char *value = NULL;
    return curl.curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : NULL;
}

struct curl_slist *oap_curl_list_append(struct curl_slist *list, const char *text) {
    return curl.curl_slist_append(list, text);
}

void oap_curl_list_free(struct curl_slist *list) { curl.curl_slist_free_all(list); }

CURLM *oap_curl_multi_open(void) { return curl.curl_multi_init(); }
void oap_curl_multi_close(CURLM *multi) { curl.curl_multi_cleanup(multi); }
const char *oap_curl_multi_message(CURLMcode code) { return curl.curl_multi_strerror(code); }
CURLMcode oap_curl_multi_add(CURLM *multi, CURL *handle) { return curl.curl_multi_add_handle(multi, handle); }
CURLMcode oap_curl_multi_remove(CURLM *multi, CURL *handle) { return curl.curl_multi_remove_handle(multi, handle); }

CURLMcode oap_curl_multi_perform(CURLM *multi) {
    int running;
    return curl.curl_multi_perform(multi, &running);
}

CURLMcode oap_curl_multi_wait(CURLM *multi, struct curl_waitfd *others, unsigned count, int milliseconds) {
    return curl.curl_multi_poll(multi, others, count, milliseconds, NULL);
}

CURL *oap_curl_multi_finished(CURLM *multi, CURLcode *result) {
    int left;
    const CURLMsg *message;
    while ((message = curl.curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
