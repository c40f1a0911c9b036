internal import Errands
internal import System
package import Wire
package import Shell

/// Says how far a response is: bytes, rate, time left.
package final class TransferProgress {
    private let line: ProgressLine?
    private var received = 0
    /// The bytes that were there before, and those of the whole: as a server says, so that no sum of them may overflow.
    private var earlier = 0.0
    private var size: Double?

    package init(_ line: ProgressLine?) { self.line = line }

    /// Begins with the content behind a head. The length of content that is decompressed is unknown.
    package func begin(_ head: HTTPResponseHead) {
        let isCoded = head.headers.first("Content-Encoding") != nil
        let range = head.status == 206 ? head.headers.first("Content-Range").flatMap { ContentRange($0) } : nil
        earlier = Double(range?.bytes?.lowerBound ?? 0)
        received = 0
        let whole = range?.size ?? (isCoded ? nil : head.headers.first("Content-Length").flatMap { Int($0) })
        size = whole.map(Double.init)
    }

    package func add(_ count: Int) {
        received += count
        line?.draw(text(after:))
    }

    /// What the line says after some seconds.
    package func text(after seconds: Double) -> String {
        let (rate, done) = (Double(received) / seconds, earlier + Double(received))
        let whole = size.map { " of \(Self.text($0))" } ?? ""
        let left = size.map { ($0 - done) / rate }.flatMap { $0 >= 0 && $0 < 1e9 ? Int($0.rounded(.up)) : nil }
        return "\(Self.text(done))\(whole), \(Self.text(rate))/s\(left.map { ", \($0) s left" } ?? "")"
    }

    package func end() { line?.end() }

    /// `1.5 MB`: in powers of 1000, one digit behind the point.
    private static func text(_ bytes: Double) -> String {
        var (value, units) = (bytes, ["B", "kB", "MB", "GB", "TB"][...])
        while value >= 999.95, units.count > 1 {
            value /= 1000
            units = units.dropFirst()
        }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10)\(units.first == "B" ? "" : ".\(tenths % 10)") \(units.first ?? "")"
    }
}

/// Says on a terminal that nothing of a response has come yet, until it ends.
final class WaitingLine: Listener {
    private let line: ProgressLine
    private let host: String
    private var isOver = false

    init(_ line: ProgressLine, for host: String) { (self.line, self.host) = (line, host) }

    var watched: [Watched] { [] }
    var due: MonotonicTime? { isOver ? nil : line.due }

    func serve(_ ready: [Int32]) { line.draw { "waiting for \(host), \(Int($0)) s" } }

    /// Erases the line; called more than once.
    func end() {
        guard !isOver else { return }
        isOver = true
        line.end()
    }
}
