internal import System

/// Why the program ends before it has begun.
struct Failure: Error {
    let status: Status
    /// What happened: lower case, no full stop.
    let message: String
    let hint: String?

    init(_ status: Status, _ message: String, hint: String? = nil) {
        self.status = status
        self.message = message
        self.hint = hint
    }

    /// Runs a step of the system; what it throws becomes status 11.
    static func system<Value: ~Copyable>(
        _ problem: @autoclosure () -> String, _ step: @autoclosure () throws(Errno) -> Value
    ) throws(Failure) -> Value {
        do throws(Errno) {
            return try step()
        } catch {
            throw Failure(.fileFailed, "\(problem()): \(error)")
        }
    }
}
