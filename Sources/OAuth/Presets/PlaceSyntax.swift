internal import Wire

/// The places of a text: a name of small letters and underscores between braces.
enum PlaceSyntax {
    enum Piece {
        case text(String)
        case place(String)
    }

    static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var (plain, rest) = (text[...], text.utf8[...])
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            rest = rest[open...].dropFirst()
            let name = rest.prefix { $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
            guard !name.isEmpty, rest[name.endIndex...].first == UInt8(ascii: "}") else { continue }
            pieces += [.text(String(plain[..<open])), .place(String(Substring(name)))]
            rest = rest[name.endIndex...].dropFirst()
            plain = text[rest.startIndex...]
        }
        return pieces + [.text(String(plain))]
    }
}

extension JSON {
    /// The names of the places `{name}` in its strings, in order.
    var places: [String] {
        switch self {
        case .null, .bool, .number: []
        case .string(let text):
            PlaceSyntax.pieces(of: text).compactMap { piece in if case .place(let name) = piece { name } else { nil } }
        case .array(let elements): elements.flatMap(\.places)
        case .object(let object): object.members.flatMap(\.value.places)
        }
    }

    /// The value with values in its places. One that begins with `http://` replaces the `https://` before its place.
    func filling(_ values: [String: String]) -> JSON {
        switch self {
        case .null, .bool, .number: return self
        case .string(let text):
            var output = ""
            for piece in PlaceSyntax.pieces(of: text) {
                switch piece {
                case .text(let text): output += text
                case .place(let name):
                    let value = values[name] ?? "{\(name)}"
                    let secure = "https://"
                    if value.hasPrefix("http://"), output.hasSuffix(secure) { output.removeLast(secure.count) }
                    output += value
                }
            }
            return .string(output)
        case .array(let elements): return .array(elements.map { $0.filling(values) })
        case .object(let object):
            return .object(
                JSONObject(unique: object.members.map { .init(name: $0.name, value: $0.value.filling(values)) }))
        }
    }
}
