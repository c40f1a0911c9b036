package import System

/// A browser that was opened. Its process may end before the redirect comes.
package struct OpenedBrowser {
    /// Readable when the process has ended; nil if that cannot be watched. It stays open as long as this process.
    package let watched: Int32?
    private let process: Subprocess
    private let program: String
    private let isPrivate: Bool

    /// A browser that was just started.
    ///
    /// - Parameter isPrivate: whether the process ends with its private window. Other browsers may hand the URL to a
    ///   process that runs already.
    package init(_ process: Subprocess, program: String, isPrivate: Bool) {
        watched = process.watch()?.number
        (self.process, self.program, self.isPrivate) = (process, program, isPrivate)
    }

    /// Why no redirect can come after the end of the process; nil if the page may be open in another one.
    package func cancellation() -> Failure? {
        guard let status = process.status() else { return nil }
        let hint = "run the command again; to open the URL yourself, leave --open and --ephemeral out"
        let cancelled = { (what: String) in
            Failure(.unavailable, .cancelled, "\(what) before the redirect came", hint: hint, cause: .redirect)
        }
        if isPrivate { return cancelled("the private window was closed") }
        // Windows programs that are started from Linux report no status: explorer.exe always ends with 1.
        guard status != 0, !program.hasSuffix(".exe") else { return nil }
        return cancelled("the browser \(program) failed with status \(status)")
    }
}
