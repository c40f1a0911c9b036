import Foundation
import TestSupport
import Testing

/// A page of the manual as the programs print it, in mdoc.
struct ManualSource: Sendable, CustomTestStringConvertible {
    /// The file's name, `oap-call.1`.
    let name: String
    /// The displays: what is shown line by line, in the order of the page.
    let displays: [Display]
    /// How many displays begin on the page, whether they were understood or not.
    let displayCount: Int

    /// Lines that a reader sees as they stand.
    struct Display: Sendable {
        /// The section of the page.
        let section: String
        /// What it is.
        let kind: Kind
    }

    /// What a display is.
    enum Kind: Sendable {
        /// Commands, and what they print where the page shows it.
        case commands(ShownCommands)
        /// A JSON document.
        case document(String)
    }

    /// A page that is written in another way than this reads.
    struct Unreadable: Error {
        /// The page and the line.
        var place: String
    }

    /// All pages, which the programs write into a folder.
    static func all() throws -> [ManualSource] {
        let folder = try TemporaryDirectory()
        try Program.oap(["help", "--man-pages", folder.path]).run().expect(status: 0)
        try folder.write(Program.sandbox(["--man-page"]).run().expect(status: 0).text, to: "oap-sandbox.1")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            try ManualSource(name: name, source: folder.read(name))
        }
    }

    /// The commands of the page.
    var commands: [ShownCommands] { commands { _ in true } }

    /// The commands of the sections that fit.
    func commands(inSection fits: (String) -> Bool) -> [ShownCommands] {
        displays.compactMap { display in
            guard case .commands(let commands) = display.kind, fits(display.section) else { return nil }
            return commands
        }
    }

    /// The name, for messages.
    var testDescription: String { name }

    /// Reads a page.
    ///
    /// - Throws: ``Unreadable``.
    init(name: String, source: String) throws {
        self.name = name
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        displayCount = lines.count { $0.hasPrefix(".Bd") }
        var displays: [Display] = []
        var section = ""
        var lastText = ""
        var start: Int?
        for (number, line) in zip(1..., lines) {
            if line == ".Bd -literal -offset indent" {
                start = number
            } else if line == ".Ed", let first = start {
                let place = "\(name):\(first + 1)"
                let text = try lines[first..<number - 1].map { try Self.plain($0, place: place) }
                try Self.add(text.joined(separator: "\n"), after: lastText, at: place, of: section, to: &displays)
                start = nil
                lastText = line
            } else if line.hasPrefix(".Sh ") {
                section = String(line.dropFirst(4))
            } else if start == nil, line != ".Pp" {
                lastText = line
            }
        }
        self.displays = displays
    }

    /// Takes a display for what it is by what it says, and by what stands before it.
    private static func add(
        _ text: String, after before: String, at place: String, of section: String, to displays: inout [Display]
    ) throws {
        if before == "It prints:" {
            guard let last = displays.popLast(), case .commands(var commands) = last.kind, commands.output == nil else {
                throw Unreadable(place: place)
            }
            commands.output = text
            displays.append(Display(section: section, kind: .commands(commands)))
        } else if text.hasPrefix("{") {
            displays.append(Display(section: section, kind: .document(text)))
        } else {
            displays.append(Display(section: section, kind: .commands(ShownCommands(place: place, text: text))))
        }
    }

    /// A line as mandoc shows it (mandoc_char(7)).
    private static func plain(_ line: String, place: String) throws -> String {
        var plain = line
        for (escape, character) in [
            ("\\&", ""), ("\\-", "-"), ("\\(aq", "'"), ("\\(ga", "`"), ("\\(ha", "^"), ("\\(ti", "~"),
        ] { plain = plain.replacingOccurrences(of: escape, with: character) }
        guard !plain.replacingOccurrences(of: "\\e", with: "").contains("\\") else { throw Unreadable(place: place) }
        return plain.replacingOccurrences(of: "\\e", with: "\\")
    }
}
