package import System

/// The line on a terminal that says how far the command is: after one second, then up to four times a second.
package final class ProgressLine {
    private let diagnostics: Diagnostics
    private let start = MonotonicTime.now
    package private(set) var due: MonotonicTime

    /// A line for work that begins now; nil if none is shown.
    ///
    /// - Parameter isBeforeResult: whether the line is erased before anything of the result is written.
    package init?(_ diagnostics: Diagnostics, _ form: OutputForm, isBeforeResult: Bool = false) {
        guard isBeforeResult ? form.showsWaiting : form.showsProgress else { return nil }
        self.diagnostics = diagnostics
        due = start + .seconds(1)
    }

    /// Draws the line, if it is time.
    ///
    /// - Parameter text: gets the seconds since the beginning.
    package func draw(_ text: (Double) -> String) {
        guard due <= .now else { return }
        due = .now + .milliseconds(250)
        diagnostics.progress(text(Double(MonotonicTime.now.milliseconds(since: start)) / 1000))
    }

    package func end() { diagnostics.endProgress() }
}
