/// What becomes of the content of a response, known as soon as its head is here.
package enum Disposition: Sendable, Equatable {
    /// It is the answer.
    case deliver
    /// It may be the answer: keep it until the outcome is known.
    case hold
    /// It is not needed.
    case discard
}
