internal import OAuth
internal import Wire

/// The JSON Schema (draft 2020-12) of a document of `oap-documents(5)`, made from the records of its members and from what
/// `schemas.json` says of it.
enum DocumentSchema: String, CaseIterable {
    case client, flow, callback, token, error

    private static let data = JSONObject(builtIn: "schemas.json")
    private func said(_ name: String) -> JSON? { Self.data[rawValue]?.object?[name] }

    /// The members that the document may have. It may have others too.
    var members: [Member] {
        let kinds = said("kinds")?.strings ?? []
        return Member.all.filter { kinds.contains("\($0.kind)") }
    }

    var schema: JSONObject {
        var properties: JSONObject = [:]
        for member in members { properties[member.name] = .object(Self.property(of: member)) }
        var schema = said("schema")?.object ?? [:]
        schema["properties"] = .object(properties)
        schema["additionalProperties"] = .bool(true)
        return schema
    }

    private static func property(of member: Member) -> JSONObject {
        var property: JSONObject = [:]
        // Nothing is known of the values of members without effect.
        guard member.kind != .kept else { return property }
        switch member.form {
        case .text, .url, .file, .scope: property["type"] = .string("string")
        // Variables, options and some servers give these as strings too.
        case .seconds, .number: property["type"] = .strings(["number", "string"])
        case .boolean: property["type"] = .strings(["boolean", "string"])
        case .list:
            property["type"] = .string("array")
            property["items"] = .object(["type": .string("string")])
        case .json: break
        }
        if !member.choices.isEmpty { property["enum"] = .strings(member.choices) }
        if !member.text.isEmpty { property["description"] = .string(member.text) }
        return property
    }
}
