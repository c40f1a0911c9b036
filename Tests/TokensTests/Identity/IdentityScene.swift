import Errands
import TestSupport
import Wire

@testable import Commands
@testable import Sessions
@testable import Shell
@testable import Tokens

/// A job or a workload whose platform a script plays.
final class IdentityScene {
    let script = Script()
    let session: Session
    private let folder: TemporaryDirectory
    private(set) var sent: [ServerRequest] = []
    private let heard = Heard()

    private final class Heard {
        var text = ""
    }

    /// - Parameters:
    ///   - variables: those of the platform.
    ///   - answers: what is answered, by the beginning of the URL; the first that fits.
    ///   - options: those of the command.
    init(
        _ variables: [String: String], _ answers: [(url: String, answer: ServerRequest.Result)] = [],
        _ options: [String] = []
    ) throws {
        folder = try TemporaryDirectory(inMemory: true)
        session = try Session.played(
            try CommandTable.program().parse(["ci-token"] + options), at: folder.path, in: .played(by: script),
            variables: variables
        ) { [heard] in heard.text += $0 }
        script.answer = { [unowned self] request in
            sent.append(request)
            return answers.first { request.message.url.hasPrefix($0.url) }?.answer
                ?? .failure(
                    .network(stage: .connect, message: "nobody is at \(request.message.url)", requestSent: false))
        }
    }

    /// A file of the machine; its path.
    func file(_ text: String, _ name: String = "token") throws -> String { try folder.write(text, to: name) }

    var folderPath: String { folder.path }
    /// What stands on standard error.
    var said: String { heard.text }

    func identity(
        for audience: String? = "https://as.example", from platform: IdentityPlatform? = nil, as account: String? = nil
    ) -> Result<Identity, Failure> {
        script.run(
            IdentityRequest(
                session.environment, over: session.transport, for: audience, as: account, serviceAccount: folder.path
            ).identity(from: platform))
    }

    /// A JWT that no one checks the signature of.
    static func jwt(_ audience: JSON = "https://as.example", end: Int = 1_800_000_300, _ others: JSONObject = [:])
        -> String
    {
        let claims: JSONObject = ["iss": "https://ci.example", "aud": audience, "exp": .integer(end)]
        let parts = [["alg": "RS256"], claims.changed(by: others)].map { Base64.encodeURL(JSON.object($0).bytes) }
        return parts.joined(separator: ".") + ".c2ln"
    }
}
