package import System

/// An errand that has begun, of whatever value. An engine owns it, and the job owns what is left of its errand.
package final class Job {
    package enum Reply {
        case response(ServerRequest.Result)
        case end(ChildProgram.End)
        case moment
    }

    /// What is left of the errand, which says what it waits for; nil when it is done.
    package private(set) var rest: Errand<Void>?

    package var isOver: Bool { rest == nil }

    /// Begins: what needs nothing is done at once.
    ///
    /// - Parameter finish: called once with the value, in the step that brings it.
    package init<Value>(_ errand: Errand<Value>, then finish: @escaping (Value) -> Void) {
        take(errand.then { .done(finish($0)) })
    }

    package func resume(_ reply: Reply, at moment: Moment) {
        switch (rest.take(), reply) {
        case (.send(_, let go)?, .response(let result)): take(go(result, moment))
        case (.run(_, let go)?, .end(let end)): take(go(end))
        case (.pause(_, let go)?, .moment): take(go())
        case (nil, _): break
        default: preconditionFailure("a reply is to the need")
        }
    }

    private func take(_ errand: Errand<Void>) { if case .done = errand {} else { rest = errand } }
}
