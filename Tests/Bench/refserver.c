/* The physical reference: what answering these paths must cost on this machine.
 *
 * A deliberately bare epoll HTTP/1.1 server with no routing table, no allocation on the hot path and no logging. At start it
 * reads an RSA key, as any token server must; then it answers GET /health, /jwks and /discovery by copying a finished answer,
 * POST /token/rs and /token/es with a JWT that it signs, and POST /introspect by hashing the token.
 * A real server does strictly more.
 *
 * build: cc -O2 refserver.c -o refserver -lcrypto
 * usage: refserver PORT RSA.pem
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAXFD 4096
#define BUF 16384

typedef struct { int len; char in[BUF]; } conn_t;

static conn_t *conns[MAXFD];
static char out[1 << 18], health[256], jwks[1024], discovery[4096];
static size_t n_health, n_jwks, n_discovery;
static EVP_PKEY *rsa, *ec;
static EVP_MD_CTX *context;
static const char not_found[] = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";

/* One finished answer with a JSON body. */
static size_t answer(char *to, const char *body) {
  return sprintf(to, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s", strlen(body), body);
}

static void make_answers(void) {
  /* A key set with one RSA key of 2048 bits has about this size. */
  char keys[640];
  memset(keys, 'A', sizeof keys);
  memcpy(keys, "{\"keys\":[\"", 10);
  strcpy(keys + 636, "\"]}");
  n_health = answer(health, "{\"status\":\"ok\"}");
  n_jwks = answer(jwks, keys);
  /* The metadata of a server with all of its endpoints. */
  char metadata[3200];
  memset(metadata, 'A', sizeof metadata);
  memcpy(metadata, "{\"issuer\":\"", 11);
  strcpy(metadata + 3196, "\"}");
  n_discovery = answer(discovery, metadata);
}

/* Base64url without padding; answers the length. */
static size_t base64url(const unsigned char *in, size_t n, char *to) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  size_t length = 0;
  unsigned buffer = 0, bits = 0;
  for (size_t i = 0; i < n; i++) {
    buffer = buffer << 8 | in[i];
    for (bits += 8; bits >= 6; bits -= 6) to[length++] = digits[buffer >> (bits - 6) & 63];
  }
  if (bits) to[length++] = digits[buffer << (6 - bits) & 63];
  return length;
}

static size_t sign(EVP_PKEY *key, const char *input, size_t n, unsigned char *signature, size_t room) {
  size_t length = room;
  EVP_MD_CTX_reset(context);
  if (EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) != 1
      || EVP_DigestSign(context, signature, &length, (const unsigned char *)input, n) != 1) abort();
  if (EVP_PKEY_base_id(key) != EVP_PKEY_EC) return length;
  const unsigned char *der = signature;
  ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &der, length);
  BN_bn2binpad(ECDSA_SIG_get0_r(pair), signature, 32);
  BN_bn2binpad(ECDSA_SIG_get0_s(pair), signature + 32, 32);
  ECDSA_SIG_free(pair);
  return 64;
}

/* A token response with a JWT for client credentials. */
static size_t token(EVP_PKEY *key, char *to) {
  unsigned char random[16], signature[512];
  char id[32] = "", claims[512], jwt[1400], json[1700];
  RAND_bytes(random, sizeof random);
  base64url(random, sizeof random, id);
  long now = time(NULL);
  int n = sprintf(claims,
      "{\"iss\":\"http://127.0.0.1\",\"sub\":\"client\",\"aud\":\"api\",\"scope\":\"read\",\"client_id\":\"client\",\"iat\":%ld,\"exp\":%ld,"
      "\"jti\":\"%s\"}", now, now + 3600, id);
  const char *header = key == rsa ? "{\"alg\":\"RS256\",\"typ\":\"at+jwt\",\"kid\":\"1\"}" : "{\"alg\":\"ES256\",\"typ\":\"at+jwt\",\"kid\":\"2\"}";
  size_t length = base64url((const unsigned char *)header, strlen(header), jwt);
  jwt[length++] = '.';
  length += base64url((const unsigned char *)claims, n, jwt + length);
  size_t signed_length = sign(key, jwt, length, signature, sizeof signature);
  jwt[length++] = '.';
  length += base64url(signature, signed_length, jwt + length);
  sprintf(json, "{\"access_token\":\"%.*s\",\"token_type\":\"Bearer\",\"expires_in\":3600,\"scope\":\"read\"}", (int)length, jwt);
  return answer(to, json);
}

