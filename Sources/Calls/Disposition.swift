/// What to do with the content of a response, decided when its head has arrived.
package enum Disposition: Sendable, Equatable {
    /// Deliver it: the response is final.
    case deliver
    /// Hold it until the outcome is known: the response may be final. Of long content, the beginning is enough.
    case hold
    /// Hold it, and report it at its end: it decides. Content too long to be held is delivered.
    case inspect
    case discard
}
