internal import CProcess
internal import Glibc

/// The arguments of the process, as bytes.
package enum ProcessWords {
    /// The words after the program's name.
    package static var arguments: [[UInt8]] {
        var count: Int32 = 0
        guard let words = oap_arguments(&count) else { return [] }
        return (1..<max(1, Int(count))).compactMap { index in
            words[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
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

    /// Whether a variable is set whose name begins so.
    package static func hasVariable(beginningWith prefix: String) -> Bool {
        var next = environ
        while let variable = next.pointee {
            if strncmp(variable, prefix, prefix.utf8.count) == 0 { return true }
            next += 1
        }
        return false
    }
}
