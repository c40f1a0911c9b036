internal import CommandSpec

/// What the command line of `credential` says (oap-credential(1)).
struct CredentialSettings {
    /// The words behind the protocol, and those behind `--`.
    let words: [String]
    let action: String?
    let username: String
    /// The hosts of a netrc line; none for those that the token is for.
    let hosts: [String]
    let origins: [String]
    let wantsIDToken: Bool

    /// The role of AWS, and the region and the endpoint of its token service.
    let role, region, endpoint: String?
    let roleSession: String
    /// How long the role's credentials are to be valid, in seconds; nil for the default.
    let duration: Int?

    init(_ arguments: Arguments) {
        words = arguments.operands.dropFirst() + arguments.trailing
        action = arguments.operand(1)
        username = arguments.value(CredentialOption.username) ?? CredentialOption.standardUsername
        hosts = arguments.values(CredentialOption.host)
        origins = arguments.values(CredentialOption.allowOrigin)
        wantsIDToken = arguments.has(CredentialOption.idToken)
        role = arguments.value(CredentialOption.role)
        region = arguments.value(CredentialOption.region)
        endpoint = arguments.value(CredentialOption.endpoint)
        roleSession = arguments.value(CredentialOption.roleSession) ?? CredentialOption.standardRoleSession
        duration = arguments.value(CredentialOption.duration).map { Int($0) ?? 0 }
    }
}
