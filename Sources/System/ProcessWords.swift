internal import Glibc

/// The arguments of the process, as bytes.
package enum ProcessWords {
    /// The words after the program's name.
    ///
    /// Swift finds none if a preloaded library has moved the environment (`LD_PRELOAD`, for example of faketime(1)). Then
    /// they are read from `/proc`.
    package static var arguments: [[UInt8]] {
        let known = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
        return known.isEmpty ? fromSystem : known
    }

    private static var fromSystem: [[UInt8]] {
        let bytes = (try? OpenFile("/proc/self/cmdline").readAll()) ?? []
        // Each word ends with a zero byte.
        return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).dropFirst().map { Array($0) }
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
