/// Rows of text in aligned columns under a head, no wider than a terminal.
struct Table {
    /// A column, and what becomes of it where the table is too wide.
    struct Column {
        /// What a narrow table does with a column.
        enum Narrowing {
            /// It stays, unless the table is too wide with all others changed: then the last columns are left out, and
            /// at last the first is cut.
            case stays
            /// It is left out, before any other is changed.
            case leaves
            /// Words that do not fit are counted: `openid +3`.
            case counts
            /// The text is cut, that of the last column first.
            case cuts
        }

        let head: String
        var narrowing = Narrowing.stays
    }

    private var columns: [Column]
    private var rows: [[String]]
    /// The characters that a cut column keeps.
    private static let least = 12

    /// A table of cells, which are escaped for a terminal.
    init(_ columns: [Column], _ rows: [[String]]) {
        self.columns = columns
        self.rows = rows.map { $0.map { $0.isEmpty ? "-" : Terminal.escaping($0) } }
    }

    /// An address as a cell: without `https://`, which most have.
    static func address(_ text: String) -> String { text.hasPrefix("https://") ? String(text.dropFirst(8)) : text }

    /// The lines.
    ///
    /// - Parameters:
    ///   - width: the characters of a line; nil for any number.
    ///   - red: the cells that are red; empty without colour.
    func lines(width: Int?, red: Set<String> = []) -> [String] {
        var table = self
        if let width { table.narrow(to: width) }
        let widths = table.widths
        return ([table.columns.map(\.head)] + table.rows).map { row in
            let cells = zip(row, widths).enumerated().map { place, cell in
                let space = place + 1 < row.count ? String(repeating: " ", count: cell.1 - cell.0.count) : ""
                return (red.contains(cell.0) ? "\u{1B}[31m\(cell.0)\u{1B}[0m" : cell.0) + space
            }
            return cells.joined(separator: "  ")
        }
    }

    private var widths: [Int] {
        columns.indices.map { place in ([columns[place].head] + rows.map { $0[place] }).map(\.count).max() ?? 0 }
    }

    private var width: Int { widths.reduce(0, +) + 2 * (columns.count - 1) }

    private mutating func narrow(to limit: Int) {
        while width > limit, let place = columns.firstIndex(where: { $0.narrowing == .leaves }) { remove(place) }
        for narrowing in [Column.Narrowing.counts, .cuts] {
            for place in columns.indices.reversed() where columns[place].narrowing == narrowing && width > limit {
                let goal = max(widths[place] - (width - limit), Self.least)
                for row in rows.indices {
                    let cell = rows[row][place]
                    rows[row][place] = narrowing == .counts ? Self.counted(cell, goal) : Self.cut(cell, goal)
                }
            }
        }
        while width > limit, columns.count > 2 { remove(columns.count - 1) }
        guard width > limit else { return }
        let goal = max(widths[0] - (width - limit), Self.least)
        for row in rows.indices { rows[row][0] = Self.cut(rows[row][0], goal) }
    }

    private mutating func remove(_ place: Int) {
        columns.remove(at: place)
        for row in rows.indices { rows[row].remove(at: place) }
    }

    /// As many words as fit, and the number of the others; the first in any case.
    private static func counted(_ text: String, _ limit: Int) -> String {
        let words = text.split(separator: " ").map(String.init)
        guard text.count > limit, !words.isEmpty else { return text }
        let kept = (1...words.count).last { kept in
            kept == 1 || words.prefix(kept).joined(separator: " ").count + " +\(words.count - kept)".count <= limit
        }
        let rest = words.count - (kept ?? 1)
        guard rest > 0 else { return cut(text, limit) }
        let end = " +\(rest)"
        return cut(words.prefix(kept ?? 1).joined(separator: " "), max(limit - end.count, 1)) + end
    }

    private static func cut(_ text: String, _ limit: Int) -> String {
        guard text.count > limit else { return text }
        let mark = HelpText.plain("…", in: Environment.process)
        return text.prefix(max(limit - mark.count, 1)) + mark
    }
}
