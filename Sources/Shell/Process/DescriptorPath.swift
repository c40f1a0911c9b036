internal import Glibc

/// The path of a descriptor, such as `/dev/fd/3`: it means nothing to another process.
package enum DescriptorPath {
    /// Whether a path is that of a descriptor, of any process.
    package static func isOne(_ path: String) -> Bool {
        switch path.isAbsolutePath ? names(of: path) : [] {
        case ["dev", "stdin"], ["dev", "stdout"], ["dev", "stderr"]: true
        case let names where names.count == 3: names[0] == "dev" && names[1] == "fd"
        case let names where names.count == 4: names[0] == "proc" && names[2] == "fd"
        case let names where names.count == 6: names[0] == "proc" && names[2] == "task" && names[4] == "fd"
        default: false
        }
    }

    /// The descriptor of this process that a path names; nil for standard input, which cannot be written to.
    package static func number(of path: String) -> Int32? {
        let names = path.isAbsolutePath ? names(of: path) : []
        switch names {
        case ["dev", "stdout"]: return 1
        case ["dev", "stderr"]: return 2
        case let names where names.count == 3 && names.starts(with: ["dev", "fd"]): break
        case let names where names.count == 4 && names[0] == "proc" && names[2] == "fd":
            guard ["self", "thread-self", "\(getpid())"].contains(names[1]) else { return nil }
        default: return nil
        }
        return names.last.flatMap { Int32($0) }
    }

    /// The names in a path, without empty ones and `.`: `/dev//fd/./3` is `/dev/fd/3`.
    package static func names(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
    }
}
