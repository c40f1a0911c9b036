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
    /// A number made from an integer.
    package static func integer(_ value: Int) -> JSON { .number(String(value)) }

    /// An array of strings.
    package static func strings(_ values: [String]) -> JSON { .array(values.map { .string($0) }) }

    /// The string, when it is one.
    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The boolean, when it is one.
    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements, when it is an array.
    package var array: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members, when it is an object.
    package var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// Whether it is `null`.
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

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
