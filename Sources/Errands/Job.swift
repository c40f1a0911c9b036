package import System

/// An errand that has begun, of whatever value. An engine owns it, and the job owns what is left of its errand.
package class Job {
    package enum Need {
        case send(ServerRequest)
        case run(ChildProgram)
        case pause(until: MonotonicTime)
    }

    package enum Reply {
        case response(ServerRequest.Result)
        case end(ChildProgram.End)
        case moment
    }

    /// What it waits for; nil when it is done or cancelled.
    package fileprivate(set) var need: Need?

    package var isOver: Bool { need == nil }

    fileprivate init() {}

    /// Drops what is left: what it holds is released now.
    package func cancel() { need = nil }

    package func resume(_ reply: Reply, at moment: Moment) { preconditionFailure("every job is one of an errand") }
}

package final class ErrandJob<Value>: Job {
    private var errand: Errand<Value>?
    private var finish: ((Value) -> Void)?

    /// Begins: what needs nothing is done at once.
    ///
    /// - Parameter finish: called once with the value, in the step that brings it.
    package init(_ errand: Errand<Value>, then finish: @escaping (Value) -> Void) {
        self.finish = finish
        super.init()
        take(errand)
    }

    package override func cancel() {
        super.cancel()
        (errand, finish) = (nil, nil)
    }

    package override func resume(_ reply: Reply, at moment: Moment) {
        switch (errand.take(), reply) {
        case (.send(_, let go)?, .response(let result)): take(go(result, moment))
        case (.run(_, let go)?, .end(let end)): take(go(end))
        case (.pause(_, let go)?, .moment): take(go())
        case (nil, _): break
        default: preconditionFailure("a reply is to the need")
        }
    }

    private func take(_ errand: Errand<Value>) {
        switch errand {
        case .done(let value):
            need = nil
            finish.take()?(value)
            return
        case .send(let request, _): need = .send(request)
        case .run(let program, _): need = .run(program)
        case .pause(let end, _): need = .pause(until: end)
        }
        self.errand = errand
    }
}
