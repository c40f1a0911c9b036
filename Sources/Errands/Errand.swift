package import System

/// Work that needs others: what it needs next, and how it goes on with what came of it. It has no engine, so it can
/// neither send nor wait. What a continuation has captured belongs to that state, and is released when the errand is
/// dropped.
package enum Errand<Value> {
    case done(Value)
    case send(ServerRequest, (ServerRequest.Result, Moment) -> Errand<Value>)
    case run(ChildProgram, (ChildProgram.End) -> Errand<Value>)
    case pause(until: MonotonicTime, () -> Errand<Value>)
}

/// An errand that may fail.
package typealias Attempt<Value, Failure: Error> = Errand<Result<Value, Failure>>

extension Errand {
    /// The errand that a step of its own begins. What takes a lock begins so: a value that is kept while it is carried out,
    /// and a continuation that has not returned yet, hold no lock then.
    package static func later(_ step: @escaping () -> Errand<Value>) -> Errand<Value> { .pause(until: .now, step) }

    package func then<New>(_ next: @escaping (Value) -> Errand<New>) -> Errand<New> {
        switch self {
        case .done(let value): next(value)
        case .send(let request, let go): .send(request) { go($0, $1).then(next) }
        case .run(let program, let go): .run(program) { go($0).then(next) }
        case .pause(let end, let go): .pause(until: end) { go().then(next) }
        }
    }

    /// Goes on with the value of a success; a failure, and what the next step throws, ends the errand.
    package func onward<Success, Failure, New>(
        _ next: @escaping (Success) throws(Failure) -> Attempt<New, Failure>
    ) -> Attempt<New, Failure> where Value == Result<Success, Failure> {
        then { (result: Value) -> Attempt<New, Failure> in
            switch result {
            case .success(let value): attempting { () throws(Failure) in try next(value) }
            case .failure(let error): .done(.failure(error))
            }
        }
    }

    /// Changes the value of a success; what the change throws is the failure.
    package func reading<Success, Failure, New>(
        _ change: @escaping (Success) throws(Failure) -> New
    ) -> Attempt<New, Failure> where Value == Result<Success, Failure> {
        onward { (value: Success) throws(Failure) -> Attempt<New, Failure> in .done(.success(try change(value))) }
    }

    package func mapFailure<Success, Failure, Other>(
        _ change: @escaping (Failure) -> Other
    ) -> Attempt<Success, Other> where Value == Result<Success, Failure> {
        then { .done($0.mapError(change)) }
    }

    /// Releases an object when the errand is done or dropped, not before: a captured lock lives only as long as a later
    /// continuation names it.
    package func keeping(_ kept: AnyObject) -> Errand<Value> {
        switch self {
        case .done: self
        case .send(let request, let go):
            .send(request) { (result, moment) in withExtendedLifetime(kept) { go(result, moment).keeping(kept) } }
        case .run(let program, let go):
            .run(program) { end in withExtendedLifetime(kept) { go(end).keeping(kept) } }
        case .pause(let end, let go):
            .pause(until: end) { withExtendedLifetime(kept) { go().keeping(kept) } }
        }
    }
}

/// The errand that a step begins; what the step throws is its failure.
package func attempting<Value, Failure>(
    _ step: () throws(Failure) -> Attempt<Value, Failure>
) -> Attempt<Value, Failure> {
    do throws(Failure) { return try step() } catch { return .done(.failure(error)) }
}
