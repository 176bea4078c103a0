#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

// What the Glibc module of Swift does not carry. Not with _GNU_SOURCE: it renames members of fd_set, which Swift
// then takes for two different types.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/random.h>
#include <poll.h>
#include <sys/file.h>

// Declared by hand: the header hides it behind _GNU_SOURCE, which Swift's importer does not set.
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);

// A file in memory; declared by hand for the same reason.
extern int memfd_create(const char *name, unsigned int flags);
static const unsigned int CLinux_MFD_CLOEXEC = 1;

// What poll(2) tells of a peer that has closed its side; the header hides it behind _GNU_SOURCE.
static const short CLinux_POLLRDHUP = 0x2000;

#endif
