internal import Wire

/// The parts of a document that a filter can reach: `[.[] | .id] | add` needs nothing but `id` of each element, and
/// `{name, owner: .owner.login}` two members. Values for the rest need not be built.
///
/// Only the beginning of a filter is read: paths with `,`, and objects and arrays of them. What follows behind `|` has
/// nothing but their values. For any other filter there is no projection.
struct Projection {
    /// What is needed of a value.
    struct Node {
        /// Whether all of it is.
        var isWhole = false
        var members: [(name: [UInt8], node: Int)] = []
        /// The node of every element of an array, and every member of an object.
        var each: Int?
    }

    /// The first is for the document.
    private(set) var nodes = [Node()]

    static let whole: Projection = {
        var whole = Projection()
        whole.nodes[0].isWhole = true
        return whole
    }()

    private init() {}

    /// Reads a filter; nil if it may need everything.
    init?(of filter: String) {
        var scanner = ProjectionScanner(bytes: Array(filter.utf8))
        guard scanner.scanList(into: &self, at: 0), scanner.isAtEnd || scanner.takeBar(), !nodes[0].isWhole else {
            return nil
        }
    }

    /// The node at the end of a path; a step by number needs all.
    fileprivate mutating func follow(_ path: PlainPath, from start: Int) -> Int {
        var place = start
        for step in path.steps {
            switch step.key {
            case .member(let name): place = member(Array(name.utf8), of: place)
            case .each: place = each(of: place)
            case .element: nodes[place].isWhole = true
            }
            // One value has one node: that of the member, or that of every one.
            if nodes[place].isWhole { return place }
        }
        return place
    }

    private mutating func member(_ name: [UInt8], of place: Int) -> Int {
        guard nodes[place].each == nil else { return makeWhole(place) }
        if let known = nodes[place].members.first(where: { $0.name == name }) { return known.node }
        nodes.append(Node())
        nodes[place].members.append((name, nodes.count - 1))
        return nodes.count - 1
    }

    private mutating func each(of place: Int) -> Int {
        guard nodes[place].members.isEmpty else { return makeWhole(place) }
        if let known = nodes[place].each { return known }
        nodes.append(Node())
        nodes[place].each = nodes.count - 1
        return nodes.count - 1
    }

    private mutating func makeWhole(_ place: Int) -> Int {
        nodes[place].isWhole = true
        return place
    }

    fileprivate mutating func need(_ place: Int) { nodes[place].isWhole = true }
}

/// Reads the beginning of a filter, as far as it is made of paths.
private struct ProjectionScanner {
    let bytes: [UInt8]
    var position = 0
    var depth = 0

    /// Values with commas between them.
    mutating func scanList(into projection: inout Projection, at place: Int) -> Bool {
        repeat {
            guard scanValue(into: &projection, at: place) else { return false }
        } while take(",")
        return true
    }

    private mutating func scanValue(into projection: inout Projection, at place: Int) -> Bool {
        depth += 1
        defer { depth -= 1 }
        guard depth < 64 else { return false }
        if take("{") { return scanObject(into: &projection, at: place) }
        if take("[") { return scanPipe(into: &projection, at: place) && take("]") }
        guard let path = scanPath() else { return false }
        projection.need(projection.follow(path, from: place))
        return true
    }

    /// `PATH | PATH | LIST` in brackets. A comma binds closer than `|`, so only the last is a list.
    private mutating func scanPipe(into projection: inout Projection, at place: Int) -> Bool {
        var (place, start) = (place, position)
        while let path = scanPath(), takeBar() {
            place = projection.follow(path, from: place)
            start = position
        }
        position = start
        return scanList(into: &projection, at: place)
    }

    private mutating func scanObject(into projection: inout Projection, at place: Int) -> Bool {
        repeat {
            skipSpace()
            let start = position
            while let byte = peek(), isNameByte(byte) { position += 1 }
            // The path of a name is that of the member, unless the name begins with a digit.
            guard let path = PlainPath("." + String(decoding: bytes[start..<position], as: UTF8.self)),
                !path.steps.isEmpty
            else { return false }
            if take(":") {
                guard scanValue(into: &projection, at: place) else { return false }
            } else {
                projection.need(projection.follow(path, from: place))
            }
        } while take(",")
        return take("}")
    }

    private mutating func scanPath() -> PlainPath? {
        skipSpace()
        let start = position
        guard peek() == UInt8(ascii: ".") else { return nil }
        var brackets = 0
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "["): brackets += 1
            case UInt8(ascii: "]") where brackets > 0: brackets -= 1
            case UInt8(ascii: "."), UInt8(ascii: "?"): break
            case UInt8(ascii: "-") where brackets > 0: break
            case UInt8(ascii: "\""):
                guard let end = bytes[(position + 1)...].firstIndex(of: byte) else { return nil }
                position = end
            case _ where isNameByte(byte): break
            default: return PlainPath(String(decoding: bytes[start..<position], as: UTF8.self))
            }
            position += 1
        }
        return PlainPath(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private func isNameByte(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || byte == UInt8(ascii: "_") }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x09 { position += 1 }
    }

    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return position == bytes.count
        }
    }

    /// Takes `|`, but not `|=`.
    mutating func takeBar() -> Bool {
        guard take("|") else { return false }
        return peek() != UInt8(ascii: "=")
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard peek() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }
}
