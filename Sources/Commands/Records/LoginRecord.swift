internal import CommandSpec
internal import OAuth

extension Command {
    static let login = Command(
        record: CommandRecord(
            "login", section: "Managed", summary: "log in, and keep the token under a name",
            description: description,
            operands: [
                Operand(
                    "NAME", summary: "the name of profile and token",
                    details: "Letters, digits and `._@-`, at most 128; `oap token NAME` prints the token from then on."),
                Operand(
                    "VAR=VALUE", isRequired: false, isRepeatable: true, summary: "fill a place of the preset",
                    details: "What stands for a place of the preset that `--provider` names, such as a host."),
            ],
            options: [
                LoginClient.provider, LoginClient.saveProfile, LoginWay.device, LoginWay.paste, LoginWay.noOpen,
            ] + ListenOption.all + LoginCommand.members.map(\.option) + [
                GeneralOption.parameter, AuthurlCommand.noPKCE, AuthurlCommand.challengeMethod, AuthurlCommand.push,
                GeneralOption.store, OutputOption.strict,
            ] + GeneralOption.transport, refused: GeneralOption.refused, examples: examples,
            seeAlso: [
                ManualReference("oap-token", 1), ManualReference("oap-logout", 1), ManualReference("oap-provider", 1),
            ]),
        writesErrorDocuments: true, run: LoginCommand.run)

    private static let description = """
        Does in one process what `oap authurl | oap listen --open | oap callback-parse | oap exchange | oap store put NAME` \
        does in a pipe. The client is that of the profile `$XDG_CONFIG_HOME/oap/profiles/NAME.json`, a client document, \
        with the options and variables over it; with `--provider` it is the provider's preset, and the profile is written.

        The browser is opened on this machine, and its redirect received on loopback. Where there is no display, the URL \
        is printed with what to do. `--device` shows a code to type on another device, and `--paste` asks for what the \
        browser was redirected to. Without a terminal nothing is begun that waits for a person, unless `--device`, \
        `--open` or `--no-open` asks for it: the exit status is 8.

        Everything that can be known beforehand is checked first: the client, its secret, the store, the profile. Who is \
        logged in is told on standard error, where the ID token or the userinfo endpoint names somebody. A token that was \
        stored under the name before is replaced, and not revoked; one that cannot be stored after all is revoked.
        """

    private static let examples = [
        Example(
            "Log in once, and use the token for ever after. The profile is a client document.",
            command: """
                mkdir -p ${XDG_CONFIG_HOME:-~/.config}/oap/profiles
                cp client.json ${XDG_CONFIG_HOME:-~/.config}/oap/profiles/work.json
                oap login work --open
                oap call -p work /user --jq .login -r
                """, output: "ada")
    ]
}
