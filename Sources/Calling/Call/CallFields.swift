package import CommandSpec
package import Wire
package import Shell

/// The members of a JSON body from `-f` and `-F`, in the grammar of gh: `a=b`, `a[b]=c`, `a[]=c`, `a[][b]=c`,
/// and `a[]` for an empty array.
package struct CallFields {
    /// The hint for `-f` in the sense of curl.
    package static let hint =
        "-f is --raw-field, as in gh: leave the -f of curl out, since oap fails on status 400 and above anyway"

    /// The fields with each name as it was given, brackets and all.
    private(set) var fields: [(name: String, value: JSON)] = []
    /// Whether one is the content of a file.
    private(set) var holdsFile = false

    /// Refuses a field that is neither `a=b` nor `a[]`, before a document is read: it may be the name of a token.
    ///
    /// - Throws: exit 2.
    package static func check(_ given: [Arguments.Occurrence]) throws(Failure) {
        for occurrence in given {
            guard let text = occurrence.values.last, text.cut(at: "=") == nil, !text.hasSuffix("[]") else { continue }
            let isTyped = occurrence.option == CallOption.field
            throw .usage("\(occurrence.option.name) takes NAME=VALUE", hint: isTyped ? nil : hint)
        }
    }

    package init(_ given: [Arguments.Occurrence], _ reader: BodyReader) throws(Failure) {
        for occurrence in given {
            let isTyped = occurrence.option == CallOption.field
            let text = occurrence.values.last ?? ""
            guard let (name, value) = text.cut(at: "=") else {
                fields.append((String(text.dropLast(2)), .array([])))
                continue
            }
            fields.append((name, isTyped ? try Self.typed(value, reader) : .string(value)))
            holdsFile = holdsFile || isTyped && value.hasPrefix("@") && value != "@-"
        }
    }

    /// The fields as query parameters, with their names unchanged. An empty array is none.
    package var parameters: [(name: String, value: String)] {
        fields.filter { $0.value.array == nil }.map { field in
            (field.name, field.value.string ?? (field.value.isNull ? "" : field.value.text))
        }
    }

    package func object() throws(Failure) -> JSON {
        var root = JSON.object(JSONObject())
        for field in fields {
            let path = try Self.path(of: field.name)[...]
            root = try Self.insert(field.value, at: path, into: root, named: field.name)
        }
        return root
    }

    private static func typed(_ text: String, _ reader: BodyReader) throws(Failure) -> JSON {
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        case _ where text.dropping(first: "@") != nil:
            let path = text.dropping(first: "@") ?? ""
            guard let content = String(validating: try content(of: path, reader), as: UTF8.self) else {
                throw .usage(
                    "\(path) is not UTF-8, which a JSON string must be",
                    hint: "to send a file of any type, use \(CallOption.form.name)")
            }
            return .string(content)
        default:
            guard Int(text) != nil, let value = try? JSON(parsing: text), case .number = value else {
                return .string(text)
            }
            return value
        }
    }

    /// The content of a file; a path that ends as in curl's `-F` gets the hint of the option for it.
    private static func content(of path: String, _ reader: BodyReader) throws(Failure) -> [UInt8] {
        do throws(Failure) {
            return try reader.read(path)
        } catch {
            guard [";type=", ";filename="].contains(where: path.contains) else { throw error }
            throw error.advising(
                "-F is --field, as in gh: \(CallOption.form.name) sends a file as -F does in curl")
        }
    }
}

extension CallFields {
    /// A step into a nested value: a member, or a new element of an array.
    private enum Step: Equatable {
        case member(String)
        case element
    }

    private static func path(of name: String) throws(Failure) -> [Step] {
        let first = name.prefix { $0 != "[" }
        var steps = [Step.member(String(first))]
        var rest = name[first.endIndex...]
        while rest.first == "[" {
            guard let close = rest.firstIndex(of: "]") else {
                throw .usage("the field name \(name) has no closing bracket")
            }
            let inner = rest[rest.index(after: rest.startIndex)..<close]
            steps.append(inner.isEmpty ? .element : .member(String(inner)))
            rest = rest[rest.index(after: close)...]
        }
        guard rest.isEmpty, !first.isEmpty else {
            throw .usage("the field name \(name) must have a form such as a, a[b] or a[]")
        }
        return steps
    }

    private static func insert(
        _ value: JSON, at path: ArraySlice<Step>, into target: JSON?, named field: String
    ) throws(Failure) -> JSON {
        guard let step = path.first else {
            guard target == nil else {
                throw .usage("two fields set the same member: \(Terminal.escaping(field))")
            }
            return value
        }
        switch (step, target) {
        case (.member(let name), nil), (.member(let name), .object):
            var object = target?.object ?? JSONObject()
            object[name] = try insert(value, at: path.dropFirst(), into: object[name], named: field)
            return .object(object)
        case (.element, nil), (.element, .array):
            var elements = target?.array ?? []
            // As in gh, a member that the last element lacks still belongs to that element.
            if case .member(let name)? = path.dropFirst().first, let last = elements.last?.object, last[name] == nil {
                elements[elements.count - 1] = try insert(
                    value, at: path.dropFirst(), into: elements.last, named: field)
            } else {
                elements.append(try insert(value, at: path.dropFirst(), into: nil, named: field))
            }
            return .array(elements)
        default: throw .usage("fields contradict each other: one sets a value, another sets members in it")
        }
    }
}
