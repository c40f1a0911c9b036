/// The members of a JSON object, in their order, no name twice.
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
        get { index(of: name).map { members[$0].value } }
        set {
            switch (index(of: name), newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Removes the members of these names.
    package mutating func remove(_ names: some Sequence<String>) {
        for name in names { self[name] = nil }
    }

    private func index(of name: String) -> Int? {
        members.firstIndex { $0.name.isIdentical(to: name) }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The members of a literal, in its order. A name that stands twice keeps its last value.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}

extension JSONObject: Equatable {
    /// Equal when both have the same names with equal values, in any order.
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.name] == $0.value }
    }
}
