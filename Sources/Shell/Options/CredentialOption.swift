package import CommandSpec

/// The options of `credential` (oap-credential(1)).
package enum CredentialOption {
    private static let section = "Credential"
    package static let allowOrigin = Option(
        "allow-origin", argument: "ORIGIN", isRepeatable: true, section: section,
        summary: "an origin that the token is for too")
    package static let standardUsername = "oauth2"
    package static let username = Option(
        "username", argument: "NAME", standard: standardUsername, section: section,
        summary: "the user name beside the token")
    package static let host = Option(
        "host", argument: "HOST", isRepeatable: true, otherwise: "the hosts that the token is for", section: section,
        summary: "the host of a netrc line")
    private static let cloud = "AWS"
    package static let role = Option("role-arn", argument: "ARN", section: cloud, summary: "the role")
    package static let standardRoleSession = "oap"
    package static let roleSession = Option(
        "role-session-name", argument: "NAME", standard: standardRoleSession, section: cloud,
        summary: "the name of the session")
    package static let duration = Option(
        "duration", argument: "SECONDS", standard: "3600", section: cloud,
        summary: "how long the credentials are valid")
    package static let region = Option("region", argument: "REGION", section: cloud, summary: "the region of STS")
    package static let endpoint = Option(
        "sts-endpoint", argument: "URL", section: cloud, summary: "the endpoint of STS")
    package static let ofRole = [role, roleSession, duration, region, endpoint]

    package static let idToken = Option(
        "id-token", section: section, summary: "give the ID token instead of the access token")
}
