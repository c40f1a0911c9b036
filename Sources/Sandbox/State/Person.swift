package import Wire

/// A user of the sandbox.
package struct Person: Sendable {
    /// The claims (OpenID Connect Core §5.1).
    private let claims: JSONObject
    /// Whether the claims are also in ID tokens.
    let isInIDToken: Bool

    /// The user, if no other is given.
    package static let ada = Person(
        [
            "sub": .string("1815"), "name": .string("Ada Lovelace"), "given_name": .string("Ada"),
            "family_name": .string("Lovelace"), "preferred_username": .string("ada"), "locale": .string("en-GB"),
            "email": .string("ada@example.com"), "email_verified": .bool(true),
        ], isInIDToken: false)

    /// A user whose claims, among them a `sub`, are in ID tokens too.
    package init(claims: JSONObject) throws(SandboxError) {
        guard claims["sub"]?.string?.isEmpty == false else {
            throw SandboxError("the claims of a user must have a sub that is a string")
        }
        self.init(claims, isInIDToken: true)
    }

    private init(_ claims: JSONObject, isInIDToken: Bool) { (self.claims, self.isInIDToken) = (claims, isInIDToken) }
}

extension Person {
    package var subject: String { claims["sub"]?.string ?? "" }
    /// The login name in the API.
    var login: String { claims["preferred_username"]?.string ?? subject }
    var name: String { claims["name"]?.string ?? login }
    /// Whether a `login_hint` is one of the names.
    func isNamed(by hint: String) -> Bool { [login, email, subject].contains(hint) }
    var email: String? { claims["email"]?.string }

    /// The claims for a scope (OpenID Connect Core §5.4). A claim that belongs to no scope value is always among them.
    func claims(_ scope: Scope) -> JSONObject {
        JSONObject(
            unique: claims.members.filter { member in
                Self.scopes.first { $0.claims.contains(member.name) }.map { scope.contains($0.value) } ?? true
            })
    }

    /// What the user belongs to, for access tokens (RFC 9068 §2.2.3.1).
    var authorizations: JSONObject {
        JSONObject(unique: claims.members.filter { ["groups", "roles", "entitlements"].contains($0.name) })
    }

    /// The number of the user in the API: the `sub`, if it is one.
    var number: Int { Int(subject) ?? Int(fnv1a(subject.utf8) >> 33) }

    var claimNames: [String] { claims.members.map(\.name) }

    private static let scopes: [(value: String, claims: Set<String>)] = [
        (
            "profile",
            [
                "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile",
                "picture", "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at",
            ]
        ),
        ("email", ["email", "email_verified"]), ("address", ["address"]),
        ("phone", ["phone_number", "phone_number_verified"]),
    ]
}
