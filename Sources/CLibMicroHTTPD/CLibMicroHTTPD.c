#define _GNU_SOURCE
#include "CLibMicroHTTPD.h"
#include "CLazyLoad.h"
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static struct {
    __typeof__(MHD_get_version) *MHD_get_version;
    __typeof__(MHD_start_daemon) *MHD_start_daemon;
    __typeof__(MHD_stop_daemon) *MHD_stop_daemon;
    __typeof__(MHD_quiesce_daemon) *MHD_quiesce_daemon;
    __typeof__(MHD_run) *MHD_run;
    __typeof__(MHD_get_timeout) *MHD_get_timeout;
    __typeof__(MHD_get_daemon_info) *MHD_get_daemon_info;
    __typeof__(MHD_get_connection_info) *MHD_get_connection_info;
    __typeof__(MHD_get_connection_values_n) *MHD_get_connection_values_n;
    __typeof__(MHD_create_response_from_buffer) *MHD_create_response_from_buffer;
    __typeof__(MHD_create_response_from_callback) *MHD_create_response_from_callback;
    __typeof__(MHD_add_response_header) *MHD_add_response_header;
    __typeof__(MHD_add_response_footer) *MHD_add_response_footer;
    __typeof__(MHD_queue_response) *MHD_queue_response;
    __typeof__(MHD_destroy_response) *MHD_destroy_response;
    __typeof__(MHD_suspend_connection) *MHD_suspend_connection;
    __typeof__(MHD_resume_connection) *MHD_resume_connection;
} mhd;

#define SYMBOL(name) {#name, (void **)&mhd.name}

const char *oap_mhd_load(void) {
    static const struct oap_symbol symbols[] = {
        SYMBOL(MHD_get_version), SYMBOL(MHD_start_daemon), SYMBOL(MHD_stop_daemon), SYMBOL(MHD_quiesce_daemon),
        SYMBOL(MHD_run), SYMBOL(MHD_get_timeout), SYMBOL(MHD_get_daemon_info), SYMBOL(MHD_get_connection_info),
        SYMBOL(MHD_get_connection_values_n), SYMBOL(MHD_create_response_from_buffer),
        SYMBOL(MHD_create_response_from_callback), SYMBOL(MHD_add_response_header), SYMBOL(MHD_add_response_footer),
        SYMBOL(MHD_queue_response),
        SYMBOL(MHD_destroy_response), SYMBOL(MHD_suspend_connection), SYMBOL(MHD_resume_connection),
    };
    return oap_load_library("libmicrohttpd.so.12", symbols, sizeof symbols / sizeof symbols[0]);
}

const char *oap_mhd_version(void) { return mhd.MHD_get_version(); }

static char complaint[256];

static void note(void *context, const char *format, va_list arguments) {
    (void)context;
    vsnprintf(complaint, sizeof complaint, format, arguments);
    complaint[strcspn(complaint, "\n")] = '\0';
}

const char *oap_mhd_complaint(void) { return complaint; }

/// The library's own decoding of %XX would lose what the browser has sent.
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

struct MHD_Daemon *oap_mhd_start(const struct oap_mhd_settings *settings) {
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->key},
        {settings->authorities != NULL ? MHD_OPTION_HTTPS_MEM_TRUST : MHD_OPTION_END, 0, (void *)settings->authorities},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem plain[] = {{MHD_OPTION_END, 0, NULL}};
    int secure = settings->certificate != NULL;
    complaint[0] = '\0';
    return mhd.MHD_start_daemon(
        MHD_USE_ERROR_LOG | MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (secure ? MHD_USE_TLS : 0), 0, NULL, NULL,
        settings->request, settings->context,
        MHD_OPTION_EXTERNAL_LOGGER, note, NULL,
        MHD_OPTION_LISTEN_SOCKET, settings->socket,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)settings->memory,
        MHD_OPTION_CONNECTION_LIMIT, settings->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->seconds,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
        MHD_OPTION_URI_LOG_CALLBACK, settings->target, settings->context,
        MHD_OPTION_NOTIFY_CONNECTION, settings->connection, settings->context,
        MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
        MHD_OPTION_ARRAY, secure ? tls : plain,
        MHD_OPTION_END);
}

