internal import CLibJQ
internal import Glibc

/// libjq, loaded when it is first used.
package enum JQLibrary {
    /// Why libjq could not be loaded, as the dynamic linker's message; nil if it was.
    static let loadFailure: String? = oap_jq_load().map { String(cString: $0) }

    /// Whether libjq is aborting the process because it got no memory (`abort`). Can be called from a signal handler.
    package static var hasNoMemory: Bool { oap_jq_has_no_memory() != 0 }

    /// Whether a filter runs in this thread. Can be called from a signal handler.
    package static var isRunning: Bool { oap_jq_is_running() != 0 }

    /// The path of the library's file, links resolved. Nil if it is not installed.
    static var path: String? {
        guard loadFailure == nil, let path = oap_jq_file(), let target = realpath(path, nil) else { return nil }
        defer { free(target) }
        return String(cString: target)
    }

    /// The name of the library's file with its number, for example `libjq.so.1.0.4`: it does not tell its version. Nil
    /// if it is not installed.
    package static var version: String? { path?.split(separator: "/").last.map(String.init) }
}
