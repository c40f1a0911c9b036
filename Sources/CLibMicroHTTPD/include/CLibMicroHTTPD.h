#ifndef OAP_CLIBMICROHTTPD_H
#define OAP_CLIBMICROHTTPD_H
#include <microhttpd.h>
#include <stdint.h>

/// Loads libmicrohttpd.so.12 (0.9.73 or later). Returns NULL, or why not. Call once before any other function here.
const char *oap_mhd_load(void);

/// The library's version, for example `0.9.75`.
const char *oap_mhd_version(void);

/// What a daemon is started with.
struct oap_mhd_settings {
    int socket;                  ///< listening and nonblocking; the daemon owns it from then on
    unsigned int memory;         ///< bytes for the header of a connection and what is made of it
    unsigned int connections;    ///< how many may be open
    unsigned int seconds;        ///< after which a silent connection is closed
    const char *certificate;     ///< PEM, or NULL for plain http; kept by the daemon
    const char *key;             ///< PEM; kept by the daemon
    const char *authorities;     ///< PEM of the certificates that issue trusted client certificates, or NULL
    void *context;               ///< the first argument of all functions below
    MHD_NotifyConnectionCallback connection;
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
};

/// Starts a daemon without threads, driven by `oap_mhd_run`. NULL where it cannot be: see `oap_mhd_complaint`.
struct MHD_Daemon *oap_mhd_start(const struct oap_mhd_settings *settings);

/// What the library said last, without its line end.
const char *oap_mhd_complaint(void);

/// Becomes readable when there is something to do for `oap_mhd_run`.
int oap_mhd_descriptor(struct MHD_Daemon *daemon);

/// Milliseconds after which `oap_mhd_run` has something to do in any case; -1 for none.
int64_t oap_mhd_timeout(struct MHD_Daemon *daemon);

/// The socket of a connection.
int oap_mhd_socket(struct MHD_Connection *connection);

/// Saves what is unread of a client that has broken the connection off: the library would close it unread. It is put into
/// a pair of sockets, one of which takes the place of the connection's. Call before `oap_mhd_run`. Returns the other one,
/// to be closed with the connection, or -1 where nothing was to be saved.
int oap_mhd_rescue(struct MHD_Connection *connection);

/// What the callback `connection` has left with a connection.
void *oap_mhd_context(struct MHD_Connection *connection);

/// Loads libgnutls.so.30, which libmicrohttpd uses for TLS. Returns NULL, or why not. Call once before a server asks
/// for certificates.
const char *oap_peer_load(void);

/// Asks the client for a certificate, which it need not have. Call when the connection has started. The client is not
/// told which issuers are accepted, since some have no certificate for it then.
void oap_peer_ask(struct MHD_Connection *connection);

/// The certificate of a client. Free it with `oap_peer_free`.
struct oap_peer {
    const uint8_t *certificate;  ///< DER, as long as the connection
    size_t length;               ///< of the certificate
    int trusted;                 ///< whether one of `authorities` issued it, and it is valid now
    char *subject;               ///< the distinguished name as a string of RFC 4514
    void *parsed;
};

/// The certificate that a client has presented. Returns 1, or 0 if there is none.
int oap_peer_read(struct MHD_Connection *connection, struct oap_peer *peer);

/// The subject alternative name at an index: its kind (1 DNS name, 2 email address, 3 URI, 4 IP address in 4 or 16
/// bytes, above that others), its length at `length`. Returns -1 behind the last, and for one longer than `capacity`.
int oap_peer_name(const struct oap_peer *peer, unsigned int index, uint8_t *bytes, size_t capacity, size_t *length);

/// Releases the memory of `oap_peer_read`.
void oap_peer_free(struct oap_peer *peer);

/// The TLS session of a connection, a `gnutls_session_t`; NULL for plain http.
void *oap_mhd_session(struct MHD_Connection *connection);

/// The bytes of the request line and the header.
size_t oap_mhd_header_size(struct MHD_Connection *connection);

// Below: the functions of <microhttpd.h> of the same name.

enum MHD_Result oap_mhd_run(struct MHD_Daemon *daemon);
MHD_socket oap_mhd_quiesce(struct MHD_Daemon *daemon);
void oap_mhd_stop(struct MHD_Daemon *daemon);
int oap_mhd_headers(struct MHD_Connection *connection, MHD_KeyValueIteratorN iterator, void *context);
struct MHD_Response *oap_mhd_response_from_buffer(size_t size, const void *bytes);
struct MHD_Response *oap_mhd_response_from_callback(
    uint64_t size, size_t block, MHD_ContentReaderCallback reader, void *context, MHD_ContentReaderFreeCallback release);
enum MHD_Result oap_mhd_add_header(struct MHD_Response *response, const char *name, const char *value);
enum MHD_Result oap_mhd_add_footer(struct MHD_Response *response, const char *name, const char *value);
enum MHD_Result oap_mhd_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);
void oap_mhd_destroy(struct MHD_Response *response);
void oap_mhd_suspend(struct MHD_Connection *connection);
void oap_mhd_resume(struct MHD_Connection *connection);

/// A descriptor that notices clients which close their end, readable when `oap_hangups_next` has one; -1 without it.
int oap_hangups_open(void);
/// Notices the end of the client at a socket, once. The kernel forgets the socket when it is closed.
void oap_hangups_watch(int hangups, int socket);
/// The socket of a client that is gone; -1 for none.
int oap_hangups_next(int hangups);

#endif
