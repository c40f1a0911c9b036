internal import CLibMicroHTTPD

/// libmicrohttpd, loaded when it is first used.
package enum LoopbackLibrary {
    /// Why libmicrohttpd cannot be used, or nil. Loads the library the first time it is asked.
    static let loadFailure: String? = oap_mhd_load().map { String(cString: $0) }

    /// Name and version of the library, for example `libmicrohttpd/0.9.75`. Nil if it is not installed.
    package static var version: String? {
        loadFailure == nil ? "libmicrohttpd/\(String(cString: oap_mhd_version()))" : nil
    }
}
