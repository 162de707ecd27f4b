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

static inline long crypto_memory_of_bio(BIO *bio, char **start) {
    return BIO_get_mem_data(bio, start);
}

static const int crypto_key_pair = EVP_PKEY_KEYPAIR;
static const int crypto_public_key = EVP_PKEY_PUBLIC_KEY;

// The numbers of an RSA key: concatenated literals in core_names.h.
#define CRYPTO_RSA_FACTOR1 "rsa-factor1"
#define CRYPTO_RSA_FACTOR2 "rsa-factor2"
#define CRYPTO_RSA_EXPONENT1 "rsa-exponent1"
#define CRYPTO_RSA_EXPONENT2 "rsa-exponent2"
#define CRYPTO_RSA_COEFFICIENT1 "rsa-coefficient1"
