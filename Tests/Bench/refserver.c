/* The physical reference: what answering these paths must cost on this machine.
 *
 * A deliberately bare epoll HTTP/1.1 server with no routing table, no allocation on the hot path and no logging. At start it
 * reads an RSA key, as any token server must; then it answers GET /health and GET /jwks by copying a finished answer.
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
#include <openssl/pem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAXFD 4096
#define BUF 16384

typedef struct { int len; char in[BUF]; } conn_t;

static conn_t *conns[MAXFD];
static char out[1 << 18], health[256], jwks[1024];
static size_t n_health, n_jwks;
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
  for (; (e = strstr(s, "\r\n\r\n")); s = e + 4) {
    if (!memcmp(s, "GET /h", 6)) { memcpy(out + on, health, n_health); on += n_health; }
    else if (!memcmp(s, "GET /j", 6)) { memcpy(out + on, jwks, n_jwks); on += n_jwks; }
    else { memcpy(out + on, not_found, sizeof not_found - 1); on += sizeof not_found - 1; }
  }
  if (on && write(fd, out, on) != (ssize_t)on) { hang_up(fd); return; }
  c->len -= s - c->in;
  memmove(c->in, s, c->len);
}

int main(int argc, char **argv) {
  if (argc != 3) { fprintf(stderr, "usage: refserver PORT RSA.pem\n"); return 2; }
  FILE *file = fopen(argv[2], "r");
  EVP_PKEY *key = file ? PEM_read_PrivateKey(file, NULL, NULL, NULL) : NULL;
  if (!key) { fprintf(stderr, "no key in %s\n", argv[2]); return 1; }
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