static size_t introspection(const char *body, size_t n, char *to) {
  unsigned char hash[32];
  char json[400];
  SHA256((const unsigned char *)body, n, hash);
  sprintf(json, "{\"active\":%s,\"scope\":\"read\",\"client_id\":\"client\",\"token_type\":\"Bearer\",\"exp\":%ld}",
      hash[0] < 255 ? "true" : "false", time(NULL) + 3600);
  return answer(to, json);
}

static int listening(int port) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(fd, (void *)&a, sizeof a) || listen(fd, 1024)) { perror("bind"); exit(1); }
  return fd;
}

static void accept_all(int ep, int listener) {
  int fd, one = 1;
  while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
    if (fd >= MAXFD) { close(fd); continue; }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    conns[fd] = malloc(sizeof(conn_t));
    conns[fd]->len = 0;
    struct epoll_event ev = {.events = EPOLLIN, .data.fd = fd};
    epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev);
  }
}

static void hang_up(int fd) { close(fd); free(conns[fd]); conns[fd] = NULL; }

static void serve(int fd) {
  conn_t *c = conns[fd];
  int r = read(fd, c->in + c->len, BUF - 1 - c->len);
  if (r <= 0) { if (r == 0 || errno != EAGAIN) hang_up(fd); return; }
  c->len += r;
  c->in[c->len] = 0;
  size_t on = 0;
  char *s = c->in, *e;
  for (int body = 0; (e = strstr(s, "\r\n\r\n")); s = e + 4 + body) {
    char *length = strcasestr(s, "\r\ncontent-length:");
    body = length && length < e ? atoi(length + 17) : 0;
    if (c->in + c->len - (e + 4) < body) break;
    if (!memcmp(s, "GET /h", 6)) { memcpy(out + on, health, n_health); on += n_health; }
    else if (!memcmp(s, "GET /j", 6)) { memcpy(out + on, jwks, n_jwks); on += n_jwks; }
    else if (!memcmp(s, "GET /d", 6)) { memcpy(out + on, discovery, n_discovery); on += n_discovery; }
    else if (!memcmp(s, "POST /token/r", 13)) on += token(rsa, out + on);
    else if (!memcmp(s, "POST /token/e", 13)) on += token(ec, out + on);
    else if (!memcmp(s, "POST /i", 7)) on += introspection(e + 4, body, out + on);
    else { memcpy(out + on, not_found, sizeof not_found - 1); on += sizeof not_found - 1; }
  }
  if (on && write(fd, out, on) != (ssize_t)on) { hang_up(fd); return; }
  c->len -= s - c->in;
  memmove(c->in, s, c->len);
}

int main(int argc, char **argv) {
  if (argc != 3) { fprintf(stderr, "usage: refserver PORT RSA.pem\n"); return 2; }
  FILE *file = fopen(argv[2], "r");
  rsa = file ? PEM_read_PrivateKey(file, NULL, NULL, NULL) : NULL;
  ec = EVP_EC_gen("P-256");
  context = EVP_MD_CTX_new();
  if (!rsa) { fprintf(stderr, "no key in %s\n", argv[2]); return 1; }
  make_answers();
  int listener = listening(atoi(argv[1])), ep = epoll_create1(0);
  struct epoll_event ev = {.events = EPOLLIN, .data.fd = listener}, evs[256];
  epoll_ctl(ep, EPOLL_CTL_ADD, listener, &ev);
  for (;;) {
    int n = epoll_wait(ep, evs, 256, -1);
    for (int i = 0; i < n; i++) {
      if (evs[i].data.fd == listener) accept_all(ep, listener);
      else serve(evs[i].data.fd);
    }
  }
}
