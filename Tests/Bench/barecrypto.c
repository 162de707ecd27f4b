/* The physical reference of PowerAuth's requests, of Hanko's passkeys and of M-Pin's proofs: what their cryptography alone costs on this
 * machine.
 *
 * Each recipe does what one request needs and nothing else, with algorithms that were fetched and contexts that were made once.
 * Keys of an application are at hand; keys of an activation are read from their bytes, as from a database.
 *
 * build: cc -O2 barecrypto.c -o barecrypto -lcrypto
 * usage: barecrypto [RECIPE...]      a line "RECIPE µs" for each, microseconds of processor time of one run
 */
#define _GNU_SOURCE
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/ec.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned char byte;

#define MUST(call) do { if ((call) <= 0) { fprintf(stderr, "barecrypto: %s failed\n", #call); exit(1); } } while (0)

static EVP_MAC_CTX *mac, *kmac;
static EVP_MD *sha, *sha3;
static EVP_MD_CTX *hash, *signing;
static EVP_CIPHER *aes, *counting;
static EVP_CIPHER_CTX *cipher;
static EVP_PKEY_CTX *reading;
static EVP_PKEY *curve, *application, *wide;
static OSSL_PARAM *stored;
static EVP_PKEY *issuer;
static byte device[65], ephemeral[33], assertion[80], token_signature[256];
static size_t assertion_length, token_length = sizeof token_signature;
static byte data[8192], key[16], zero[16], wide_point[97];

/* The pieces. */

static void hmac(const byte *by, size_t n, const byte *in, size_t length, byte *out) {
  size_t written;
  MUST(EVP_MAC_init(mac, by, n, NULL));
  MUST(EVP_MAC_update(mac, in, length));
  MUST(EVP_MAC_final(mac, out, &written, 32));
}

static void sha256(const byte *in, size_t n, byte *out) {
  MUST(EVP_DigestInit_ex2(hash, sha, NULL));
  MUST(EVP_DigestUpdate(hash, in, n));
  MUST(EVP_DigestFinal_ex(hash, out, NULL));
}

static int cbc(int encrypts, int pads, const byte *by, const byte *iv, const byte *in, int n, byte *out) {
  int length, rest;
  MUST(EVP_CipherInit_ex2(cipher, aes, by, iv, encrypts, NULL));
  EVP_CIPHER_CTX_set_padding(cipher, pads);
  MUST(EVP_CipherUpdate(cipher, out, &length, in, n));
  MUST(EVP_CipherFinal_ex(cipher, out + length, &rest));
  return length + rest;
}

static void fold(byte *value) { for (int i = 0; i < 16; i++) value[i] ^= value[i + 16]; }

static void derived(const byte *master, byte index, byte *out) {
  byte block[16] = {0};
  block[15] = index;
  cbc(1, 0, master, zero, block, 16, out);
}

/* A key from a device, whose point is found to be on the curve. */
static EVP_PKEY *peer_on(EVP_PKEY *group, const byte *point, size_t n) {
  EVP_PKEY *read = EVP_PKEY_new();
  MUST(EVP_PKEY_copy_parameters(read, group));
  MUST(EVP_PKEY_set1_encoded_public_key(read, point, n));
  return read;
}

static EVP_PKEY *peer(const byte *point, size_t n) { return peer_on(curve, point, n); }

static EVP_PKEY *own(void) {
  EVP_PKEY *read = NULL;
  MUST(EVP_PKEY_fromdata(reading, &read, EVP_PKEY_KEYPAIR, stored));
  return read;
}

static void agree(EVP_PKEY *mine, EVP_PKEY *theirs, byte *out) {
  size_t length = 48;
  EVP_PKEY_CTX *agreement = EVP_PKEY_CTX_new_from_pkey(NULL, mine, NULL);
  MUST(EVP_PKEY_derive_init(agreement));
  MUST(EVP_PKEY_derive_set_peer_ex(agreement, theirs, 0));
  MUST(EVP_PKEY_derive(agreement, out, &length));
  EVP_PKEY_CTX_free(agreement);
}

