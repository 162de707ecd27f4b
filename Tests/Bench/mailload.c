/* Sends mails as fast as a server takes them, over many connections that stay open: each mail is a multipart of text and HTML with a code, to a
 * recipient of its own, and goes out with the commands of the next (RFC 2920). Prints how many were accepted, and the seconds.
 *
 * build: cc -O2 mailload.c -o mailload
 * usage: mailload PORT CONNECTIONS SECONDS
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAXFD 1024

/* Replies that are still to come, and whether the next of them is that to a mail. */
typedef struct { int awaited, position; char line[512]; } conn_t;

static conn_t conns[MAXFD];
static unsigned number, accepted;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static int envelope(char *to) {
  return sprintf(to, "MAIL FROM:<shop@example.com> BODY=8BITMIME\r\nRCPT TO:<user%u@example.com>\r\nDATA\r\n", number++);
}

static int mail(char *to) {
  unsigned code = 100000 + number * 7919 % 900000;
  return sprintf(to,
    "From: Shop <shop@example.com>\r\nTo: user%u@example.com\r\nSubject: =?utf-8?q?Dein_Best=C3=A4tigungscode?=\r\n"
    "Date: Mon, 23 Nov 2026 12:00:00 +0000\r\nMessage-ID: <%u@example.com>\r\nMIME-Version: 1.0\r\n"
    "Content-Type: multipart/alternative; boundary=\"=_b%u\"\r\n\r\n--=_b%u\r\nContent-Type: text/plain; charset=utf-8\r\n"
    "Content-Transfer-Encoding: quoted-printable\r\n\r\nGuten Tag,\r\n\r\ndein Code lautet %u. Er gilt zehn Minuten, bitte gib ihn nicht weit=\r\n"
    "er.\r\n\r\nSch=C3=B6ne Gr=C3=BC=C3=9Fe\r\nDein Shop\r\n\r\n--=_b%u\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    "<html><head><style>p { font: 14px sans-serif }</style></head><body><p>Guten Tag,</p><p>dein Code lautet <b>%u</b>, oder "
    "<a href=\"https://shop.example.com/verify?token=%u\">klick hier</a>.</p></body></html>\r\n\r\n--=_b%u--\r\n.\r\n",
    number, number, number, number, code, number, code, code, number);
}

static void send_all(int fd, const char *bytes, int count) {
  while (count > 0) {
    ssize_t n = write(fd, bytes, count);
    if (n <= 0) exit(1);
    bytes += n, count -= n;
  }
}

/* Takes a reply; 0 when all that were awaited have come. */
static int take(conn_t *c, int is_mail) {
  if (c->line[0] != '2' && c->line[0] != '3') { fprintf(stderr, "mailload: %s\n", c->line); exit(1); }
  if (c->position > 3 && c->line[3] == '-') return c->awaited;
  accepted += is_mail;
  return --c->awaited;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  int port = atoi(argv[1]), connections = atoi(argv[2]), poller = epoll_create1(0), yes = 1;
  double seconds = atof(argv[3]);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  char out[8192], in[8192];
  for (int i = 0; i < connections; i++) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || fd >= MAXFD || connect(fd, (struct sockaddr *)&address, sizeof address)) { perror("mailload"); return 1; }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    /* Greeting and EHLO by hand; they are not measured. */
    send_all(fd, "EHLO bench.example\r\n", 20);
    for (char *last = NULL; !last;) {
      ssize_t n = recv(fd, in, sizeof in - 1, MSG_PEEK);
      if (n <= 0) return 1;
      in[n] = 0;
      char *line = strstr(in, "\r\n250 ");
      if (line && (last = strstr(line + 2, "\r\n"))) n = recv(fd, in, last + 2 - in, 0);
      else usleep(1000);
    }
    send_all(fd, out, envelope(out));
    conns[fd].awaited = 3;
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event);
  }
  double begun = now();
  while (now() - begun < seconds) {
    struct epoll_event events[64];
    int count = epoll_wait(poller, events, 64, 100);
    for (int i = 0; i < count; i++) {
      int fd = events[i].data.fd;
      conn_t *c = &conns[fd];
      ssize_t n = read(fd, in, sizeof in);
      if (n <= 0) { fprintf(stderr, "mailload: closed\n"); return 1; }
      for (ssize_t k = 0; k < n; k++) {
        if (c->position < (int)sizeof c->line - 1) c->line[c->position++] = in[k];
        if (in[k] != '\n') continue;
        c->line[c->position] = 0;
        /* Four replies are awaited behind a mail, the first of them its own. */
        int left = take(c, c->awaited == 4);
        c->position = 0;
        if (left) continue;
        int length = mail(out);
        length += envelope(out + length);
        c->awaited = 4;
        send_all(fd, out, length);
      }
    }
  }
  printf("%u %.6f\n", accepted, now() - begun);
  return 0;
}
