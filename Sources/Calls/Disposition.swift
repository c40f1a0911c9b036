/// What to do with the content of a response, decided when its head has arrived.
package enum Disposition: Sendable, Equatable {
    /// Deliver it: the response is final.
    case deliver
    /// Hold it until the outcome is known: the response may be final.
    case hold
    /// Drop it.
    case discard
}
