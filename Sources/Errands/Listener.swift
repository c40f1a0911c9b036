package import System

package struct Watched: Equatable {
    package enum Event: Sendable {
        case readable, writable
        /// The other end is closed.
        case closed
    }

    package let descriptor: Int32
    /// What is waited for; the end of the other side is always noticed.
    package let event: Event

    package init(_ descriptor: Int32, _ event: Event = .readable) {
        (self.descriptor, self.event) = (descriptor, event)
    }
}

/// Something besides transfers and errands that is waited for: a server, a pipe, a terminal.
package protocol Listener: AnyObject {
    /// What it waits for now. Asked before each wait.
    var watched: [Watched] { get }
    /// When it has something to do though no descriptor is ready; nil for never.
    var due: MonotonicTime? { get }
    /// Does what can be done without waiting.
    ///
    /// - Parameter ready: the watched descriptors that are ready for what it waits for; none when it is only due.
    func serve(_ ready: [Int32])
}

/// Descriptors that are waited for beside other work: a browser, a terminal, the reader of the result.
package final class DescriptorWatch: Listener {
    package var watched: [Watched]
    /// Called with those that are ready. It is called again until they are not, or not watched.
    package var notify: ([Int32]) -> Void

    package init(_ watched: [Watched] = [], notify: @escaping ([Int32]) -> Void = { _ in }) {
        (self.watched, self.notify) = (watched, notify)
    }

    package var due: MonotonicTime? { nil }

    package func serve(_ ready: [Int32]) { notify(ready) }
}