static void sign_with(EVP_PKEY *by, const byte *in, size_t n, byte *out, size_t *length) {
  EVP_MD_CTX_reset(signing);
  MUST(EVP_DigestSignInit_ex(signing, NULL, "SHA256", NULL, NULL, by, NULL));
  MUST(EVP_DigestSign(signing, out, length, in, n));
}

static void sign(const byte *in, size_t n) {
  byte out[80];
  size_t length = sizeof out;
  sign_with(application, in, n, out, &length);
}

static void check(EVP_PKEY *by, const byte *signature, size_t length, const byte *in, size_t n) {
  EVP_MD_CTX_reset(signing);
  MUST(EVP_DigestVerifyInit_ex(signing, NULL, "SHA256", NULL, NULL, by, NULL));
  MUST(EVP_DigestVerify(signing, signature, length, in, n));
}

/* The master secret of an activation, from the two keys that are stored of it. */
static void master_secret(byte *secret) {
  EVP_PKEY *mine = own(), *theirs = peer(device, sizeof device);
  agree(mine, theirs, secret);
  fold(secret);
  EVP_PKEY_free(mine);
  EVP_PKEY_free(theirs);
}

/* A code of possession and knowledge over a request of 256 bytes, found at once, and the counter's next value. */
static void code(const byte *master) {
  byte possession[16], knowledge[16], first[32], second[32], chained[32], out[32];
  derived(master, 1, possession);
  derived(master, 2, knowledge);
  hmac(possession, 16, data, 16, first);
  hmac(knowledge, 16, data, 16, second);
  hmac(second, 32, second, 32, chained);
  hmac(first, 32, data, 256, out);
  hmac(chained, 32, data, 256, out);
  sha256(data, 16, out);
  fold(out);
}

/* One encrypted exchange: what was sealed to the application's key is opened, and the answer sealed. `bound` is what the MAC covers
 * besides the text. */
static void envelope(int in, int out, int bound) {
  byte secret[48], input[128] = {0}, keys[64], iv[32], tag[32], text[4096], sealed[4096];
  EVP_PKEY *theirs = peer(ephemeral, sizeof ephemeral);
  agree(application, theirs, secret);
  EVP_PKEY_free(theirs);
  memcpy(input, secret, 32);
  sha256(input, 90, keys);
  sha256(input, 90, keys + 32);
  sha256(data, 24, tag);
  hmac(keys + 16, 16, data, in + bound, tag);
  hmac(keys + 32, 16, data, 16, iv);
  fold(iv);
  cbc(0, 0, keys, iv, data, in, text);
  hmac(keys + 32, 16, data, 16, iv);
  fold(iv);
  int length = cbc(1, 1, keys, iv, data, out, sealed);
  hmac(keys + 16, 16, sealed, length + bound, tag);
}

/* Protocol 4.0: keys, codes and tags are all made by KMAC-256 with a custom string, 32 bytes each. */
static void kmac256(const byte *by, size_t n, const char *custom, const byte *in, size_t length, byte *out) {
  size_t written, size = 32;
  OSSL_PARAM parameters[] = {
    OSSL_PARAM_construct_octet_string("custom", (void *)custom, strlen(custom)),
    OSSL_PARAM_construct_size_t("size", &size), OSSL_PARAM_construct_end()};
  MUST(EVP_MAC_init(kmac, by, n, parameters));
  MUST(EVP_MAC_update(kmac, in, length));
  MUST(EVP_MAC_final(kmac, out, &written, 32));
}

static void labelled(const byte *by, byte *out) { kmac256(by, 32, "PA4KDF", data, 24, out); }

static void counted(const byte *by, const byte *in, int n, byte *out) {
  int length;
  MUST(EVP_CipherInit_ex2(cipher, counting, by, zero, 1, NULL));
  MUST(EVP_CipherUpdate(cipher, out, &length, in, n));
}

