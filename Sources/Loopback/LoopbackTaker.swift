/// Who takes the content of one request as it comes, and answers when it can. It is called in the turns of the engine. When
/// there is room again, or something to send, it wakes its connection.
package protocol LoopbackTaker: AnyObject {
    /// The response, once it can begin. It is asked for after each call of the two below, and after the connection was woken;
    /// one that is there before the content of the request is complete is sent behind it.
    var response: LoopbackResponse? { get }

    /// Takes content of the request.
    ///
    /// - Returns: how many bytes it took; the rest is offered again when the connection is woken.
    func take(_ bytes: UnsafeRawBufferPointer) -> Int

    /// The content of the request is complete. Called once.
    func takeEnd()

    /// Gives content of a response whose body is ``LoopbackBody/taken(length:)``.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> LoopbackFill

    /// The response was sent, or the client is gone. Called once, after which nothing else is called.
    func close()
}

/// What a taker had for a buffer.
package enum LoopbackFill {
    case bytes(Int)
    /// Nothing at the moment: the connection is woken when there is something.
    case wait
    case end
    /// The content breaks off: the client is to see that it is not whole.
    case broken
}

/// Wakes the connection of a taker. May be called from anywhere on the engine's thread, and after the connection's end.
package struct LoopbackWaker {
    let connection: () -> Void

    package func wake() { connection() }
}

/// Makes the taker of a request whose head has come.
package typealias LoopbackTake = (LoopbackRequest, LoopbackWaker) -> any LoopbackTaker

/// The taker of a request whose answer is known from its head.
package final class FixedAnswer: LoopbackTaker {
    package let response: LoopbackResponse?

    package init(_ response: LoopbackResponse) { self.response = response }

    package func take(_ bytes: UnsafeRawBufferPointer) -> Int { bytes.count }
    package func takeEnd() {}
    package func fill(_ buffer: UnsafeMutableRawBufferPointer) -> LoopbackFill { .end }
    package func close() {}
}
