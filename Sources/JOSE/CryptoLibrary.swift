internal import CLibCrypto

/// The library libcrypto, loaded when it is first needed.
package enum CryptoLibrary {
    /// Loads the library at the first call, once for all threads.
    ///
    /// - Throws: `JOSEError.library` at this and every later call, when it is missing or lacks a function.
    static func load() throws(JOSEError) {
        if let failure { throw .library("cannot load libcrypto (Debian package libssl3): \(failure)") }
    }

    /// Name, number and date of the library, for example `OpenSSL 3.0.15 3 Sep 2024`; nil if it is not installed.
    package static var version: String? { failure == nil ? String(cString: oap_crypto_version()) : nil }

    /// The dynamic linker's message, copied from its buffer.
    private static let failure = oap_crypto_load().map { String(cString: $0) }
}
