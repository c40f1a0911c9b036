internal import System

/// The line on a terminal that says how far a walk over pages is, after one second.
struct PageProgress {
    private let diagnostics: Diagnostics
    private let start = MonotonicTime.now
    private var pages = 0
    private var items = 0

    /// Whether the line is shown: see ``OutputForm/showsProgress``.
    let isShown: Bool

    /// A walk that begins now.
    init(_ diagnostics: Diagnostics, form: OutputForm) {
        self.diagnostics = diagnostics
        isShown = form.showsProgress
    }

    /// Counts a page.
    ///
    /// - Parameter count: its elements; nil if it is no array.
    mutating func add(_ count: Int?) {
        pages += 1
        items += count ?? 0
        let milliseconds = MonotonicTime.now.milliseconds(since: start)
        guard isShown, milliseconds >= 1000 else { return }
        let rate = Int(Int64(items > 0 ? items : pages) * 1000 / milliseconds)
        diagnostics.progress("page \(pages)" + (items > 0 ? ", \(items) items, \(rate)/s" : ", \(rate)/s"))
    }

    /// Erases the line.
    func end() { diagnostics.endProgress() }
}
