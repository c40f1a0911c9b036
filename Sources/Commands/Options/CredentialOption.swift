internal import CommandSpec

/// The options of `credential` (oap-credential(1)).
enum CredentialOption {
    private static let section = "Credential"
    static let allowOrigin = Option(
        "allow-origin", argument: "ORIGIN", isRepeatable: true, section: section,
        summary: "an origin that the token is for too")
    static let username = Option(
        "username", argument: "NAME", standard: "oauth2", section: section, summary: "the user name beside the token")
    static let host = Option(
        "host", argument: "HOST", isRepeatable: true, otherwise: "the hosts that the token is for", section: section,
        summary: "the host of a netrc line")
    static let idToken = Option("id-token", section: section, summary: "give the ID token instead of the access token")
}
