/* Sends prepared requests over kept-alive connections, each as soon as the answer before it on its connection is there.
 *
 * Of N connections the i-th sends the requests i, i + N, i + 2 N … in their order, so that what belongs together stays in order.
 * FILE holds the requests, each behind its length in four bytes, little-endian. Every answer must be 200 and hold MARKER.
 * Prints the number of requests and the microseconds from the first to the last.
 *
 * build: cc -O2 replay.c -o replay
 * usage: replay PORT CONNECTIONS FILE MARKER
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST 256
#define ROOM 65536

typedef struct { const char *bytes; uint32_t count; } request_t;

static request_t *requests;
static size_t total, next[MOST], length[MOST];
static char answers[MOST][ROOM];
static struct pollfd sockets[MOST];

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "replay: %s%s\n", what, detail);
  exit(1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static void load(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail("cannot read ", path);
  uint32_t count;
  while (fread(&count, sizeof count, 1, file) == 1) {
    char *bytes = malloc(count);
    if (fread(bytes, 1, count, file) != count) fail("the file ends too early: ", path);
    if (total % 1024 == 0) requests = realloc(requests, (total + 1024) * sizeof *requests);
    requests[total++] = (request_t){bytes, count};
  }
  fclose(file);
}

static int connected(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(fd, (void *)&address, sizeof address)) fail("cannot connect", "");
  return fd;
}

/* Whether there was one more to send. */
static int send_next(int at, int connections) {
  if (next[at] >= total) { sockets[at].fd = -1; return 0; }
  request_t request = requests[next[at]];
  next[at] += connections;
  length[at] = 0;
  for (uint32_t sent = 0; sent < request.count;) {
    ssize_t wrote = write(sockets[at].fd, request.bytes + sent, request.count - sent);
    if (wrote <= 0) fail("the server closed the connection", "");
    sent += wrote;
  }
  return 1;
}

/* Whether the whole answer is there. It must be the wanted one. */
static int receive(int at, const char *marker) {
  char *answer = answers[at];
  ssize_t more = read(sockets[at].fd, answer + length[at], ROOM - 1 - length[at]);
  if (more <= 0) fail("the server closed the connection, or its answer is too long", "");
  length[at] += more;
  answer[length[at]] = 0;
  char *end = strstr(answer, "\r\n\r\n");
  if (!end) return 0;
  char *field = strcasestr(answer, "\r\ncontent-length:");
  if (!field || field > end) fail("an answer without Content-Length: ", answer);
  if (length[at] < (size_t)(end + 4 - answer) + atoi(field + 17)) return 0;
  if (memcmp(answer + 9, "200", 3) || !strstr(end, marker)) fail("not the wanted answer: ", answer);
  return 1;
}

int main(int count, char **arguments) {
  if (count != 5) { fprintf(stderr, "usage: replay PORT CONNECTIONS FILE MARKER\n"); return 2; }
  int connections = atoi(arguments[2]), under_way = 0;
  if (connections < 1 || connections > MOST) fail("so many connections: ", arguments[2]);
  load(arguments[3]);
  for (int i = 0; i < connections; i++) {
    sockets[i] = (struct pollfd){.fd = connected(atoi(arguments[1])), .events = POLLIN};
    next[i] = i;
  }
  double began = now();
  for (int i = 0; i < connections; i++) under_way += send_next(i, connections);
  while (under_way) {
    if (poll(sockets, connections, 30000) <= 0) fail("no answer for 30 s", "");
    for (int i = 0; i < connections; i++) {
      if (sockets[i].fd < 0 || !sockets[i].revents || !receive(i, arguments[4])) continue;
      if (!send_next(i, connections)) under_way--;
    }
  }
  printf("%zu %.0f\n", total, now() - began);
}