/* A code of possession and knowledge over a request of 256 bytes, found at once, and the counter's next value. The key of possession is
 * derived from the activation's secret, that of knowledge is at hand. */
static void code4(void) {
  byte keys[32], first[64], second[64], out[32];
  labelled(data, keys);
  labelled(keys, keys);
  kmac256(keys, 32, "PA4CODE", data, 32, first);
  kmac256(first, 32, "PA4CODE", data, 256, out);
  kmac256(keys, 32, "PA4CODE", data, 64, second);
  kmac256(second, 32, "PA4CODE", data, 256, out);
  MUST(EVP_DigestInit_ex2(hash, sha3, NULL));
  MUST(EVP_DigestUpdate(hash, data, 32));
  MUST(EVP_DigestFinal_ex(hash, out, NULL));
}

/* One encrypted exchange with a secret that is shared: what it is bound to, the two keys, and twice text and tag. */
static void message4(int in, int out, int is_of_activation) {
  byte bound[32], encryption[32], authentication[32], tag[32], text[8192];
  if (is_of_activation) {
    labelled(data, bound);
    labelled(bound, bound);
    kmac256(bound, 32, "PA4SH2", data, 16, bound);
  }
  labelled(data, encryption);
  labelled(data + 32, authentication);
  kmac256(authentication, 32, "PA4MAC-AEAD", data, in + 180, tag);
  counted(encryption, data, in, text);
  counted(encryption, data, out, text);
  kmac256(authentication, 32, "PA4MAC-AEAD", data, out + 180, tag);
}

/* What an activation in a suite with P-384 takes of OpenSSL: both layers, the ephemeral key, the agreement with its HKDF, the server's key, and
 * the keys of the activation. ML-KEM and ML-DSA come on top. */
static void activation4(void) {
  byte secret[48], out[48];
  message4(2400, 6200, 0);
  message4(1800, 4500, 0);
  EVP_PKEY *ephemeral = EVP_EC_gen("P-384"), *server = EVP_EC_gen("P-384");
  EVP_PKEY *theirs = peer_on(wide, wide_point, sizeof wide_point);
  EVP_PKEY *signs = peer_on(wide, wide_point, sizeof wide_point);
  agree(ephemeral, theirs, secret);
  /* Twelve of HMAC with SHA-384 are as dear as twice as many with SHA-256. */
  for (int i = 0; i < 24; i++) hmac(secret, 32, data, 150, out);
  kmac256(data, 32, "KDF", data, 160, out);
  labelled(out, out);
  labelled(out, out);
  EVP_PKEY_free(ephemeral);
  EVP_PKEY_free(server);
  EVP_PKEY_free(theirs);
  EVP_PKEY_free(signs);
}

/* The recipes. */

static void call4(void) { message4(2, 120, 1); }

static void verify(void) { code(key); }

static void verify_agreeing(void) {
  byte secret[48];
  master_secret(secret);
  code(secret);
}

static void token(void) {
  byte out[32];
  hmac(key, 16, data, 34, out);
}

static void activation(int bound) {
  byte secret[48];
  envelope(912, 560, bound);
  envelope(224, 200, bound);
  master_secret(secret);
}

static void activation31(void) { activation(32); }
static void activation33(void) { activation(220); }

static void generate(void) {
  EVP_PKEY_free(EVP_EC_gen("P-256"));
}

/* A temporary key: the request's MAC, the key, the signature of its token. */
static void temporary_key(void) {
  byte out[32];
  hmac(key, 16, data, 160, out);
  generate();
  sign(data, 500);
}

/* What a passkey signs: authenticator data and the hash of client data. */
static void signed_by_passkey(byte *message) {
  memcpy(message, data, 37);
  sha256(data, 140, message + 37);
}

/* The check of an assertion, whose key is read from its bytes. */
static void assertion_check(void) {
  byte message[69];
  signed_by_passkey(message);
  EVP_PKEY *passkey = peer(device, sizeof device);
  check(passkey, assertion, assertion_length, message, sizeof message);
  EVP_PKEY_free(passkey);
}

