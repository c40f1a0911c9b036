internal import CProcess
internal import Glibc

package enum ProcessMemory {
    /// Keeps it out of core dumps and from other processes of the user (prctl(2), `PR_SET_DUMPABLE`). Child processes are
    /// not affected.
    package static func hide() { oap_hide_memory() }

    /// Whether the system can allocate this many bytes (mmap(2)). They are freed at once: only so is a limit of the process
    /// (`ulimit -v`) noticed.
    package static func canGrow(by count: Int) -> Bool {
        let map = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard map != MAP_FAILED else { return false }
        munmap(map, count)
        return true
    }
}
