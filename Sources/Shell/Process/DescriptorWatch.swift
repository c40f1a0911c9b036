package import Engine
package import Errands
package import System

extension DescriptorWatch {
    /// A watch of pipes that are written to: when the reader of one goes away, the process ends by SIGPIPE, unless signals
    /// wait for a token that is to be stored.
    package static func ofReader(_ descriptors: [Int32]) -> DescriptorWatch {
        let watch = DescriptorWatch(descriptors.map { Watched($0, .closed) })
        watch.notify = { [weak watch] _ in
            guard Signals.waitForToken else { Signals.dieOfBrokenPipe() }
            watch?.watched = []
        }
        return watch
    }
}

extension Engine {
    /// Carries something out while a listener is served too.
    package func listening<Value, Problem: Error>(
        _ listener: any Listener, _ body: () throws(Problem) -> Value
    ) throws(Problem) -> Value {
        add(listener)
        defer { remove(listener) }
        return try body()
    }

    package func pause(until end: MonotonicTime) { run(.pause(until: end) { .done(()) }) }
}
