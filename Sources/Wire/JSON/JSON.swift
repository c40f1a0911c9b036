/// A JSON value (RFC 8259) that preserves the order of members and the spelling of numbers.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    /// The number as it is spelled, for example `1.10` or `9007199254740993`.
    case number(String)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    package static func integer(_ value: Int) -> JSON { .number(String(value)) }

    package static func strings(_ values: [String]) -> JSON { .array(values.map { .string($0) }) }

    package var string: String? { if case .string(let value) = self { value } else { nil } }

    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    package var array: [JSON]? { if case .array(let value) = self { value } else { nil } }

    package var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    package var isNull: Bool { if case .null = self { true } else { false } }

    /// The strings, when it is an array that has only strings.
    package var strings: [String]? {
        guard let array else { return nil }
        let strings = array.compactMap(\.string)
        return strings.count == array.count ? strings : nil
    }

    /// The number as an integer, truncated; nil for other values and for numbers beyond 2^53.
    package var integer: Int? {
        guard case .number(let text) = self,
            let value = Int(text) ?? Double(text).flatMap({ Int(exactly: $0.rounded(.towardZero)) }),
            value.magnitude <= 1 << 53
        else { return nil }
        return value
    }

    /// The kind of value, as jq calls it: `null`, `boolean`, `number`, `string`, `array` or `object`.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The kind with its article, for messages: `an array`.
    package var kindNoun: String {
        switch self {
        case .null: kind
        case .array, .object: "an \(kind)"
        case .bool, .number, .string: "a \(kind)"
        }
    }
}

extension JSON: Equatable {
    /// Equal in kind and content: strings by code points, numbers by their spelling, members in any order.
    package static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a.isIdentical(to: b)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }
}

/// The members of a JSON object, in order, with distinct names.
package struct JSONObject: Sendable {
    package struct Member: Sendable {
        package var name: String
        package var value: JSON

        package init(name: String, value: JSON) { (self.name, self.value) = (name, value) }
    }

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

    package init() { members = [] }

    /// Members whose names the caller knows to be distinct.
    package init(unique members: [Member]) { self.members = members }

    package var count: Int { members.count }

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

    package mutating func remove(_ names: [String]) { for name in names { self[name] = nil } }

    package func setting(_ name: String, to value: JSON?) -> JSONObject {
        changing(self) { $0[name] = value }
    }

    /// The members with those of another object; a null there removes one (RFC 7396 for flat objects).
    package func changed(by others: JSONObject) -> JSONObject {
        changing(self) { for member in others.members { $0[member.name] = member.value.isNull ? nil : member.value } }
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
