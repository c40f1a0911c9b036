/// One challenge of a `WWW-Authenticate` field (RFC 9110 §11.6.1).
package struct AuthenticationChallenge: Sendable, Equatable {
    /// A parameter: its name in lower case, and its value with quoted pairs undone.
    package struct Parameter: Sendable, Equatable {
        package var name: String
        package var value: String
    }

    /// The scheme in lower case, for example `bearer`.
    package var scheme: String
    /// The parameters in order, no name twice.
    package var parameters: [Parameter] = []
    /// The token68 of schemes such as Negotiate, instead of parameters.
    var token68: String?

    /// The value of a parameter, its name given in lower case.
    package subscript(name: String) -> String? {
        parameters.first { $0.name.isIdentical(to: name) }?.value
    }
}
