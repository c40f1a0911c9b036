#define _GNU_SOURCE
#include "CProcess.h"
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <unistd.h>

void oap_hide_memory(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

void oap_keep_descriptors(void) {
    if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
    // Linux before 5.11.
    for (int descriptor = 3; descriptor < 1024; descriptor++) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}
