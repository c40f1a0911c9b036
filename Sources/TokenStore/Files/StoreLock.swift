package import Errands
internal import Glibc
package import System

/// A lock on a stored token, held by flock(2) on a file beside it, as long as the object lives or the process runs.
package final class StoreLock {
    private let file: OpenFile

    /// How long to wait for a lock, in seconds: longer than all attempts of a request to the token endpoint.
    package static let patience = 360

    /// Takes the lock.
    ///
    /// - Parameter path: the lock file; it is made if needed, and never removed.
    /// - Throws: `locked` if another process has it; `system` if the file cannot be made or locked; `unsafe` for a file of
    ///   another user, who could hold the lock forever.
    package init(_ path: String) throws(StoreError) {
        let file = try Self.opened(path)
        while flock(file.descriptor.number, LOCK_EX | LOCK_NB) != 0 {
            let error = Errno.current
            if error == .wouldBlock { throw .locked(path: path, seconds: 0) }
            guard error == .interrupted else { throw .system(path: path, reason: "it cannot be locked: \(error)") }
        }
        self.file = file
    }

    /// The most bytes of a note.
    package static let noteLimit = 512

    /// A few bytes that each holder may leave for those that wait for the lock meanwhile.
    package var note: [UInt8] {
        get {
            var bytes = [UInt8](repeating: 0, count: Self.noteLimit)
            let count = pread(file.descriptor.number, &bytes, bytes.count, 0)
            return Array(bytes.prefix(max(count, 0)))
        }
        set {
            // Who finds none takes a turn.
            _ = ftruncate(file.descriptor.number, 0)
            _ = pwrite(file.descriptor.number, newValue, newValue.count, 0)
        }
    }

    /// Opens a lock file, and makes it if needed.
    ///
    /// - Throws: `system`; `unsafe` for a file of another user, who could hold the lock forever.
    static func opened(_ path: String) throws(StoreError) -> OpenFile {
        do throws(Errno) {
            let file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
            if try file.status.isOwnOrRoots { return file }
        } catch {
            // In a folder such as `/tmp` the kernel forbids to follow a link of another user's (protected_symlinks).
            let isLink = (try? FileStatus(ofLink: path))?.isLink ?? false
            if error == .tooManyLinks || isLink { throw .unsafe(path: path, .link) }
            throw .system(path: path, reason: error.description)
        }
        throw .unsafe(path: path, .foreign)
    }

    /// Waits for the lock.
    ///
    /// - Parameter seconds: the longest wait; 0 tries once.
    /// - Throws: `locked` after that time; as `init`.
    package static func hold(_ path: String, seconds: Int = patience) -> Attempt<StoreLock, StoreError> {
        waiting(seconds: seconds) { () throws(StoreError) in .done(.success(try StoreLock(path))) }
    }

    /// Tries to take a lock until it is free: flock(2) has no time limit, and a thread that waits in it could not be
    /// stopped. The pauses grow, since thousands may wait; a lock is held for as long as a request to the token endpoint
    /// takes, so that they do not matter.
    ///
    /// - Parameters:
    ///   - seconds: the longest wait; 0 tries once.
    ///   - attempt: begins in a step of its own.
    /// - Throws: `locked` after that time; what the attempt throws.
    static func waiting<Held>(
        seconds: Int, by now: @escaping () -> MonotonicTime = { .now },
        for attempt: @escaping () throws(StoreError) -> Attempt<Held, StoreError>
    ) -> Attempt<Held, StoreError> {
        let end = now() + .seconds(seconds)
        func next(at moment: MonotonicTime, after pause: LockPause) -> Attempt<Held, StoreError> {
            Attempt.pause(until: moment) { attempting(attempt) }.then { result in
                guard case .failure(.locked(let path, _)) = result else { return .done(result) }
                guard end > now() else { return .done(.failure(.locked(path: path, seconds: seconds))) }
                return next(at: pause.end, after: pause.next(waitingFor: path))
            }
        }
        return next(at: now(), after: LockPause(by: now))
    }
}

/// The pauses between attempts to take a lock: from 5 to 160 milliseconds, after about two seconds to 320, with jitter.
/// Thousands may wait, and then their attempts keep others from working.
package struct LockPause {
    private let now: () -> MonotonicTime
    private let start: MonotonicTime
    private var milliseconds = 5
    private var count = 0
    /// Whether it was said what is waited for.
    private(set) var isTold = false

    /// Is given what a wait of more than two seconds waits for. The program sets it before it waits for anything.
    nonisolated(unsafe) package static var tell: (String) -> Void = { _ in }
    /// After how long it is said.
    static let silence = Duration.seconds(2)

    package init(by now: @escaping () -> MonotonicTime) { (self.now, start) = (now, now()) }

    package var end: MonotonicTime { now() + length }

    private var length: Duration { .milliseconds(milliseconds + Int.random(in: 0...milliseconds)) }

    /// The pause after this one.
    ///
    /// - Parameter path: the lock, to say who holds it; nil where that was said.
    package func next(waitingFor path: String?) -> LockPause {
        var next = self
        next.count = count + 1
        next.milliseconds = min(milliseconds * 2, count < 20 ? 80 : 160)
        if let path, !isTold, start + Self.silence <= now() {
            next.isTold = true
            let holder = StoreLock.holder(of: path).map { "\($0), which holds the lock" } ?? "the lock"
            Self.tell("waiting for \(holder) \(path)")
        }
        return next
    }
}

extension StoreLock {
    /// The process that holds a lock, as far as the kernel shows it (proc_locks(5)): `the process 4711 (oap)`.
    static func holder(of path: String) -> String? {
        guard let place = (try? FileStatus(ofLink: path))?.placeOfLocks else { return nil }
        for line in OpenFile.lines(of: "/proc/locks") {
            // Those that wait for a lock have an arrow in front.
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", words[5] == place, let pid = Int(words[4]), pid > 0 else {
                continue
            }
            return "the process \(pid)" + (OpenFile.lines(of: "/proc/\(pid)/comm").first.map { " (\($0))" } ?? "")
        }
        return nil
    }
}
