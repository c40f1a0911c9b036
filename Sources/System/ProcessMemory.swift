internal import CProcess

package enum ProcessMemory {
    /// Keeps it out of core dumps and from other processes of the user (prctl(2), `PR_SET_DUMPABLE`). Child processes are
    /// not affected.
    package static func hide() { oap_hide_memory() }
}