/* The same, and the session's token. */
static void assertion_session(void) {
  byte out[256];
  size_t length = sizeof out;
  assertion_check();
  sign_with(issuer, data, 500, out, &length);
}

/* A registration without attestation: its bytes are decoded and hashed, its key is found to be on the curve. */
static void registration(void) {
  static byte text[260];
  byte bytes[260], out[32];
  if (!text[0]) EVP_EncodeBlock(text, data, 192);
  MUST(EVP_DecodeBlock(bytes, text, 256));
  sha256(bytes, 140, out);
  EVP_PKEY_free(peer(device, sizeof device));
}

/* The same, and the check of the session's token that comes with it. */
static void registration_session(void) {
  registration();
  check(issuer, token_signature, token_length, data, 500);
}

/* M-Pin: the curve BN254CX, y^2 = x^3 + 2, with its two masters' sum, an identity's hash, and what a phone sends. */

static struct {
  EC_GROUP *group;
  BN_CTX *numbers;
  BIGNUM *prime, *order, *quarter, *master, *challenge;
  EC_POINT *identity;
  byte digest[32], u[65], v[65];
} mpin;

static EC_POINT *mpin_point(const byte *bytes) {
  EC_POINT *read = EC_POINT_new(mpin.group);
  MUST(EC_POINT_oct2point(mpin.group, read, bytes, 65, mpin.numbers));
  return read;
}

/* The first x from the hash on that is one of a point; of its two y the even one. */
static EC_POINT *mapped(void) {
  BN_CTX_start(mpin.numbers);
  BIGNUM *x = BN_CTX_get(mpin.numbers), *square = BN_CTX_get(mpin.numbers), *y = BN_CTX_get(mpin.numbers);
  BN_bin2bn(mpin.digest, 32, x);
  BN_nnmod(x, x, mpin.prime, mpin.numbers);
  for (;; BN_add_word(x, 1)) {
    BN_mod_sqr(square, x, mpin.prime, mpin.numbers);
    BN_mod_mul(square, square, x, mpin.prime, mpin.numbers);
    BN_add_word(square, 2);
    BN_nnmod(square, square, mpin.prime, mpin.numbers);
    if (BN_kronecker(square, mpin.prime, mpin.numbers) == 1) break;
  }
  BN_mod_exp(y, square, mpin.quarter, mpin.prime, mpin.numbers);
  if (BN_is_odd(y)) BN_sub(y, mpin.prime, y);
  EC_POINT *point = EC_POINT_new(mpin.group);
  MUST(EC_POINT_set_affine_coordinates(mpin.group, point, x, y, mpin.numbers));
  BN_CTX_end(mpin.numbers);
  return point;
}

/* -s(U + yA), and whether it is V. */
static int mpin_right(const EC_POINT *a, const EC_POINT *u, const EC_POINT *v) {
  EC_POINT *sum = EC_POINT_new(mpin.group);
  MUST(EC_POINT_mul(mpin.group, sum, NULL, a, mpin.challenge, mpin.numbers));
  MUST(EC_POINT_add(mpin.group, sum, sum, u, mpin.numbers));
  MUST(EC_POINT_mul(mpin.group, sum, NULL, sum, mpin.master, mpin.numbers));
  MUST(EC_POINT_invert(mpin.group, sum, mpin.numbers));
  int is_right = EC_POINT_cmp(mpin.group, sum, v, mpin.numbers) == 0;
  EC_POINT_free(sum);
  return is_right;
}

static void mpin_check(const EC_POINT *a) {
  EC_POINT *u = mpin_point(mpin.u), *v = mpin_point(mpin.v);
  if (!mpin_right(a, u, v)) { fprintf(stderr, "barecrypto: the proof is wrong\n"); exit(1); }
  EC_POINT_free(u);
  EC_POINT_free(v);
}

