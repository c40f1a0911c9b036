internal import CProcess
internal import Glibc

/// The arguments of the process, and its variables.
package enum ProcessWords {
    /// The words after the program's name, by the text of each; nil if one has no text.
    package static func arguments(_ text: (UnsafeMutablePointer<CChar>) -> String?) -> [String]? {
        var count: Int32 = 0
        let words = oap_arguments(&count)
        var texts: [String] = []
        for index in 1..<max(1, Int(count)) {
            guard let text = words?[index].flatMap(text) else { return nil }
            texts.append(text)
        }
        return texts
    }

    /// The variables of the environment as they are now, each `NAME=VALUE`.
    package static var variables: [String] {
        var variables: [String] = []
        var next = environ
        while let variable = next.pointee {
            variables.append(String(cString: variable))
            next += 1
        }
        return variables
    }
}

package enum ProcessMemory {
    /// Keeps it out of core dumps and from other processes of the user (prctl(2), `PR_SET_DUMPABLE`). Child processes are
    /// not affected.
    package static func hide() { oap_hide_memory() }

    /// Whether the system can allocate this many bytes (mmap(2)). They are freed at once: only so is a limit of the process
    /// (`ulimit -v`) noticed.
    package static func canGrow(by count: Int) -> Bool {
        let map = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard map != MAP_FAILED else { return false }
        munmap(map, count)
        return true
    }
}
