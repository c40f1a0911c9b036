internal import Glibc

/// The words that the process was started with, as bytes.
package enum ProcessWords {
    /// The words after the program's name.
    ///
    /// Swift looks for them before the environment's first variable, where it finds none once a library that is loaded
    /// first has moved the environment (`LD_PRELOAD`, as of faketime(1)): then the system is asked.
    package static var arguments: [[UInt8]] {
        let known = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
        return known.isEmpty ? fromSystem : known
    }

    private static var fromSystem: [[UInt8]] {
        let descriptor = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        // Each word ends with a zero byte.
        return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).dropFirst().map { Array($0) }
    }
}
