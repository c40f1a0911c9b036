internal import Glibc

/// A second thread, with every signal blocked in it: the main thread handles signals. The end of the value waits for the end
/// of the thread.
package struct BackgroundThread: ~Copyable {
    /// What the thread does; a pointer goes through pthread_create(3).
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let thread: pthread_t

    /// Starts the thread; nil if the system starts no further one.
    package init?(_ run: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let body = Unmanaged.passRetained(Body(run))
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        guard status == 0 else {
            body.release()
            return nil
        }
        self.thread = thread
    }

    deinit { pthread_join(thread, nil) }
}
