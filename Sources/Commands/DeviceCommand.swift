internal import CommandSpec
internal import Shell
internal import Login
internal import Sessions

/// `oap device`: client → flow, with the code that the user types on another device.
enum DeviceCommand {
    static let qrCode = Option(
        "qr", section: ListenOption.browser, wording: ListenOption.qrCode, summary: "show the URL as a QR code")

    static let members =
        MemberOption.ofAuthentication
        + MemberOption.of(
            "scope", "resource", "device_authorization_endpoint", "token_endpoint", "issuer", "jwks_uri",
            "id_token_signed_response_alg", "api_base")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let extra = arguments.pairs(GeneralOption.parameter)
        let input = try session.inputs.read(members)
        let output = try session.output()
        return try output.finish(try DeviceFlow.begin(of: input, by: .device, extra: extra, session: session))
    }

    static let command = Command(
        "device", section: "Step by step", summary: "start a login on another device (device flow)",
        options: [ListenOption.open, ListenOption.ephemeral, qrCode] + members.map(\.option)
            + [GeneralOption.parameter] + GeneralOption.input + OutputOption.allAndStrict + GeneralOption.server
            + [GeneralOption.dryRun], run: run)
}
