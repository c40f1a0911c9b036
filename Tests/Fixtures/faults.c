// Makes one function of the C library fail, as a disk does that is broken, full, or far away: loaded with LD_PRELOAD,
// `FAULT=write:28` has every write to a regular file fail with errno 28, `rename` every renaming to a name in `.json`,
// `open` every opening of a file that may have to be made, and `create` those that must make it. `FAULT=home:/x` gives
// each user the home `/x` in the password database.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fails(const char *function) {
    const char *fault = getenv("FAULT");
    size_t length = strlen(function);
    if (fault == NULL || strncmp(fault, function, length) != 0 || fault[length] != ':') return 0;
    errno = atoi(fault + length + 1);
    return 1;
}

static int is_file(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

// `FAULT=environment` moves the environment before the program looks at it.
__attribute__((constructor)) static void move_environment(void) {
    const char *fault = getenv("FAULT");
    if (fault != NULL && strcmp(fault, "environment") == 0) setenv("MOVED", "1", 1);
}

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

int getpwuid_r(uid_t user, struct passwd *entry, char *buffer, size_t size, struct passwd **found) {
    int code = REAL(getpwuid_r)(user, entry, buffer, size, found);
    const char *fault = getenv("FAULT");
    if (code == 0 && *found != NULL && fault != NULL && strncmp(fault, "home:", 5) == 0) {
        (*found)->pw_dir = (char *)fault + 5;
    }
    return code;
}

int flock(int descriptor, int operation) { return fails("flock") ? -1 : REAL(flock)(descriptor, operation); }

int fsync(int descriptor) { return fails("fsync") ? -1 : REAL(fsync)(descriptor); }

int rename(const char *from, const char *to) {
    const char *end = strrchr(to, '.');
    return end != NULL && strcmp(end, ".json") == 0 && fails("rename") ? -1 : REAL(rename)(from, to);
}

int posix_fallocate(int descriptor, off_t offset, off_t length) {
    return fails("posix_fallocate") ? errno : REAL(posix_fallocate)(descriptor, offset, length);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (fails("write") && is_file(descriptor)) {
        errno = atoi(strchr(getenv("FAULT"), ':') + 1);
        return -1;
    }
    return REAL(write)(descriptor, bytes, count);
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (flags & O_CREAT && fails("open")) return -1;
    if (flags & O_EXCL && fails("create")) return -1;
    return REAL(open)(path, flags, mode);
}