/* A proof without a key pair, whose identity's point is at hand: both points are read, V is compared. */
static void mpin_proof(void) { mpin_check(mpin.identity); }

/* The same from the identity's hash on. */
static void mpin_mapped(void) {
  EC_POINT *a = mapped();
  mpin_check(a);
  EC_POINT_free(a);
}

static void prepare_mpin(void) {
  mpin.numbers = BN_CTX_new();
  BN_hex2bn(&mpin.prime, "2400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b3");
  BN_hex2bn(&mpin.order, "2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6d");
  BIGNUM *zero = BN_new(), *two = BN_new(), *x = BN_dup(mpin.prime), *cofactor = BN_new();
  BN_zero(zero);
  BN_set_word(two, 2);
  BN_sub_word(x, 1);
  BN_one(cofactor);
  mpin.group = EC_GROUP_new_curve_GFp(mpin.prime, zero, two, mpin.numbers);
  EC_POINT *generator = EC_POINT_new(mpin.group);
  MUST(EC_POINT_set_affine_coordinates(mpin.group, generator, x, cofactor, mpin.numbers));
  MUST(EC_GROUP_set_generator(mpin.group, generator, mpin.order, cofactor));
  mpin.quarter = BN_dup(mpin.prime);
  BN_add_word(mpin.quarter, 1);
  BN_rshift(mpin.quarter, mpin.quarter, 2);
  mpin.master = BN_new();
  mpin.challenge = BN_new();
  BIGNUM *drawn = BN_new(), *factor = BN_new();
  BN_rand_range(mpin.master, mpin.order);
  BN_rand_range(mpin.challenge, mpin.order);
  BN_rand_range(drawn, mpin.order);
  sha256(data, 300, mpin.digest);

  /* The client's side: U = xA, V = -(x + y)sA. */
  EC_POINT *a = mpin.identity = mapped(), *point = EC_POINT_new(mpin.group);
  MUST(EC_POINT_mul(mpin.group, point, NULL, a, drawn, mpin.numbers));
  EC_POINT_point2oct(mpin.group, point, POINT_CONVERSION_UNCOMPRESSED, mpin.u, 65, mpin.numbers);
  BN_mod_add(factor, drawn, mpin.challenge, mpin.order, mpin.numbers);
  BN_mod_mul(factor, factor, mpin.master, mpin.order, mpin.numbers);
  MUST(EC_POINT_mul(mpin.group, point, NULL, a, factor, mpin.numbers));
  MUST(EC_POINT_invert(mpin.group, point, mpin.numbers));
  EC_POINT_point2oct(mpin.group, point, POINT_CONVERSION_UNCOMPRESSED, mpin.v, 65, mpin.numbers);
}

static void one_hmac(void) { token(); }
static void one_sha256(void) { byte out[32]; sha256(data, 16, out); }
static void one_aes(void) { byte out[16]; derived(key, 1, out); }
static void one_signature(void) { sign(data, 500); }
static void one_point(void) { EVP_PKEY_free(peer(device, sizeof device)); }
static void one_compressed_point(void) { EVP_PKEY_free(peer(ephemeral, sizeof ephemeral)); }
static void one_stored_key(void) { EVP_PKEY_free(own()); }
static void one_agreement(void) { byte out[48]; agree(application, curve, out); }

static const struct { const char *name; void (*run)(void); } recipes[] = {
  {"hmac", one_hmac}, {"sha256", one_sha256}, {"aes", one_aes}, {"point", one_point}, {"compressed-point", one_compressed_point},
  {"stored-key", one_stored_key}, {"ecdh", one_agreement}, {"generate", generate}, {"ecdsa", one_signature},
  {"verify", verify}, {"verify-agreeing", verify_agreeing}, {"token", token}, {"temporary-key", temporary_key},
  {"activation-3.1", activation31}, {"activation-3.3", activation33},
  {"verify-4.0", code4}, {"call-4.0", call4}, {"activation-4.0", activation4},
  {"assertion", assertion_check}, {"assertion-session", assertion_session},
  {"registration", registration}, {"registration-session", registration_session}, {"mpin", mpin_proof}, {"mpin-mapped", mpin_mapped},
};

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

