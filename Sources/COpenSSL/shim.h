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
#include <openssl/pkcs12.h>
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
#ifdef __linux__
// Swift's Glibc module leaves out epoll, and its event is a packed struct.
#include <sys/epoll.h>
static inline int sockets_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int sockets_epoll_control(
    int poller, int operation, int descriptor, unsigned int events, unsigned long long tag) {
    struct epoll_event event = {.events = events, .data = {.u64 = tag}};
    return epoll_ctl(poller, operation, descriptor, &event);
}
// 1 when an event was taken, 0 when the time passed, -1 for an error.
static inline int sockets_epoll_wait(
    int poller, int milliseconds, unsigned int *events, unsigned long long *tag) {
    struct epoll_event event;
    int count = epoll_wait(poller, &event, 1, milliseconds);
    if (count == 1) {
        *events = event.events;
        *tag = event.data.u64;
    }
    return count;
}
// Declared only for _GNU_SOURCE, which a module's importer does not set. The header of the structs stays out: this module
// must not become their owner beside Glibc.
extern int accept4(int listener, void *address, unsigned int *length, int flags);
#ifdef __GLIBC__
// Of malloc.h, which Swift's Glibc module leaves out; -8 is M_ARENA_MAX there.
extern int mallopt(int parameter, int value);
extern int malloc_trim(unsigned long keep);
static inline void sockets_limit_memory_pools(int count) { mallopt(-8, count); }
// M_MMAP_THRESHOLD and M_TRIM_THRESHOLD: once set, the C library does not raise them by itself, so that large blocks always go back.
static inline void sockets_give_large_blocks_back(int bytes) { mallopt(-3, bytes); mallopt(-1, 4 * bytes); }
static inline void sockets_give_back_memory(void) { malloc_trim(0); }
#else
static inline void sockets_limit_memory_pools(int count) { (void)count; }
static inline void sockets_give_large_blocks_back(int bytes) { (void)bytes; }
static inline void sockets_give_back_memory(void) {}
#endif
#endif

// Crypto: twins of macros and variadic functions, which Swift does not import.

static inline EVP_PKEY *crypto_generate_rsa(size_t bits) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits);
}

static inline EVP_PKEY *crypto_generate_ec(const char *curve) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "EC", curve);
}

static inline EVP_PKEY *crypto_generate_ed25519(void) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
}

static inline EVP_PKEY *crypto_generate_x25519(void) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "X25519");
}

// A BIO with bytes of its own, to read from; NULL for want of memory. One of BIO_new_mem_buf goes on pointing at the caller's, which a Swift
// array need not have any more once the call is over.
static inline BIO *crypto_bio_of(const void *bytes, int count) {
    BIO *bio = BIO_new(BIO_s_mem());
    if (bio == NULL) return NULL;
    BIO_set_mem_eof_return(bio, 0);
    if (count > 0 && BIO_write(bio, bytes, count) != count) {
        BIO_free(bio);
        return NULL;
    }
    return bio;
}

static inline long crypto_memory_of_bio(BIO *bio, char **start) {
    return BIO_get_mem_data(bio, start);
}

// A PKCS#12 store of one certificate that Java takes for trusted; NULL for want of memory. The bag has to carry Oracle's attribute
// trustedKeyUsage, with anyExtendedKeyUsage for every purpose. Source: JDK, sun.security.pkcs12.PKCS12KeyStore; RFC 7292 §4.2.
static inline PKCS12 *crypto_trust_store(X509 *certificate, const char *name, const char *password) {
    STACK_OF(PKCS12_SAFEBAG) *bags = NULL;
    STACK_OF(PKCS7) *safes = NULL;
    PKCS12 *store = NULL;
    PKCS12_SAFEBAG *bag = PKCS12_add_cert(&bags, certificate);
    ASN1_OBJECT *any = OBJ_nid2obj(NID_anyExtendedKeyUsage);
    if (bag != NULL && PKCS12_add_friendlyname_utf8(bag, name, -1) == 1
        && PKCS12_add1_attr_by_txt(
            bag, "2.16.840.1.113894.746875.1.1", V_ASN1_OBJECT, (const unsigned char *)any, -1) == 1
        && PKCS12_add_safe(&safes, bags, NID_aes_256_cbc, PKCS12_DEFAULT_ITER, password) == 1) {
        store = PKCS12_add_safes(safes, 0);
    }
    if (store != NULL && PKCS12_set_mac(store, password, -1, NULL, 0, 10000, EVP_sha256()) != 1) {
        PKCS12_free(store);
        store = NULL;
    }
    sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
    sk_PKCS7_pop_free(safes, PKCS7_free);
    return store;
}

static const int crypto_key_pair = EVP_PKEY_KEYPAIR;
static const int crypto_public_key = EVP_PKEY_PUBLIC_KEY;
static const int crypto_key_parameters = EVP_PKEY_KEY_PARAMETERS;

// The numbers of an RSA key: concatenated literals in core_names.h.
#define CRYPTO_RSA_FACTOR1 "rsa-factor1"
#define CRYPTO_RSA_FACTOR2 "rsa-factor2"
#define CRYPTO_RSA_EXPONENT1 "rsa-exponent1"
#define CRYPTO_RSA_EXPONENT2 "rsa-exponent2"
#define CRYPTO_RSA_COEFFICIENT1 "rsa-coefficient1"
