import Foundation
import TestSupport
import Testing

/// The steps of examples/ci, run by a runner of shell steps: a sandbox is the authorization server.
@Suite("The steps for CI systems")
struct CIExampleTests {
    /// What a job does between the steps, and after them: the token is good, and then revoked.
    private static let use = """
        test "$(oap call "$OAP_API_BASE/user" --jq .login -r)" = ada
        oap token > "$FILES/used"
        """
    private static let after = """
        curl --silent --output /dev/null --write-out '%{http_code}\\n' -H @<(printf 'Authorization: Bearer %s\\n' \
            "$(cat "$FILES/used")") "$OAP_API_BASE/user"
        """

    /// Runs a job in bash, with the folder of its files in `FILES`.
    private static func run(_ script: String) throws -> (result: ProgramResult, folder: TemporaryDirectory) {
        let folder = try TemporaryDirectory()
        let setUp = "export FILES=\(folder.path) CI_PROJECT_DIR=\(folder.path) RUNNER_TEMP=\(folder.path)\n"
        var sandbox = Program.sandbox(["--run", "/bin/bash", "-euo", "pipefail", "-c", setUp + script])
        sandbox.directory = folder.path
        return (try sandbox.run(), folder)
    }

    private static func file(_ name: String) throws -> String {
        try String(contentsOfFile: Fixture.project + "/examples/ci/" + name, encoding: .utf8)
    }

    /// The commands of an action's steps, without those that install the package.
    private static func steps(_ action: String) throws -> [String] {
        try file(action).split(separator: "\n").compactMap { line in
            line.split(separator: "run: '", maxSplits: 1).dropFirst().first.map { String($0.dropLast()) }
        }.filter { !$0.contains("install") }
    }

    /// The commands of a list in the GitLab component.
    private static func list(_ name: String) throws -> [String] {
        try file("gitlab/oap.yml").split(separator: "\n").drop { $0 != "  \(name):" }.dropFirst()
            .prefix { $0.hasPrefix("    - ") }.map { String($0.dropFirst(6)) }
    }

    @Test("the action for GitHub masks the token, hands it on, and revokes it")
    func gitHub() throws {
        let first = try #require(Self.steps("action.yml").first)
        let last = try #require(Self.steps("revoke/action.yml").first)
        let (result, folder) = try Self.run(
            """
            export GITHUB_ACTIONS=true GITHUB_ENV="$FILES/env" GITHUB_OUTPUT="$FILES/output"
            GITHUB_ACTION_PATH=\(Fixture.project)/examples/ci sh -c '\(first)'
            (set -a; . "$GITHUB_ENV"; set +a
            \(Self.use)
            test "token=$(cat "$FILES/used")" = "$(cat "$GITHUB_OUTPUT")"
            )
            GITHUB_ACTION_PATH=\(Fixture.project)/examples/ci/revoke sh -c '\(last)'
            \(Self.after)
            """)
        result.expect(status: 0)
        let token = try folder.read("used").dropLast()
        #expect(result.text == "::add-mask::\(token)\n401\n")
        #expect(!result.errorText.contains(token))
        #expect(!FileManager.default.fileExists(atPath: folder.path("oap-ci")))
    }

    @Test("the component for GitLab has the token in the job's folder until the job ends, and revokes it")
    func gitLab() throws {
        let before = try Self.list("before_script")
        let after = try Self.list("after_script")
        #expect(before.count >= 2 && after.count >= 2)
        let (result, folder) = try Self.run(
            """
            export OAP_PROFILE=ci XDG_CONFIG_HOME="$FILES/.oap/config" XDG_STATE_HOME="$FILES/.oap/state"
            \(before.joined(separator: "\n"))
            \(Self.use)
            \(after.joined(separator: "\n"))
            \(Self.after)
            """)
        result.expect(status: 0)
        #expect(result.text == "401\n")
        #expect(!result.errorText.contains(try folder.read("used").dropLast()))
        #expect(!FileManager.default.fileExists(atPath: folder.path(".oap")))
    }

    @Test("the shell step ends with the status of a login that fails, and leaves no token")
    func failure() throws {
        let (result, folder) = try Self.run(
            """
            export OAP_CLIENT_SECRET=wrong
            status=0; \(Fixture.project)/examples/ci/step.sh login || status=$?
            echo "$status"
            """)
        result.expect(status: 0)
        #expect(result.text == "4\n")
        #expect(result.errorText.contains("invalid_client"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(!files.contains { $0.hasSuffix("tokens/ci.json") })
    }

    @Test("a package with another sum is not installed")
    func sum() throws {
        let (result, _) = try Self.run(
            """
            echo no package > "$FILES/oap.deb"
            status=0
            \(Fixture.project)/examples/ci/step.sh install "$FILES/oap.deb" "$(printf '%064d' 0)" || status=$?
            echo "$status"
            """)
        #expect(result.text.hasSuffix("FAILED\n1\n"))
    }
}
