/// When a request that may have arrived may be sent again, whatever its method.
package enum Repetition: Int, Comparable, Sendable {
    /// The request is sent again only if nothing of it was sent.
    case unsent
    /// The request is sent again too when the server has put it off: after 429 or 503, nothing was carried out.
    case deferred
    /// Always: twice does no harm.
    case always

    package static func < (first: Repetition, second: Repetition) -> Bool { first.rawValue < second.rawValue }
}
