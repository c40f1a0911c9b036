import Testing
import Wire

@testable import OAuth

@Suite("What goes with a token, a login or a flow")
struct MemberOwnerTests {
    /// What happens to a document; each takes the members of some owners out of it.
    enum Departure: CaseIterable {
        case newFlow, newLogin, sameGrant, renewal, rotation, newIDToken, refusal, derived, exchanged, handedOut
    }

    /// What every new access token takes away.
    private static let ofToken: Set<Departure> = [
        .newFlow, .newLogin, .sameGrant, .renewal, .rotation, .newIDToken, .derived,
    ]
    private static let ofFlow: Set<Departure> = [.newFlow, .newLogin, .sameGrant]
    private static let ofLogin: Set<Departure> = [.newLogin, .sameGrant]

    /// Where the former value of each member goes. A new member of a token or a flow needs a line here.
    static let table: [String: Set<Departure>] = [
        "access_token": ofToken, "token_type": ofToken, "expires_in": ofToken, "expires_at": ofToken,
        "refused_at": ofToken, "unauthorized_at": ofToken, "issued_token_type": ofToken,
        "refresh_token": ofLogin.union([.rotation, .refusal, .handedOut]),
        "refresh_token_expires_at": ofLogin.union([.rotation, .refusal, .handedOut]),
        "authorization_expires_at": ofLogin.union([.handedOut]),
        "refresh_refused_at": ofLogin.union([.renewal, .rotation, .newIDToken, .refusal, .handedOut]),
        "refresh_token_was": ofLogin.union([.renewal, .rotation, .newIDToken, .refusal, .handedOut]),
        "id_token": ofLogin.union([.newIDToken, .derived, .handedOut]),
        "id_token_claims": ofLogin.union([.newIDToken, .derived, .handedOut]),
        "id_token_final_exp": ofLogin.union([.newIDToken, .derived, .handedOut]),
        // What a renewal leaves of it is what was granted.
        "scope": [.renewal, .rotation, .newIDToken, .derived, .exchanged],
        "granted_scope": ofLogin.union([.derived, .exchanged]),
        "requested_scope": ofLogin.union([.derived, .exchanged]),
        "derived_tokens": [.newLogin, .derived, .handedOut],
        "step_up": [.newLogin], "renewed_by": ofLogin, "logged_in_as": [.newLogin],
        "grant_type": ofLogin.union([.handedOut]),
        "dpop_key": [], "dpop_key_passphrase": [.handedOut], "dpop_jkt": [], "dpop_nonces": [],
        "authorization_details": [],
        "subject_token": [.exchanged], "actor_token": [.exchanged],
        "subject_token_from": [.exchanged], "actor_token_from": [.exchanged],
        "token_params": [.exchanged],
        "authorization_url": ofFlow, "state": ofFlow, "code_verifier": ofFlow, "nonce": ofFlow,
        "callback_url": ofFlow, "callback_body": ofFlow, "code": ofFlow, "iss": [], "callback_params": [],
        "device_code": ofFlow, "auth_req_id": ofFlow, "user_code": ofFlow, "verification_uri": ofFlow,
        "verification_uri_complete": ofFlow, "interval": ofFlow,
        "binding_message": ofFlow, "requested_expiry": ofFlow,
    ]

    @Test("every member of a document goes with its owner, and with nothing else", arguments: Departure.allCases)
    func departure(_ departure: Departure) throws {
        var document: JSONObject = [:]
        let records = Member.all.filter { $0.kind != .error }
        for record in records { for name in Self.names(of: record) { document[name] = .string(name) } }
        let after = try Self.after(departure, document)
        for record in records {
            let isOfToken = [.token, .flow, .device].contains(record.kind)
            // A client is handed out without its secrets, whatever they belong to.
            if departure == .handedOut, record.kind != .token { continue }
            if isOfToken { #expect(Self.table[record.name] != nil, "\(record.name) belongs to nothing yet") }
            let goes = Self.table[record.name]?.contains(departure) ?? false
            // Who is handed a token does not get the files of others.
            let names = departure == .handedOut ? [record.name] : Self.names(of: record)
            for name in names { #expect((after[name] != .string(name)) == goes, "\(name)") }
        }
    }

    private static func names(of member: Member) -> [String] {
        [member.name] + [member.fileName].compactMap(\.self).filter { $0 != member.name }
    }

    private static func after(_ departure: Departure, _ document: JSONObject) throws -> JSONObject {
        switch departure {
        case .newFlow: return DeviceAuthorizationResponse.beginning(of: document, with: [:])
        case .newLogin: return TokenDocument.exchanged(document, for: try answer(), method: .none, start: 0)
        case .sameGrant:
            let client = Document(["client_id": "c", "scope": "scope"])
            let grant = try Grant(.clientCredentials, of: client, .init(isRepeated: true))
            return TokenDocument.exchanged(document, for: try answer(), of: grant, method: .none, start: 0)
        case .renewal: return TokenDocument.refreshed(document, by: try answer(), start: 0)
        case .rotation: return TokenDocument.refreshed(document, by: try answer(#","refresh_token":"r""#), start: 0)
        case .newIDToken: return TokenDocument.refreshed(document, by: try answer(#","id_token":"i""#), start: 0)
        case .refusal: return SpentToken.dropped(from: document, sent: "r", now: 1)
        case .derived: return DerivedToken(scope: "a").document(in: document)
        case .exchanged: return DerivedToken(scope: nil, isExchange: true).requested(of: document)
        case .handedOut: return DerivedToken.handedOut(document)
        }
    }

    @Test("an ID token that comes again keeps its claims, and what is known of its end")
    func sameIDToken() throws {
        let login: JSONObject = ["id_token": "i", "id_token_claims": .object(["sub": "s"]), "id_token_final_exp": 5]
        let renewed = TokenDocument.refreshed(login, by: try Self.answer(#","id_token":"i""#), start: 0)
        for member in login.members { #expect(renewed[member.name] == member.value, "\(member.name)") }
    }

    private static func answer(_ more: String = "") throws -> TokenResponse {
        let head = HTTPResponseHead(status: 200, headers: [HTTPField("Content-Type", "application/json")])
        let body = #"{"access_token":"a","token_type":"Bearer"\#(more)}"#
        return try TokenResponse(
            EndpointResponse(head: head, body: Array(body.utf8)),
            expecting: .init(grant: .init(named: "refresh_token"), scope: Scope(splitting: "")))
    }
}
