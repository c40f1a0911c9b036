package import System
package import Wire

package struct Retry {
    package enum Cause {
        case response(HTTPResponseHead)
        case failure(HTTPError)
    }

    /// A retry, and when it is due.
    package struct Planned {
        /// The retry.
        package let retry: Retry
        /// When the request is sent again.
        package let end: MonotonicTime
    }

    package let cause: Cause
    /// The pause before it, in seconds.
    package let seconds: Double
    /// The number of this retry, from 1.
    package let number: Int
    package let limit: Int
}
