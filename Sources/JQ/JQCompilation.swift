internal import System
package import Wire

/// A filter that is being compiled on its own thread. Dropping it without `wait()` waits for the thread.
package struct JQCompilation: ~Copyable {
    /// The shared state: used by the new thread until it ends, then by this one.
    private final class Work: @unchecked Sendable {
        private let make: () throws(JQError) -> JQFilter
        var result: Result<JQFilter, JQError>?

        init(_ make: @escaping () throws(JQError) -> JQFilter) { self.make = make }

        func compile() { result = Result { () throws(JQError) in try make() } }
    }

    private let work: Work
    private var thread: BackgroundThread?

    /// Starts as `JQFilter.init(_:arguments:lateVariables:)`. A plain path starts no thread.
    package init(
        _ filter: String, arguments: [(name: String, value: JSON)] = [], lateVariables: [String] = []
    ) {
        let work = Work { () throws(JQError) in
            try JQFilter(filter, arguments: arguments, lateVariables: lateVariables)
        }
        self.work = work
        thread = PlainPath(filter) == nil ? BackgroundThread { work.compile() } : nil
        if thread == nil { work.compile() }
    }

    package consuming func wait() throws(JQError) -> JQFilter {
        thread = nil
        guard let result = work.result.take() else { preconditionFailure("the thread ended without a result") }
        return try result.get()
    }
}
