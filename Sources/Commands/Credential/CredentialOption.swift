internal import CommandSpec

/// The options of `credential` (oap-credential(1)).
enum CredentialOption {
    private static let section = "Credential"
    static let allowOrigin = Option(
        "allow-origin", argument: "ORIGIN", isRepeatable: true, section: section,
        summary: "an origin that the token is for too",
        details: """
            Gives the token of `-p` to this origin too, such as `https://github.com`, besides those of `api_base`, \
            `resource` and `api_origins`.
            """)
    static let username = Option(
        "username", argument: "NAME", standard: "oauth2", section: section,
        summary: "the user name beside the token",
        details: "The user name for protocols that have one. Most servers take a token as the password of any user.")
    static let host = Option(
        "host", argument: "HOST", isRepeatable: true, otherwise: "the hosts that the token is for", section: section,
        summary: "the host of a netrc line",
        details: "A host for `netrc`. The default is the hosts of `api_base`, `resource` and `api_origins`.")
    static let idToken = Option(
        "id-token", section: section, summary: "give the ID token instead of the access token",
        details: """
            Gives the ID token instead of the access token, for a Kubernetes cluster that trusts an OpenID provider. \
            It is renewed before the `exp` of the ID token.
            """)
}
