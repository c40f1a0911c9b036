internal import CommandSpec

/// The options of `credential` (oap-credential(1)).
enum CredentialOption {
    private static let section = "Credential"
    static let allowOrigin = Option(
        "allow-origin", argument: "ORIGIN", isRepeatable: true, section: section,
        summary: "an origin that the token is for too",
        details: """
            Gives the token of `-p` also for this origin, such as `https://github.com`, in addition to the origins of \
            `api_base`, `resource` and `api_origins`.
            """)
    static let username = Option(
        "username", argument: "NAME", standard: "oauth2", section: section,
        summary: "the user name beside the token",
        details: """
            The user name that is given with the token, in protocols with a user name. Most servers accept every user \
            name, with the token as the password.
            """)
    static let host = Option(
        "host", argument: "HOST", isRepeatable: true, otherwise: "the hosts that the token is for", section: section,
        summary: "the host of a netrc line",
        details: """
            A host for which `netrc` prints a line. By default there is a line for each host of `api_base`, `resource` \
            and `api_origins`.
            """)
    static let idToken = Option(
        "id-token", section: section, summary: "give the ID token instead of the access token",
        details: """
            With `kubectl`, gives the ID token instead of the access token. This is for a Kubernetes cluster that \
            trusts an OpenID provider. The ID token is renewed before its `exp`.
            """)
}
