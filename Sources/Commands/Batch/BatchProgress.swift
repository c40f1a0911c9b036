internal import System

/// The line on a terminal that says how far a batch is, after one second.
struct BatchProgress {
    /// How many lines are done, those that failed included.
    var done = 0
    /// How many have failed.
    var failed = 0
    private let isShown: Bool
    private let size: Int?
    private let start = MonotonicTime.now
    private var next: MonotonicTime
    private var isDrawn = false
    private static let pause = Duration.milliseconds(500)

    /// Progress through standard input.
    init(_ form: OutputForm) {
        isShown = form.showsProgress
        size = (try? FileStatus(.standardInput)).flatMap { $0.isFile && $0.size > 0 ? $0.size : nil }
        next = start + .seconds(1)
    }

    /// When to draw it; nil for never.
    var due: MonotonicTime? { isShown ? next : nil }

    /// Draws it, if it is time.
    ///
    /// - Parameter offset: how many bytes of standard input are read.
    mutating func draw(at offset: Int, _ diagnostics: Diagnostics) {
        guard isShown, next <= .now else { return }
        let passed = Double(MonotonicTime.now.milliseconds(since: start)) / 1000
        next = .now + Self.pause
        isDrawn = true
        var text = "\(done) done, \(failed) failed, \(Int(Double(done) / passed)) a second"
        if let size, offset > 0 {
            text += ", \(Int((passed * Double(max(size - offset, 0)) / Double(offset)).rounded(.up))) s left"
        }
        diagnostics.draw("\r\(text)\u{1B}[K")
    }

    /// Removes it, before another line is printed.
    mutating func clear(_ diagnostics: Diagnostics) {
        if isDrawn { diagnostics.draw("\r\u{1B}[K") }
        isDrawn = false
    }
}
