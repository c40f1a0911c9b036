internal import CommandSpec
internal import Sessions
internal import Shell
internal import Tokens

/// `oap ci-token`: the identity of this CI job or workload (oap-ci-token(1)).
enum CITokenCommand {
    private static let section = "Identity"
    private static let from = Option(
        "from", argument: "PLATFORM", otherwise: "the platform that the variables name",
        completes: .words(IdentityPlatform.allCases.map(\.rawValue)), section: section,
        summary: "the platform to ask")
    private static let audience = Option(
        "audience", argument: "AUDIENCE", section: section, summary: "whom the identity is for")
    private static let variable = Option(
        "env", argument: "NAME", section: section, summary: "the variable that holds the identity")
    private static let account = Option(
        "account", argument: "ACCOUNT", section: section, summary: "which account of the platform is meant")

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let platform = try arguments.value(from).map { (name) throws(Failure) in
            try IdentitySource.platform(named: name)
        }
        let audience = arguments.value(Self.audience)
        let output = try session.output()
        let request = IdentityRequest(
            session.environment, over: session.transport, for: audience, as: arguments.value(account))
        let identity: Identity
        if let name = arguments.value(variable) {
            guard IdentitySource.isVariable(name) else { throw .usage("\(variable.name) needs the name of a variable") }
            identity = try request.identity(inVariable: name)
        } else {
            identity = try session.engine.run(request.identity(from: platform))
        }
        try MaskLine.detected(in: session.environment)?.mask([identity.jwt.token])
        return try output.finish(identity.document(for: audience))
    }

    static let command = Command(
        "ci-token", section: "Step by step", summary: "get the identity of a CI job or a workload",
        options: [from, audience, variable, account] + OutputOption.all + RetryOption.all + GeneralOption.transport
            + [GeneralOption.dryRun],
        rules: [.apart([from, variable]), .apart([account, variable])], run: run)
}
