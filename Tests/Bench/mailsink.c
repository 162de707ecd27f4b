/* The physical reference for mail: a bare SMTP sink. One thread, epoll, no allocation; it reads commands, counts nothing, keeps nothing and
 * answers with finished replies. A real server does strictly more.
 *
 * build: cc -O2 mailsink.c -o mailsink
 * usage: mailsink PORT
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAXFD 1024
#define BUF 65536

typedef struct { int len, in_data; char in[BUF]; } conn_t;

static conn_t *conns[MAXFD];
static char out[BUF];
static size_t n_out;

static void reply(const char *text) {
  size_t n = strlen(text);
  if (n_out + n <= sizeof out) memcpy(out + n_out, text, n), n_out += n;
}

/* Obeys the whole lines that are there, and moves the rest to the front. */
static void obey(conn_t *c) {
  char *at = c->in, *end = c->in + c->len;
  for (;;) {
    if (c->in_data) {
      char *dot = memmem(at, end - at, "\r\n.\r\n", 5);
      if (!dot) break;
      at = dot + 5;
      c->in_data = 0;
      reply("250 2.0.0 ok\r\n");
      continue;
    }
    char *line = memmem(at, end - at, "\r\n", 2);
    if (!line) break;
    if (!memcmp(at, "DATA", 4)) {
      c->in_data = 1;
      reply("354 go ahead\r\n");
      at = line + 2;
    } else {
      reply("250 ok\r\n");
      at = line + 2;
    }
  }
  c->len = end - at;
  memmove(c->in, at, c->len);
}

int main(int argc, char **argv) {
  int port = argc > 1 ? atoi(argv[1]) : 0, yes = 1;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), poller = epoll_create1(0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 512)) return 1;
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[64];
  epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
  for (;;) {
    int count = epoll_wait(poller, events, 64, -1);
    for (int i = 0; i < count; i++) {
      int fd = events[i].data.fd;
      if (fd == listener) {
        int made = accept4(listener, NULL, NULL, 0);
        if (made < 0 || made >= MAXFD) { if (made >= 0) close(made); continue; }
        setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        if (!conns[made]) conns[made] = malloc(sizeof(conn_t));
        if (!conns[made]) return 1;
        conns[made]->len = conns[made]->in_data = 0;
        event.events = EPOLLIN, event.data.fd = made;
        epoll_ctl(poller, EPOLL_CTL_ADD, made, &event);
        if (write(made, "220 sink\r\n", 10) < 0) close(made);
        continue;
      }
      conn_t *c = conns[fd];
      ssize_t n = read(fd, c->in + c->len, sizeof c->in - c->len);
      if (n <= 0) { close(fd); continue; }
      c->len += n, n_out = 0;
      obey(c);
      if (n_out && write(fd, out, n_out) < 0) close(fd);
    }
  }
}
