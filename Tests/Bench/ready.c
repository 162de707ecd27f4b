/* Starts a server, asks until its URL answers 200, prints the milliseconds from fork to answer, and kills it.
 *
 * build: cc -O2 ready.c -o ready
 * usage: ready PORT PATH -- COMMAND ARGUMENT...
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static pid_t start(char **command) {
  pid_t child = fork();
  if (child) return child;
  setpgid(0, 0);
  int null = open("/dev/null", O_RDWR);
  dup2(null, 0);
  dup2(null, 1);
  dup2(null, 2);
  execvp(command[0], command);
  _exit(127);
}

/* Whether the server answers 200 now. */
static int answers(int port, const char *request) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct timeval patience = {2, 0};
  char head[64] = {0};
  int fd = socket(AF_INET, SOCK_STREAM, 0), is_up = 0;
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (!connect(fd, (void *)&address, sizeof address) && write(fd, request, strlen(request)) > 0)
    is_up = read(fd, head, sizeof head - 1) > 12 && !memcmp(head + 9, "200", 3);
  close(fd);
  return is_up;
}

int main(int count, char **arguments) {
  if (count < 5) { fprintf(stderr, "usage: ready PORT PATH -- COMMAND ARGUMENT...\n"); return 2; }
  int port = atoi(arguments[1]), status;
  char request[1024];
  snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n\r\n", arguments[2], port);
  double began = now();
  pid_t child = start(arguments + 4);
  while (!answers(port, request)) {
    if (waitpid(child, &status, WNOHANG) == child) { fprintf(stderr, "the server ended\n"); return 1; }
    if (now() - began > 30000) { kill(-child, SIGKILL); fprintf(stderr, "no answer in 30 s\n"); return 1; }
    usleep(200);
  }
  printf("%.2f\n", now() - began);
  kill(-child, SIGKILL);
  waitpid(child, NULL, 0);
}
