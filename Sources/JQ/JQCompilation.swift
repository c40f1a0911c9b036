internal import Glibc
package import Wire

extension JQFilter {
    /// Starts to compile a filter on a second thread, as `init(_:arguments:lateVariables:)` would. A plain path starts
    /// no thread.
    package static func compileInBackground(
        _ filter: String, arguments: [(name: String, value: JSON)] = [], lateVariables: [String] = []
    ) -> JQCompilation {
        JQCompilation(filter, arguments: arguments, lateVariables: lateVariables)
    }
}

/// A filter that is being compiled on its own thread. Dropping it without `wait()` waits for the thread.
package struct JQCompilation: ~Copyable {
    /// The shared state: used by the new thread until it ends, then by this one.
    private final class Work {
        let filter: String
        let arguments: [(name: String, value: JSON)]
        let lateVariables: [String]
        var result: Result<JQFilter, JQError>?

        init(filter: String, arguments: [(name: String, value: JSON)], lateVariables: [String]) {
            self.filter = filter
            self.arguments = arguments
            self.lateVariables = lateVariables
        }

        func compile() {
            do throws(JQError) {
                result = .success(try JQFilter(filter, arguments: arguments, lateVariables: lateVariables))
            } catch {
                result = .failure(error)
            }
        }
    }

    private let work: Work
    private var thread: pthread_t?

    fileprivate init(_ filter: String, arguments: [(name: String, value: JSON)], lateVariables: [String]) {
        work = Work(filter: filter, arguments: arguments, lateVariables: lateVariables)
        thread = PlainPath(filter) == nil ? JQCompilation.start(work) : nil
        if thread == nil { work.compile() }
    }

    deinit { JQCompilation.join(thread) }

    package consuming func wait() throws(JQError) -> JQFilter {
        JQCompilation.join(thread)
        thread = nil
        guard let result = work.result.take() else { preconditionFailure("the thread ended without a result") }
        return try result.get()
    }

    /// Starts the thread, with every signal blocked in it: the main thread handles signals. Nil if no thread can be
    /// started.
    private static func start(_ work: Work) -> pthread_t? {
        var thread = pthread_t()
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let reference = Unmanaged.passRetained(work)
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().compile()
                return nil
            }, reference.toOpaque())
        guard status == 0 else {
            reference.release()
            return nil
        }
        return thread
    }

    private static func join(_ thread: pthread_t?) {
        guard let thread else { return }
        pthread_join(thread, nil)
    }
}
