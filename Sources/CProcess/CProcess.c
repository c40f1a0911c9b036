#define _GNU_SOURCE
#include "CProcess.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

void oap_hide_memory(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int oap_close_others(posix_spawn_file_actions_t *actions) {
    return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

int oap_watch_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

static char **arguments;
static int argument_count;

__attribute__((constructor)) static void keep_arguments(int count, char **words) {
    arguments = words;
    argument_count = count;
}

char **oap_arguments(int *count) {
    *count = argument_count;
    return arguments;
}

// In place of the functions of Swift's runtime, which is linked in: to find the arguments, that reads /proc/self/maps at
// each start, and finds none if a preloaded library has moved the environment.
char **_swift_stdlib_getUnsafeArgvArgc(int *count) { return oap_arguments(count); }

void _swift_stdlib_overrideUnsafeArgvArgc(char **words, int count) { keep_arguments(count, words); }

int oap_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

static ssize_t peek_pipe(int descriptor, void *bytes, size_t most) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    ssize_t count = tee(descriptor, ends[1], most, SPLICE_F_NONBLOCK);
    if (count > 0) count = read(ends[0], bytes, most);
    close(ends[0]);
    close(ends[1]);
    return count;
}

ssize_t oap_peek(int descriptor, void *bytes, size_t most, int patience) {
    struct stat status;
    struct pollfd event = {descriptor, POLLIN, 0};
    ssize_t count = 0;
    if (fstat(descriptor, &status) != 0) return 0;
    if (S_ISREG(status.st_mode)) {
        count = pread(descriptor, bytes, most, lseek(descriptor, 0, SEEK_CUR));
    } else if ((S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) && poll(&event, 1, patience) > 0) {
        count = S_ISFIFO(status.st_mode) ? peek_pipe(descriptor, bytes, most)
                                         : recv(descriptor, bytes, most, MSG_PEEK | MSG_DONTWAIT);
    }
    return count < 0 ? 0 : count;
}

long oap_file_system(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (long)(unsigned)status.f_type : -1;
}

void oap_device_numbers(dev_t device, unsigned *first, unsigned *second) {
    *first = major(device);
    *second = minor(device);
}

int oap_read_time(const char *text, const char *form, struct tm *parts) { return strptime(text, form, parts) != NULL; }
