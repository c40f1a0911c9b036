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
        var scanner = PathScanner(bytes: Array(filter.utf8))
        guard scanner.scanList(into: &self, at: 0), scanner.takeBar() || scanner.peek() == nil, !nodes[0].isWhole else {
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
extension PathScanner {
    /// Values with commas between them.
    fileprivate mutating func scanList(into projection: inout Projection, at place: Int) -> Bool {
        repeat {
            guard scanValue(into: &projection, at: place) else { return false }
        } while takeNext(",")
        return true
    }

    private mutating func scanValue(into projection: inout Projection, at place: Int) -> Bool {
        depth += 1
        defer { depth -= 1 }
        guard depth < 64 else { return false }
        if takeNext("{") { return scanObject(into: &projection, at: place) }
        if takeNext("[") { return scanPipe(into: &projection, at: place) && takeNext("]") }
        guard let path = scanPath() else { return false }
        projection.need(projection.follow(path, from: place))
        return true
    }

    /// `PATH | PATH | LIST` in brackets. A comma binds closer than `|`, so only the last is a list.
    private mutating func scanPipe(into projection: inout Projection, at place: Int) -> Bool {
        var (place, start) = (place, position)
        skipSpace()
        while let path = scanPath(), takeBar() {
            place = projection.follow(path, from: place)
            start = position
            skipSpace()
        }
        position = start
        return scanList(into: &projection, at: place)
    }

    private mutating func scanObject(into projection: inout Projection, at place: Int) -> Bool {
        repeat {
            skipSpace()
            guard let name = scanName() else { return false }
            if takeNext(":") {
                guard scanValue(into: &projection, at: place) else { return false }
            } else {
                let path = PlainPath([PlainPath.Step(key: name, isOptional: false)])
                projection.need(projection.follow(path, from: place))
            }
        } while takeNext(",")
        return takeNext("}")
    }

    private mutating func takeNext(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        return take(character)
    }
}