int oap_mhd_descriptor(struct MHD_Daemon *daemon) {
    return mhd.MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

int64_t oap_mhd_timeout(struct MHD_Daemon *daemon) {
    MHD_UNSIGNED_LONG_LONG timeout;
    return mhd.MHD_get_timeout(daemon, &timeout) == MHD_YES ? (int64_t)timeout : -1;
}

int oap_mhd_socket(struct MHD_Connection *connection) {
    return mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

int oap_mhd_rescue(struct MHD_Connection *connection) {
    static char bytes[64 << 10];
    int broken = oap_mhd_socket(connection), pair[2];
    struct pollfd event = {broken, 0, 0};  // for POLLERR and POLLHUP only
    if (poll(&event, 1, 0) <= 0 || oap_mhd_session(connection) != NULL) return -1;
    ssize_t size = recv(broken, bytes, sizeof bytes, MSG_DONTWAIT);
    if (size <= 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    // As the library watches the socket of a connection.
    struct epoll_event watched = {.events = EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLET, .data.ptr = connection};
    int epoll = oap_mhd_descriptor(mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_DAEMON)->daemon);
    int taken = send(pair[0], bytes, (size_t)size, MSG_NOSIGNAL) == size && dup3(pair[1], broken, O_CLOEXEC) == broken
        && epoll_ctl(epoll, EPOLL_CTL_ADD, broken, &watched) == 0;
    close(pair[1]);
    if (taken) return pair[0];
    close(pair[0]);
    return -1;
}

void *oap_mhd_context(struct MHD_Connection *connection) {
    return mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

void *oap_mhd_session(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    return info == NULL ? NULL : info->tls_session;
}

size_t oap_mhd_header_size(struct MHD_Connection *connection) {
    return mhd.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)->header_size;
}

enum MHD_Result oap_mhd_run(struct MHD_Daemon *daemon) { return mhd.MHD_run(daemon); }

MHD_socket oap_mhd_quiesce(struct MHD_Daemon *daemon) { return mhd.MHD_quiesce_daemon(daemon); }

void oap_mhd_stop(struct MHD_Daemon *daemon) { mhd.MHD_stop_daemon(daemon); }

int oap_mhd_headers(struct MHD_Connection *connection, MHD_KeyValueIteratorN iterator, void *context) {
    return mhd.MHD_get_connection_values_n(connection, MHD_HEADER_KIND, iterator, context);
}

struct MHD_Response *oap_mhd_response_from_buffer(size_t size, const void *bytes) {
    return mhd.MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

struct MHD_Response *oap_mhd_response_from_callback(
    uint64_t size, size_t block, MHD_ContentReaderCallback reader, void *context,
    MHD_ContentReaderFreeCallback release) {
    return mhd.MHD_create_response_from_callback(size, block, reader, context, release);
}

enum MHD_Result oap_mhd_add_header(struct MHD_Response *response, const char *name, const char *value) {
    return mhd.MHD_add_response_header(response, name, value);
}

enum MHD_Result oap_mhd_add_footer(struct MHD_Response *response, const char *name, const char *value) {
    return mhd.MHD_add_response_footer(response, name, value);
}

enum MHD_Result oap_mhd_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
    return mhd.MHD_queue_response(connection, status, response);
}

void oap_mhd_destroy(struct MHD_Response *response) { mhd.MHD_destroy_response(response); }

void oap_mhd_suspend(struct MHD_Connection *connection) { mhd.MHD_suspend_connection(connection); }

void oap_mhd_resume(struct MHD_Connection *connection) { mhd.MHD_resume_connection(connection); }

int oap_hangups_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

void oap_hangups_watch(int hangups, int socket) {
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data.fd = socket};
    epoll_ctl(hangups, EPOLL_CTL_ADD, socket, &event);
}

int oap_hangups_next(int hangups) {
    struct epoll_event event;
    return epoll_wait(hangups, &event, 1, 0) == 1 ? event.data.fd : -1;
}
