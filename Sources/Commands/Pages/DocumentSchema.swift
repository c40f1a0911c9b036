internal import OAuth
internal import Wire

/// The JSON Schema (draft 2020-12) of a document of `oap-documents(5)`, made from the records of its members.
enum DocumentSchema: String, CaseIterable {
    case client, flow, callback, token, error

    /// The members that the document may have. It may have others too.
    var members: [Member] {
        let kinds: [Member.Kind] =
            switch self {
            case .client: Self.clientKinds
            case .flow, .callback: Self.clientKinds + [.flow, .device]
            case .token: Self.clientKinds + [.token]
            case .error: [.error]
            }
        return Member.all.filter { kinds.contains($0.kind) }
    }

    private static let clientKinds: [Member.Kind] = [.client, .server, .way, .request, .kept]

    private var title: String {
        switch self {
        case .client: "the client document of oap"
        case .flow: "the flow document that oap authurl, oap device or oap ciba prints"
        case .callback: "the flow document that oap callback-parse prints"
        case .token: "the token document that oap exchange prints and oap store keeps"
        case .error: "the error document of a command that fails"
        }
    }

    /// The sets of members, one of which the document has.
    private var required: [[String]] {
        switch self {
        case .client: []
        case .flow: [["authorization_url"], ["device_code"], ["auth_req_id"]]
        case .callback: [["code"]]
        case .token: [["access_token"], ["access_token_file"]]
        case .error: [["error", "stage", "exit_status"]]
        }
    }

    var schema: JSONObject {
        var properties: JSONObject = [:]
        for member in members { properties[member.name] = .object(Self.property(of: member)) }
        var schema: JSONObject = [
            "$schema": .string("https://json-schema.org/draft/2020-12/schema"), "title": .string(title),
            "type": .string("object"),
        ]
        if required.count == 1 {
            schema["required"] = .strings(required[0])
        } else if !required.isEmpty {
            schema["anyOf"] = .array(required.map { .object(["required": .strings($0)]) })
        }
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
