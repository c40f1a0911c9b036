internal import Glibc

/// A path that stands for a descriptor of a process, such as `/dev/fd/3`: it means nothing to any other process.
enum DescriptorPath {
    /// Whether a path is one, of whatever process.
    static func isOne(_ path: String) -> Bool {
        switch names(of: path) {
        case ["dev", "stdin"], ["dev", "stdout"], ["dev", "stderr"]: true
        case let names where names.count == 3: names[0] == "dev" && names[1] == "fd"
        case let names where names.count == 4: names[0] == "proc" && names[2] == "fd"
        case let names where names.count == 6: names[0] == "proc" && names[2] == "task" && names[4] == "fd"
        default: false
        }
    }

    /// The descriptor of this process that a path stands for; nil for standard input, which is none to write to.
    static func number(of path: String) -> Int32? {
        let names = names(of: path)
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

    /// The names that an absolute path goes through, without those that lead nowhere: `/dev//fd/./3` is `/dev/fd/3`.
    private static func names(of path: String) -> [String] {
        guard path.utf8.first == UInt8(ascii: "/") else { return [] }
        return path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
    }
}