/* Microseconds of one run, over a quarter of a second. */
static double cost(void (*run)(void)) {
  for (int i = 0; i < 100; i++) run();
  double began = seconds(), took;
  long runs = 0;
  do {
    for (int i = 0; i < 50; i++) run();
    runs += 50;
  } while ((took = seconds() - began) < 0.25);
  return took / runs * 1e6;
}

static void encoded(EVP_PKEY *from, const char *form, byte *to, size_t room) {
  size_t length;
  MUST(EVP_PKEY_set_utf8_string_param(from, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, form));
  MUST(EVP_PKEY_get_octet_string_param(from, OSSL_PKEY_PARAM_PUB_KEY, to, room, &length));
  if (length != room) { fprintf(stderr, "barecrypto: a point of %zu bytes\n", length); exit(1); }
}

static void prepare(void) {
  EVP_MAC *algorithm = EVP_MAC_fetch(NULL, "HMAC", NULL);
  OSSL_PARAM digest[] = {OSSL_PARAM_construct_utf8_string("digest", "SHA256", 0), OSSL_PARAM_construct_end()};
  mac = EVP_MAC_CTX_new(algorithm);
  MUST(EVP_MAC_CTX_set_params(mac, digest));
  sha = EVP_MD_fetch(NULL, "SHA256", NULL);
  aes = EVP_CIPHER_fetch(NULL, "AES-128-CBC", NULL);
  hash = EVP_MD_CTX_new();
  signing = EVP_MD_CTX_new();
  cipher = EVP_CIPHER_CTX_new();
  RAND_bytes(data, sizeof data);
  RAND_bytes(key, sizeof key);

  kmac = EVP_MAC_CTX_new(EVP_MAC_fetch(NULL, "KMAC-256", NULL));
  sha3 = EVP_MD_fetch(NULL, "SHA3-256", NULL);
  counting = EVP_CIPHER_fetch(NULL, "AES-256-CTR", NULL);
  wide = EVP_EC_gen("P-384");
  encoded(wide, "uncompressed", wide_point, sizeof wide_point);

  curve = EVP_EC_gen("P-256");
  application = EVP_EC_gen("P-256");
  EVP_PKEY *phone = EVP_EC_gen("P-256"), *server = EVP_EC_gen("P-256");
  encoded(phone, "uncompressed", device, sizeof device);
  encoded(phone, "compressed", ephemeral, sizeof ephemeral);
  issuer = EVP_RSA_gen(2048);
  byte message[69];
  signed_by_passkey(message);
  assertion_length = sizeof assertion;
  sign_with(phone, message, sizeof message, assertion, &assertion_length);
  sign_with(issuer, data, 500, token_signature, &token_length);
  byte point[65];
  BIGNUM *scalar = NULL;
  encoded(server, "uncompressed", point, sizeof point);
  MUST(EVP_PKEY_get_bn_param(server, OSSL_PKEY_PARAM_PRIV_KEY, &scalar));
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  MUST(OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0));
  MUST(OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, scalar));
  MUST(OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point));
  stored = OSSL_PARAM_BLD_to_param(builder);
  reading = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  MUST(EVP_PKEY_fromdata_init(reading));
  prepare_mpin();
}

static int is_asked(const char *name, int count, char **asked) {
  for (int i = 1; i < count; i++) if (!strcmp(asked[i], name)) return 1;
  return count == 1;
}

int main(int count, char **arguments) {
  prepare();
  int done = 0;
  for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
    if (!is_asked(recipes[i].name, count, arguments)) continue;
    printf("%s %.3f\n", recipes[i].name, cost(recipes[i].run));
    done++;
  }
  if (count > 1 && done != count - 1) { fprintf(stderr, "barecrypto: no such recipe\n"); return 2; }
}
