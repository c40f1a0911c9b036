package import Wire

package struct Retry {
    package enum Cause {
        case response(HTTPResponseHead)
        case failure(HTTPError)
    }

    package let cause: Cause
    /// The pause before it, in seconds.
    package let seconds: Double
    /// The number of this retry, from 1.
    package let number: Int
    package let limit: Int
}
