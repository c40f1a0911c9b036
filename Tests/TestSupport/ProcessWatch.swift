import Foundation
import Synchronization

/// Ends what the tests have started when they themselves end before they could: by a crash, a time limit, or Ctrl-C. A
/// process that is stopped, as under strace(1), would stay for good.
///
/// A shell reads which groups of processes are there from a pipe that closes with the tests, and then kills those that are
/// left.
final class ProcessWatch: Sendable {
    /// The watch of this process.
    static let shared = ProcessWatch()

    private let pipe: Mutex<FileDescriptor?>

    private static let script = """
        while read -r sign id; do
            if [ "$sign" = + ]; then groups="$groups $id"; else
                left=; for group in $groups; do [ "$group" = "$id" ] || left="$left $group"; done; groups=$left
            fi
        done
        for group in $groups; do kill -KILL -- "-$group"; done
        """

    private init() {
        guard let ends = try? FileDescriptor.pipe(), let null = try? FileDescriptor(path: "/dev/null", flags: O_RDWR)
        else {
            pipe = Mutex(nil)
            return
        }
        // A session of its own, so that Ctrl-C does not reach it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, ChildProcess.newSession)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends.reading.number, 0)
        for number in [Int32(1), 2] { posix_spawn_file_actions_adddup2(&actions, null.number, number) }
        _ = HiddenCalls.addCloseFrom(&actions, 3)
        let words: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(Self.script), nil]
        defer { for word in words { free(word) } }
        var id: pid_t = 0
        let isStarted = posix_spawn(&id, "/bin/sh", &actions, &attributes, words, [nil]) == 0
        pipe = Mutex(isStarted ? ends.writing : nil)
    }

    /// A group of processes has begun.
    func begin(_ group: pid_t) { tell("+ \(group)\n") }

    /// A group of processes has ended.
    func end(_ group: pid_t) { tell("- \(group)\n") }

    private func tell(_ line: String) {
        // A line is less than PIPE_BUF, so it is written whole.
        pipe.withLock { pipe in
            guard let number = pipe?.number else { return }
            _ = Array(line.utf8).withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
        }
    }
}
