internal import CommandSpec
internal import OAuth
internal import Wire
internal import Shell
internal import Tokens
internal import Login
internal import Sessions

/// `oap callback-parse`: flow → flow with `code`, after every check of the redirect.
enum CallbackParseCommand {
    static let urlFile = Option.file(
        "url-file", argument: "PATH", section: "Input", summary: "read the redirected URL from a file")

    static let handOver = Option("hand-over", section: "Input", summary: "hand it over to the login that waits")

    static let members = MemberOption.of(
        "client_id", "redirect_uri", "issuer", "authorization_response_iss_parameter_supported")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let (url, path) = (arguments.operand(0), arguments.value(urlFile))
        if arguments.has(handOver) {
            guard let url = try text(of: url, in: path) else {
                preconditionFailure("the parser lets \(handOver.name) through only beside a URL")
            }
            try SchemeListener.handOver(url, session.environment.folders)
            return .done
        }
        let inputs = session.inputs
        var flow = try inputs.document()
        let profile = try inputs.profile()
        let pasted = try text(of: url, in: path)
        let callback = try pasted.map { (text) throws(Failure) in try asFailure(Callback(pasted: text)) }
        let output = try session.output()
        // Where no document is read, the parser has seen to a URL: its state finds the flow.
        if flow == nil, let callback {
            flow = try RememberedFlow.take(try asFailure(callback.namedState()), of: session)
        }
        let input = try inputs.input(members, members: flow ?? [:], profile: profile)
        // A flow document has them, and keeps the verifier once its redirect was processed.
        guard ["state", "code_verifier", "code"].contains(where: { input.document.members[$0] != nil }) else {
            throw Failure(
                .badInput, .metadataMissing, "state is missing", hint: "pass the flow document that oap authurl printed"
            )
        }
        return try output.finish(try CodeFlow.take(of: input, redirect: callback, session))
    }

    /// The redirected URL, unread: the operand, or in a file; nil if there is none.
    private static func text(of url: String?, in path: String?) throws(Failure) -> String? {
        guard let path else { return url }
        let bytes = try InputFile.read(path, limit: InputFile.textLimit)
        return String(validating: bytes, as: UTF8.self) ?? WebURL.encoding(bytes)
    }

    private static let input = [GeneralOption.nullInput, GeneralOption.typedProfile, GeneralOption.documentFile]

    static let command = Command(
        "callback-parse", section: "Step by step", summary: "check the redirected URL and extract the code",
        operands: [
            Operand("URL", isRequired: false, summary: "the redirected URL")
        ],
        options: members.map(\.option) + [urlFile, handOver] + input + OutputOption.allAndStrict,
        rules: [
            .apart([handOver], from: members.map(\.option) + input + OutputOption.allAndStrict),
            .needs(
                [handOver, GeneralOption.nullInput, GeneralOption.profile], anyOf: [.operand("URL"), .option(urlFile)]),
            .apart([urlFile], from: .operand("URL")),
        ], run: run)
}
