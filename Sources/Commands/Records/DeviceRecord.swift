internal import CommandSpec

/// The options of `device` that mean something else than in `listen`.
enum DeviceOption {
    static let qrCode = Option(
        "qr", section: ListenOption.browser, summary: "show the URL as a QR code",
        details: """
            Draws the URL as a QR code on standard error, for the camera of a telephone; the one that has the code in \
            it, where there is one.
            """)
}

extension Command {
    static let device = Command(
        record: CommandRecord(
            "device", section: "Pipeline", summary: "get a code to log in with on another device",
            description: description,
            options: [ListenOption.open, ListenOption.ephemeral, DeviceOption.qrCode]
                + DeviceCommand.members.map(\.option) + [
                    GeneralOption.parameter, GeneralOption.nullInput, GeneralOption.profile,
                ] + OutputOption.all + [OutputOption.strict] + GeneralOption.transport,
            refused: GeneralOption.refused, examples: examples,
            seeAlso: [ManualReference("oap-exchange", 1), ManualReference("oap-authurl", 1)]),
        writesErrorDocuments: true, run: DeviceCommand.run)

    private static let description = """
        Asks the server for a device code (RFC 8628 section 3.1) and prints the flow document: the client's members with \
        `device_code`, `user_code`, `verification_uri`, `verification_uri_complete` where the server made one, \
        `interval` and `expires_at`. `oap exchange` waits for the person and trades the device code for a token.

        What a person must do is printed on standard error, before anything else: the URL to open, on a telephone or any \
        other machine, and the code to type there. Where the server made a URL that has the code in it, it is printed \
        too; the code that its page shows must be the same. Control characters in them are left out.

        Both URLs must be https, or lead to this machine; anything else is exit status 9. Asking again does no harm: an \
        answer that was lost is exit status 6.
        """

    private static let examples = [
        Example(
            "A person logs in where there is no browser, in one pipe.",
            command: "oap device --qr < client.json | oap exchange -o token.json")
    ]
}
