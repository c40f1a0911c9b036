import TestSupport
import Testing
import Wire

/// The schemas of `oap help --schema`, against the documents of a login.
@Suite("The schemas of documents")
struct DocumentSchemaTests {
    /// Commands that print a document of a kind; they run one after the other.
    private static let documents = [
        ("client", #"cat "$OAP_SANDBOX_FILE" | tee client.json"#),
        ("client", #"oap discover "$OAP_ISSUER""#),
        ("client", "oap provider microsoft tenant=common"),
        ("flow", "oap authurl < client.json | tee flow.json"),
        ("flow", "oap device < client.json"),
        (
            "callback",
            """
            redirect=$(curl -s -o page.html -w '%{redirect_url}' "$(jq -r .authorization_url flow.json)")
            oap callback-parse "$redirect" < flow.json | tee callback.json
            """
        ),
        ("token", "oap exchange < callback.json"),
        ("token", "oap exchange -n --grant client_credentials"),
        ("error", "oap exchange < callback.json || true"),
        ("error", "oap exchange -n --grant client_credentials --token-endpoint http://127.0.0.1:1/token || true"),
    ]

    @Test("the documents of a login are what their schemas say")
    func documents() throws {
        let outcomes = try ExampleSession.run(Self.documents.map(\.1))
        for ((kind, command), outcome) in zip(Self.documents, outcomes) {
            try #require(outcome.status == 0, "\(command)\n\(outcome.errorOutput)")
            let document = try #require(try JSON(parsing: outcome.output).object)
            #expect(try Self.faults(of: document, as: kind) == [], "\(command)\n\(outcome.output)")
        }
    }

    @Test(
        "a document of another kind or with a value of another type is not what a schema says",
        arguments: [
            ("token", "{}"), ("error", #"{"error":"x","stage":"call"}"#), ("flow", #"{"client_id":"x"}"#),
            ("callback", #"{"authorization_url":"x"}"#), ("client", #"{"client_id":1}"#),
            ("client", #"{"token_endpoint_auth_method":"magic"}"#), ("token", #"{"access_token":"x","scope":[]}"#),
            ("error", #"{"error":"x","stage":"call","exit_status":{}}"#), ("client", #"{"redirect_uris":"x"}"#),
        ])
    func faulty(kind: String, text: String) throws {
        let document = try #require(try JSON(parsing: text).object)
        #expect(try Self.faults(of: document, as: kind) != [])
    }

    /// The faults of a document by the words that the schemas use: `required`, `anyOf`, `type`, `items` and `enum`.
    private static func faults(of document: JSONObject, as kind: String) throws -> [String] {
        let text = try Program.oap(["help", "--schema", kind]).run().expect(status: 0).text
        let schema = try #require(try JSON(parsing: text).object)
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        let required = schema["required"]?.strings ?? []
        let alternatives = schema["anyOf"]?.array?.compactMap { $0.object?["required"]?.strings } ?? []
        var faults = required.filter { document[$0] == nil }.map { "\($0) is missing" }
        if !alternatives.isEmpty, !alternatives.contains(where: { $0.allSatisfy { document[$0] != nil } }) {
            faults.append("no alternative")
        }
        let properties = try #require(schema["properties"]?.object)
        #expect(properties.count > 3)
        for member in document.members {
            guard let property = properties[member.name]?.object else { continue }
            let types = property["type"]?.strings ?? [property["type"]?.string].compactMap(\.self)
            let hasType = types.isEmpty || types.contains(member.value.kind)
            let hasItems = property["items"] == nil || member.value.strings != nil
            let isAllowed = property["enum"]?.strings?.contains(member.value.string ?? "") ?? true
            if !hasType || !hasItems || !isAllowed { faults.append("\(member.name) is \(member.value)") }
        }
        return faults
    }
}
