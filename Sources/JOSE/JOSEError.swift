/// Why a digest, random bytes, a key or a signature could not be had.
package enum JOSEError: Error, Sendable, Equatable {
    /// The cryptographic library could not be loaded; the text names the package that has it.
    case library(String)
    /// The system gave no random bytes; the value is the C library's `errno`.
    case randomness(errno: Int32)
}
