#define _GNU_SOURCE
#include "CProcess.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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

long oap_file_system(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (long)(unsigned)status.f_type : -1;
}

void oap_device_numbers(dev_t device, unsigned *first, unsigned *second) {
    *first = major(device);
    *second = minor(device);
}

int oap_read_time(const char *text, const char *form, struct tm *parts) { return strptime(text, form, parts) != NULL; }
