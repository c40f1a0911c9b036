#define _GNU_SOURCE
#include "CProcess.h"
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void oap_hide_memory(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int oap_close_others(posix_spawn_file_actions_t *actions) {
    return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

int oap_watch_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }
