internal import CProcess

/// The memory of this process.
package enum ProcessMemory {
    /// Keeps it from core dumps and from other processes of the same user (prctl(2), `PR_SET_DUMPABLE`). A program that is
    /// started is not affected.
    package static func hide() { oap_hide_memory() }
}
