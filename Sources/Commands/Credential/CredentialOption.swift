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
            The user name that `oap` gives with the token, if the protocol has a user name. If the password is a \
            token, most servers accept every user name.
            """)
    static let host = Option(
        "host", argument: "HOST", isRepeatable: true, otherwise: "the hosts that the token is for", section: section,
        summary: "the host of a netrc line",
        details: """
            A host for which `netrc` prints a line. By default, `oap` prints a line for each host in `api_base`, \
            `resource` and `api_origins`.
            """)
    static let idToken = Option(
        "id-token", section: section, summary: "give the ID token instead of the access token",
        details: """
            With `kubectl`, gives the ID token instead of the access token. Use this option if the Kubernetes cluster \
            trusts an OpenID provider. `oap` renews the ID token before its `exp`.
            """)
}
