internal import Wire

/// Says how far a response is: bytes, rate, time left.
final class TransferProgress {
    private let line: ProgressLine
    private var received = 0
    /// The bytes that were there before.
    private var earlier = 0
    private var size: Int?

    init(_ line: ProgressLine) { self.line = line }

    /// Begins with the content behind a head. The length of content that is decompressed is unknown.
    func begin(_ head: HTTPResponseHead) {
        let isCoded = head.headers.first("Content-Encoding") != nil
        let range = head.status == 206 ? head.headers.first("Content-Range").flatMap { ContentRange($0) } : nil
        earlier = range?.bytes?.lowerBound ?? 0
        received = earlier
        size = range?.size ?? (isCoded ? nil : head.headers.first("Content-Length").flatMap { Int($0) })
    }

    func add(_ count: Int) {
        received += count
        line.draw { seconds in
            let rate = Double(received - earlier) / seconds
            let whole = size.map { " of \(Self.text(Double($0)))" } ?? ""
            let left = size.flatMap { size -> String? in
                rate > 0 && size >= received ? ", \(Int((Double(size - received) / rate).rounded(.up))) s left" : nil
            }
            return "\(Self.text(Double(received)))\(whole), \(Self.text(rate))/s\(left ?? "")"
        }
    }

    func end() { line.end() }

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
