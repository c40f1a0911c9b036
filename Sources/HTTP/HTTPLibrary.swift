internal import CLibCurl

/// libcurl, loaded when it is first used.
package enum HTTPLibrary {
    /// Why libcurl cannot be used, or nil. Loads the library the first time it is asked.
    package static let loadFailure: String? = oap_curl_load().map { String(cString: $0) }

    /// The versions of libcurl and of what it is built with, for example `libcurl/7.88.1 OpenSSL/3.0.15 zlib/1.2.13`.
    /// Nil if libcurl is not installed.
    package static var version: String? {
        loadFailure == nil ? String(cString: oap_curl_version()) : nil
    }
}
