#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>


// Twins of function-like macros for the module Sockets.
static inline int sockets_ctx_set_min_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}
static inline void sockets_ctx_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }
static inline void sockets_ctx_disable_session_cache(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
static inline int sockets_set_server_name(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}
static inline int sockets_wants_write(const SSL *session) { return SSL_want_write(session); }
static inline const char *sockets_reason(unsigned long code) {
    const char *reason = ERR_reason_error_string(code);
    return reason ? reason : "unknown reason";
}
// HTTP frames its bodies itself, so a peer that closes without close_notify is only closing.
static inline void sockets_ctx_set_options(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF);
}
