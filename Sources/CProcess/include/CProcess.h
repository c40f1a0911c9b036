#ifndef OAP_CPROCESS_H
#define OAP_CPROCESS_H

#include <spawn.h>
#include <sys/types.h>
#include <time.h>

/// Keeps the memory of this process from core dumps and from other processes of the same user (prctl(2),
/// `PR_SET_DUMPABLE`). A program that it starts is not affected.
void oap_hide_memory(void);

/// Lets a program that is started have no descriptor but 0, 1 and 2 (posix_spawn_file_actions_addclosefrom_np(3), which
/// Swift does not see).
int oap_close_others(posix_spawn_file_actions_t *actions);

/// The arguments of this process, the program's name first, as the C library passes them to constructors.
char **oap_arguments(int *count);

/// A descriptor that becomes readable when a child process ends, close-on-exec; -1 and `errno` if the system has none
/// (pidfd_open(2), which Debian's C library does not have everywhere).
int oap_watch_process(pid_t process);

/// An empty file in memory, close-on-exec, or -1 and `errno` (memfd_create(2), which Swift does not see).
int oap_memory_file(const char *name);

/// Copies what could be read of a regular file (pread(2)), a socket (`MSG_PEEK`) or a pipe (tee(2), which Swift does not
/// see), and leaves it there. A pipe and a socket are waited for as long as they are empty, up to so many milliseconds.
/// Returns how many bytes: 0 at the end, for an error, and for anything else, such as a terminal.
ssize_t oap_peek(int descriptor, void *bytes, size_t most, int patience);

/// The number of the kind of file system that a path lies on (statfs(2), which Swift does not see); -1 and `errno`.
long oap_file_system(const char *path);

/// The major and the minor number of a device (makedev(3)).
void oap_device_numbers(dev_t device, unsigned *major, unsigned *minor);

/// Reads a time in a form of strptime(3), which Swift does not see. Returns whether the text begins with one.
int oap_read_time(const char *text, const char *form, struct tm *parts);

#endif
