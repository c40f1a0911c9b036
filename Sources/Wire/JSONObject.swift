/// The members of a JSON object, in order, with distinct names.
package struct JSONObject: Sendable {
    /// One member: its name and its value.
    package struct Member: Sendable {
        /// The member's name.
        package var name: String
        /// The member's value.
        package var value: JSON

        /// Makes a member.
        package init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// The members in order.
    package private(set) var members: [Member]
    /// Where members are, by the bytes of their names.
    private enum Positions {
        case unknown
        /// Boxed, so that an object is copied without the metadata of the dictionary, for which the runtime searches all
        /// conformances of the program: a tenth of the time that `oap token` takes.
        indirect case known([[UInt8]: Int])
    }

    /// Unknown until a large object is changed, so that many changes take linear time.
    private var positions = Positions.unknown

    /// The number of members from which the index is used.
    private static let large = 32

    /// An object without members.
    package init() { members = [] }

    /// Members whose names the caller knows to be distinct.
    package init(unique members: [Member]) { self.members = members }

    /// How many members there are.
    package var count: Int { members.count }

    /// Whether there is no member.
    package var isEmpty: Bool { members.isEmpty }

    /// The member's value. Setting replaces it in place or appends it; setting nil removes the member.
    package subscript(name: String) -> JSON? {
        get { position(of: name).map { members[$0].value } }
        set {
            if newValue != nil { notePositions() }
            switch (position(of: name), newValue) {
            case (let position?, let value?): members[position].value = value
            case (let position?, nil):
                members.remove(at: position)
                positions = .unknown
            case (nil, let value?):
                if case .known(var known) = positions {
                    // Taken out, so that it is changed in place.
                    positions = .unknown
                    known[Array(name.utf8)] = members.count
                    positions = .known(known)
                }
                members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Removes the members of these names.
    package mutating func remove(_ names: [String]) {
        for name in names { self[name] = nil }
    }

    /// The object with a member set, or without it.
    package func setting(_ name: String, to value: JSON?) -> JSONObject {
        var copy = self
        copy[name] = value
        return copy
    }

    private func position(of name: String) -> Int? {
        if case .known(let known) = positions { return known[Array(name.utf8)] }
        return members.firstIndex { $0.name.isIdentical(to: name) }
    }

    private mutating func notePositions() {
        guard case .unknown = positions, members.count >= Self.large else { return }
        var known: [[UInt8]: Int] = [:]
        for (position, member) in members.enumerated() { known[Array(member.name.utf8)] = position }
        positions = .known(known)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The members of a literal, in its order. A repeated name keeps its last value.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}

extension JSONObject: Equatable {
    /// Equal when both have the same names with equal values, in any order.
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        var right = right
        right.notePositions()
        return left.members.allSatisfy { right[$0.name] == $0.value }
    }
}
