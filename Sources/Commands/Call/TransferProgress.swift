internal import System
internal import Wire

/// The line on a terminal that says how far a response is, after one second: bytes, rate, time left.
final class TransferProgress {
    private let diagnostics: Diagnostics
    private let start = MonotonicTime.now
    private var next: MonotonicTime
    private var received = 0
    /// The bytes that were there before.
    private var earlier = 0
    private var size: Int?
    private static let pause = Duration.milliseconds(250)

    /// A transfer that begins now; nil if it is not shown.
    init?(_ diagnostics: Diagnostics, form: OutputForm) {
        guard form.showsProgress else { return nil }
        self.diagnostics = diagnostics
        next = start + .seconds(1)
    }

    /// Begins with the content behind a head. The length of content that is decompressed is unknown.
    func begin(_ head: HTTPResponseHead) {
        let isCoded = head.headers.first("Content-Encoding") != nil
        let range = head.status == 206 ? head.headers.first("Content-Range").flatMap { ContentRange($0) } : nil
        earlier = range?.bytes?.lowerBound ?? 0
        received = earlier
        size = range?.size ?? (isCoded ? nil : head.headers.first("Content-Length").flatMap { Int($0) })
    }

    /// Counts bytes of the content.
    func add(_ count: Int) {
        received += count
        guard next <= .now else { return }
        next = .now + Self.pause
        let seconds = Double(MonotonicTime.now.milliseconds(since: start)) / 1000
        let rate = Double(received - earlier) / seconds
        let whole = size.map { " of \(Self.text(Double($0)))" } ?? ""
        let left = size.flatMap { size -> String? in
            rate > 0 && size >= received ? ", \(Int((Double(size - received) / rate).rounded(.up))) s left" : nil
        }
        diagnostics.progress("\(Self.text(Double(received)))\(whole), \(Self.text(rate))/s\(left ?? "")")
    }

    /// Erases the line.
    func end() { diagnostics.endProgress() }

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
