import Foundation
import TestSupport
import Testing

/// The steps of examples/ci, run by a runner of shell steps: a sandbox is the authorization server.
@Suite("The steps for CI systems")
struct CIExampleTests {
    /// What a job does between the steps, and after them: the token is good, and then revoked. Runners give each step a pipe
    /// that holds nothing.
    private static let use = """
        : | (test "$(oap call "$OAP_API_BASE/user" --jq .login -r)" = ada
        oap whoami > /dev/null
        oap token > "$FILES/used")
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

    /// The commands of a list in a job of the GitLab component.
    private static func list(_ name: String, of job: String = ".oap") throws -> [String] {
        try file("gitlab/oap.yml").split(separator: "\n").drop { $0 != "\(job):" }.drop { $0 != "  \(name):" }
            .dropFirst().prefix { $0.hasPrefix("    ") }.filter { $0.hasPrefix("    - ") }
            .map { String($0.dropFirst(6)) }
    }

    /// An ID token from the sandbox, as the CI system would issue one, in the variable `id`.
    private static let idToken = """
        oap login person --device < "$OAP_SANDBOX_FILE" 2> /dev/null
        id="$(oap token person --document --jq .id_token -r)"
        oap logout person 2> /dev/null
        """

    @Test("the action for GitHub masks the token, hands it on, and revokes it")
    func gitHub() throws {
        let first = try #require(Self.steps("action.yml").first)
        let last = try #require(Self.steps("revoke/action.yml").first)
        let (result, folder) = try Self.run(
            """
            export GITHUB_ACTIONS=true GITHUB_ENV="$FILES/env" GITHUB_OUTPUT="$FILES/output"
            : | GITHUB_ACTION_PATH=\(Fixture.project)/examples/ci sh -c '\(first)'
            (set -a; . "$GITHUB_ENV"; set +a
            \(Self.use)
            test "token=$(cat "$FILES/used")" = "$(cat "$GITHUB_OUTPUT")"
            test "$(\(Fixture.project)/examples/ci/step.sh token)" = "$(cat "$FILES/used")"
            )
            # The inputs of the action are all that this step has.
            (secret="$OAP_CLIENT_SECRET"
            unset $(compgen -e OAP_)
            export OAP_CLIENT_SECRET="$secret"
            : | GITHUB_ACTION_PATH=\(Fixture.project)/examples/ci/revoke sh -c '\(last)')
            \(Self.after)
            """)
        result.expect(status: 0)
        let token = try folder.read("used").dropLast()
        #expect(result.text == "401\n")
        let lines = result.errorText.split(separator: "\n").filter { $0.contains(token) }
        #expect(lines.count == 4 && lines.allSatisfy { $0 == "::add-mask::\(token)" }, "\(result)")
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
            \(before.map { ": | " + $0 }.joined(separator: "\n"))
            \(Self.use)
            \(after.map { ": | " + $0 }.joined(separator: "\n"))
            \(Self.after)
            """)
        result.expect(status: 0)
        #expect(result.text == "401\n")
        #expect(!result.errorText.contains(try folder.read("used").dropLast()))
        #expect(!FileManager.default.fileExists(atPath: folder.path(".oap")))
    }

    @Test("a job of GitHub exchanges its ID token, which is asked for with the audience and the token of the runner")
    func gitHubFederation() throws {
        let files = try TemporaryDirectory()
        let path = files.path("id")
        let gitHub = try Responder { _ in
            .json(#"{"count":1,"value":"\#((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")"}"#)
        }
        let step = try #require(Self.steps("action.yml").first)
        let (result, folder) = try Self.run(
            """
            \(Self.idToken)
            printf '%s' "$id" > '\(path)'
            export GITHUB_ACTIONS=true GITHUB_ENV="$FILES/env" GITHUB_OUTPUT="$FILES/output"
            export ACTIONS_ID_TOKEN_REQUEST_URL='\(gitHub.url("/idtoken?api-version=2.0"))'
            export ACTIONS_ID_TOKEN_REQUEST_TOKEN=token-of-the-runner OAP_CI_AUDIENCE="$OAP_CLIENT_ID"
            : | GITHUB_ACTION_PATH=\(Fixture.project)/examples/ci sh -c '\(step)'
            (set -a; . "$GITHUB_ENV"; set +a
            \(Self.use)
            )
            \(Fixture.project)/examples/ci/step.sh logout
            \(Self.after)
            """)
        result.expect(status: 0)
        #expect(result.text == "401\n")
        result.expect(errorLine: "::add-mask::\(try folder.read("used").dropLast())")
        let request = try #require(gitHub.requests.first)
        #expect(request.target.hasPrefix("/idtoken?api-version=2.0&audience="))
        #expect(gitHub.requests.count == 1)
        #expect(request.headers.contains { $0.name == "Authorization" && $0.value == "bearer token-of-the-runner" })
        #expect(!result.errorText.contains(try files.read("id")))
        #expect(!FileManager.default.fileExists(atPath: folder.path("oap-ci")))
    }

    @Test("a job of GitLab, and of any other system, exchanges the ID token in a variable")
    func gitLabFederation() throws {
        let before = try Self.list("before_script", of: ".oap-federation")
        let after = try Self.list("after_script")
        #expect(before.count == 3)
        let (result, folder) = try Self.run(
            """
            \(Self.idToken)
            export OAP_CI_ID_TOKEN="$id" OAP_CI_AUDIENCE="$OAP_CLIENT_ID"
            (export OAP_PROFILE=ci XDG_CONFIG_HOME="$FILES/.oap/config" XDG_STATE_HOME="$FILES/.oap/state"
            \(before.map { ": | " + $0 }.joined(separator: "\n"))
            \(Self.use)
            \(after.map { ": | " + $0 }.joined(separator: "\n"))
            )
            \(Self.after)
            \(Fixture.project)/examples/ci/step.sh login
            status=0; OAP_CI_ID_TOKEN=x \(Fixture.project)/examples/ci/step.sh login || status=$?
            echo "$status"
            \(Fixture.project)/examples/ci/step.sh logout
            """)
        result.expect(status: 0)
        #expect(result.text == "401\n10\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path(".oap")))
    }

    @Test("a secret that the CI system sets to nothing does not stop a job that has an ID token")
    func emptySecret() throws {
        let (result, _) = try Self.run(
            """
            mkdir "$FILES/bin"
            printf '%s\\n' '#!/bin/sh' 'echo "${OAP_CLIENT_SECRET-unset}" >&2; echo token' > "$FILES/bin/oap"
            chmod +x "$FILES/bin/oap"
            export PATH="$FILES/bin:$PATH" OAP_CLIENT_SECRET=
            OAP_CI_ID_TOKEN=x \(Fixture.project)/examples/ci/step.sh login
            """)
        #expect(result.expect(status: 0).errorText.hasSuffix("\nunset\nunset\n"), "\(result)")
    }

    @Test("a pipeline of Buildkite exchanges the identity that its agent gives, and ends with the logout")
    func buildkite() throws {
        let steps = try Self.file("buildkite/pipeline.yml").split(separator: "\n").filter { $0.hasPrefix("      - ") }
            .map { $0.dropFirst(8) }
        #expect(steps.count == 4)
        let (result, folder) = try Self.run(
            """
            mkdir "$FILES/bin"
            printf '%s\\n' '#!/bin/sh' 'oap ci-token --from github --audience "$4" --jq .subject_token -r' \
                > "$FILES/bin/buildkite-agent"
            chmod +x "$FILES/bin/buildkite-agent"
            export PATH="$FILES/bin:\(Fixture.project)/examples/ci:$PATH" BUILDKITE=true OAP_CI_AUDIENCE="$OAP_ISSUER"
            export OAP_PROFILE=ci
            bash -euo pipefail -c '\(steps.joined(separator: "\n").replacing("'", with: "'\\''"))'
            """)
        #expect(result.expect(status: 0).text == "ada\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path("oap-ci")))
    }

    @Test("a job logs in to Vault by its identity alone, and the token is revoked when it ends")
    func vault() throws {
        let vault = try Responder { request in
            request.target.hasSuffix("/login")
                ? .json(#"{"auth":{"client_token":"hvs.1","lease_duration":3600}}"#) : .json("{}", status: 200)
        }
        let (result, _) = try Self.run(
            """
            unset $(compgen -e OAP_)
            export GITHUB_ACTIONS=true
            \(Fixture.project)/examples/ci/step.sh login --provider vault host=\(vault.url("")) role=ci
            \(Fixture.project)/examples/ci/step.sh token
            \(Fixture.project)/examples/ci/step.sh logout
            """)
        #expect(result.expect(status: 0).text == "hvs.1\n", "\(result)")
        #expect(vault.requests.map(\.target) == ["/v1/auth/jwt/login", "/v1/auth/token/revoke-self"])
        let masked = result.errorText.split(separator: "\n").filter { $0.contains("hvs.1") }
        #expect(masked.allSatisfy { $0 == "::add-mask::hvs.1" })
    }

    @Test("options of the step are those of the login, which by a provider has its own grant")
    func options() throws {
        let (result, _) = try Self.run(
            """
            mkdir "$FILES/bin"
            printf '%s\\n' '#!/bin/sh' 'echo "$*" >&2' > "$FILES/bin/oap"
            chmod +x "$FILES/bin/oap"
            export PATH="$FILES/bin:$PATH"
            \(Fixture.project)/examples/ci/step.sh login --provider vault host=v role=r
            OAP_CI_AUDIENCE=a \(Fixture.project)/examples/ci/step.sh login --param x=y
            """)
        let lines = result.expect(status: 0).errorText.split(separator: "\n").filter { $0.hasPrefix("login") }
        #expect(
            lines == [
                "login ci --provider vault host=v role=r",
                "login ci --grant token-exchange --subject-token-from ci --param x=y --identity-audience a",
            ])
    }

    @Test("a job of GitHub without the permission is told so")
    func noPermission() throws {
        let (result, _) = try Self.run(
            "unset ACTIONS_ID_TOKEN_REQUEST_URL ACTIONS_ID_TOKEN_REQUEST_TOKEN; GITHUB_ACTIONS=true OAP_CI_AUDIENCE=x \(Fixture.project)/examples/ci/step.sh login || echo $?"
        )
        #expect(result.text == "8\n" && result.errorText.contains("id-token: write"))
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

    @Test("the package brings along what a plain image lacks")
    func plainImage() throws {
        let install = try #require(Self.list("before_script").first)
        let (result, folder) = try Self.run(
            """
            mkdir "$FILES/bin"
            printf '%s\\n' '#!/bin/sh' 'case "$*" in *"update"*) : > "$FILES/updated" ;; esac' \
                'echo "$*" >> "$FILES/log"' 'case "$*" in *oap.deb) test -e "$FILES/updated" ;; esac' > "$FILES/bin/apt-get"
            printf '%s\\n' '#!/bin/sh' 'test -e "$FILES/updated"' > "$FILES/bin/curl"
            printf '%s\\n' '#!/bin/sh' 'cat > /dev/null' > "$FILES/bin/sha256sum"
            printf '%s\\n' '#!/bin/sh' '"$@"' > "$FILES/bin/sudo"
            chmod +x "$FILES"/bin/*
            export PATH="$FILES/bin:$PATH" OAP_CI_PACKAGE=https://packages.example/oap.deb OAP_CI_SHA256=0
            \(install)
            unset CI_PROJECT_DIR RUNNER_TEMP
            rm "$FILES/updated"
            touch "$FILES/oap.deb"
            \(Fixture.project)/examples/ci/step.sh install "$FILES/oap.deb" 0
            """)
        result.expect(status: 0)
        let (package, log) = (folder.path("oap.deb"), try folder.read("log").split(separator: "\n"))
        #expect(
            log == [
                "update -qq", "install -qq -y ca-certificates curl", "install -qq -y /tmp/oap.deb",
                "install --quiet=2 --yes \(package)", "update --quiet=2", "install --quiet=2 --yes \(package)",
            ])
    }

    @Test("jobs of one agent have a folder each, and one that names no job, or has another client, is refused")
    func folders() throws {
        let step = "\(Fixture.project)/examples/ci/step.sh"
        let (result, _) = try Self.run(
            """
            unset CI_PROJECT_DIR RUNNER_TEMP
            export TMPDIR="$FILES"
            \(step) folder || echo $?
            BUILDKITE_JOB_ID=1 \(step) folder
            BUILD_TAG=jenkins-a/b-2 \(step) folder
            AGENT_TEMPDIRECTORY="$FILES/agent" \(step) folder
            export OAP_CI_FOLDER="$FILES/own"
            \(step) login
            OAP_CLIENT_ID=other \(step) login || echo $?
            \(step) login
            \(step) logout
            """)
        let lines = result.expect(status: 0).text.split(separator: "\n").map { $0.split(separator: "/").last ?? "" }
        #expect(lines == ["2", "oap-ci-1", "oap-ci-jenkins-a_b-2", "oap-ci", "2"])
        #expect(result.errorText.contains("set OAP_CI_FOLDER to a folder of this job alone"))
        #expect(result.errorText.contains("/own has the token of another client"))
    }

    @Test("quotes in the arguments of the action keep words together, and one without its end is refused")
    func quotes() throws {
        let (result, _) = try Self.run(
            """
            mkdir "$FILES/bin"
            printf '%s\\n' '#!/bin/sh' 'for word; do echo "<$word>"; done' > "$FILES/bin/oap"
            chmod +x "$FILES/bin/oap"
            export PATH="$FILES/bin:$PATH" GITHUB_ACTION_PATH=\(Fixture.project)/examples/ci
            export OAP_CI_ARGUMENTS="--provider github-app --param 'permissions={\\"contents\\": \\"read\\"}' *"
            \(try #require(Self.steps("action.yml").first))
            OAP_CI_ARGUMENTS="--param 'x" \(Fixture.project)/examples/ci/step.sh login || echo $?
            """)
        let words = result.expect(status: 0).text.split(separator: "\n")
        let permissions = #"permissions={"contents": "read"}"#
        let expected = ["login", "ci", "--provider", "github-app", "--param", permissions, "*"]
        #expect(words == expected.map { "<\($0)>" } + ["2"])
    }

    @Test("the logout after a login that failed has nothing to revoke, and succeeds")
    func nothingToRevoke() throws {
        let after = try Self.list("after_script")
        let (result, folder) = try Self.run(
            """
            (export OAP_CLIENT_SECRET=wrong; ! \(Fixture.project)/examples/ci/step.sh login 2> /dev/null)
            \(Fixture.project)/examples/ci/step.sh logout
            mkdir "$FILES/.oap"
            export OAP_PROFILE=ci XDG_STATE_HOME="$FILES/.oap/state"
            \(after.joined(separator: "\n"))
            """)
        result.expect(status: 0).expect(errorLine: "step.sh: no login succeeded: there is nothing to revoke")
        #expect(!FileManager.default.fileExists(atPath: folder.path("oap-ci")))
        #expect(!FileManager.default.fileExists(atPath: folder.path(".oap")))
    }
}
