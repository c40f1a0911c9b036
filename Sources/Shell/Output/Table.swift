/// Rows of text in aligned columns under a head, no wider than a terminal.
package struct Table {
    /// A column, and what becomes of it where the table is too wide.
    package struct Column {
        /// What a narrow table does with a column.
        package enum Narrowing {
            /// The column stays, unless the table is too wide without all others.
            case stays
            /// Long text is cut to 30 characters, before a column is left out.
            case shortens
            /// The column is left out, before the text of another is cut.
            case leaves
            /// The text is cut, that of the last column first.
            case cuts
        }

        package let head: String
        package var narrowing = Narrowing.stays
        /// Whether the column is left out where no row has anything in it.
        package var isOptional = false

        package init(head: String, narrowing: Narrowing = .stays, isOptional: Bool = false) {
            (self.head, self.narrowing, self.isOptional) = (head, narrowing, isOptional)
        }
    }

    private var columns: [Column]
    private var rows: [[String]]
    /// The characters that a cut column keeps, and then those that it keeps rather than that one is left out.
    private static let (least, leastOfAll) = (12, 9)
    /// The characters that a shortened column keeps, and then those that it keeps rather than be left out.
    private static let (shortened, leastShortened) = (30, 16)

    /// A table of cells, which are escaped for a terminal.
    package init(_ columns: [Column], _ rows: [[String]]) {
        self.columns = columns
        self.rows = rows.map { $0.map { $0.isEmpty ? "-" : Terminal.escaping($0) } }
        for place in columns.indices.reversed()
        where columns[place].isOptional && rows.allSatisfy({ $0[place].isEmpty }) { remove(place) }
    }

    /// An address as a cell: without `https://`, which most have.
    package static func address(_ text: String) -> String {
        text.hasPrefix("https://") ? String(text.dropFirst(8)) : text
    }

    /// The width is the characters of a line, nil for any number; `red` is empty without colour.
    package func lines(width: Int?, red: Set<String> = []) -> [String] {
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

    /// Leaves out as few columns as possible: each try begins with the whole text of the others.
    private mutating func narrow(to limit: Int) {
        var whole = self
        while width > limit {
            cut(.shortens, to: limit, keeping: Self.shortened)
            let leaving = columns.firstIndex { $0.narrowing == .leaves }
            if leaving == nil {
                cut(.cuts, to: limit, keeping: Self.least)
                cut(.shortens, to: limit, keeping: Self.leastShortened)
                cut(.cuts, to: limit, keeping: Self.leastOfAll)
            }
            guard width > limit else { return }
            let last = columns.indices.last { $0 > 0 && columns[$0].narrowing == .cuts }
            guard let place = leaving ?? last, columns.count > 2 else { break }
            whole.remove(place)
            self = whole
        }
        cut(0, to: limit, keeping: Self.least)
        while width > limit, columns.count > 2 { remove(columns.count - 1) }
    }

    /// Cuts the text of columns, the last column first, until the table is no wider than the limit.
    private mutating func cut(_ narrowing: Column.Narrowing, to limit: Int, keeping least: Int) {
        for place in columns.indices.reversed() where columns[place].narrowing == narrowing {
            cut(place, to: limit, keeping: least)
        }
    }

    private mutating func cut(_ place: Int, to limit: Int, keeping least: Int) {
        guard width > limit else { return }
        let goal = max(widths[place] - (width - limit), least)
        for row in rows.indices { rows[row][place] = Self.cut(rows[row][place], goal) }
    }

    private mutating func remove(_ place: Int) {
        columns.remove(at: place)
        for row in rows.indices { rows[row].remove(at: place) }
    }

    private static func cut(_ text: String, _ limit: Int) -> String {
        guard text.count > limit else { return text }
        let mark = LocaleText.plain("…", in: Environment.process)
        return text.prefix(max(limit - mark.count, 1)) + mark
    }
}
