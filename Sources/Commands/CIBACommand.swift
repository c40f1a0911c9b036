internal import CommandSpec
internal import Shell
internal import Login
internal import Sessions

/// `oap ciba`: client → flow, whose login the server asks the user for without a page.
enum CIBACommand {
    /// Who is asked, and what for.
    static let asking = MemberOption.of("login_hint", "binding_message", "requested_expiry", "acr_values")

    static let members =
        MemberOption.ofAuthentication
        + MemberOption.of(
            "scope", "resource", "authorization_details", "backchannel_authentication_endpoint", "token_endpoint",
            "issuer", "jwks_uri", "id_token_signed_response_alg", "api_base")
        + asking

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let extra = arguments.pairs(GeneralOption.parameter)
        let input = try session.inputs.read(members)
        let output = try session.output()
        return try output.finish(try DeviceFlow.begin(of: input, by: .backchannel, extra: extra, session: session))
    }

    static let command = Command(
        "ciba", section: "Step by step", summary: "start a login by a message to the user (CIBA)",
        options: members.map(\.option)
            + [GeneralOption.parameter] + GeneralOption.input + OutputOption.allAndStrict + GeneralOption.server
            + [GeneralOption.dryRun], run: run)
}
