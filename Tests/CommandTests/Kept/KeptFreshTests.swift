import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import CommandSupport

@Suite("oap run as the parent of the command")
struct KeptFreshTests {
    /// Runs a shell script with the token of a home, and what the script needs in a folder of its own.
    private func run(_ managed: ManagedHome, _ options: String..., script: String) throws -> Program {
        var program = managed.oap(["run", "work"] + options + ["--", "sh", "-c", script])
        let folder = managed.home.path("run")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        program.environment["XDG_RUNTIME_DIR"] = folder
        return program
    }

    private func leftOver(_ managed: ManagedHome) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: managed.home.path("run"))
    }

    @Test("--keep-fresh names a private file with the token alone, which is removed when the command has ended")
    func file() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let script = """
            echo $OAP_ACCESS_TOKEN; cat $BEARER_TOKEN_FILE; echo
            stat -c %a $OAP_TOKEN_FILE $(dirname $OAP_TOKEN_FILE); echo $OAP_TOKEN_FILE; exit 7
            """
        let result = try run(managed, "--keep-fresh", script: script).run().expect(status: 7)
        let lines = result.text.split(separator: "\n")
        #expect(lines.dropLast() == ["at-0", "at-0", "600", "700"], "\(result)")
        #expect(lines.last?.hasPrefix(managed.home.path("run")) == true)
        #expect(try leftOver(managed) == [])
    }

    @Test("--keep-fresh renews the token before it expires, and replaces the file")
    func renewal() throws {
        let managed = try ManagedHome(expiresIn: 65)
        let script = "until [ $(cat $OAP_TOKEN_FILE) = at-1 ]; do sleep 0.05; done; echo $OAP_ACCESS_TOKEN"
        let result = try run(managed, "--keep-fresh", script: script).run().expect(status: 0)
        #expect(result.text == "at-0\n" && result.errorText == "")
        #expect(try managed.stored()["access_token"] == "at-1")
    }

    @Test("--watch tries once more at its start where a file of the client cannot be used")
    func replacedFile() throws {
        let managed = try ManagedHome(refreshable: false)
        let server = try Responder { _ in .json(#"{"access_token":"at-1","token_type":"Bearer"}"#) }
        let secret = managed.home.path("secret")
        try managed.put(
            try managed.stored().with([
                "token_endpoint": .string(server.url("/token")), "grant_type": "client_credentials",
                "client_secret_file": .string(secret),
            ]))
        let words = ["token", "work", "--watch", "-o", managed.home.path("watched")]
        let failed = try managed.oap(words).run().expect(status: 11)
        #expect(failed.errorText.split(separator: "\n").filter { $0.contains("trying again") }.count == 1, "\(failed)")
        let watch = try managed.oap(words).start()
        _ = try watch.errorLine { $0.contains("trying again in") }
        try managed.home.write("s3cret", to: "new")
        chmod(managed.home.path("new"), 0o600)
        try FileManager.default.moveItem(atPath: managed.home.path("new"), toPath: secret)
        while try managed.stored()["access_token"] != "at-1" { Thread.sleep(forTimeInterval: 0.05) }
        watch.send(signal: SIGTERM)
        try watch.finish().expect(signal: SIGTERM)
    }

    @Test("--keep-fresh and --watch renew a token of few seconds before it expires", arguments: [false, true])
    func shortLived(watches: Bool) throws {
        let managed = try ManagedHome(expiresIn: 0)
        let issued = Mutex<[Date]>([])
        let server = try Responder { _ in
            let count = issued.withLock {
                $0.append(Date())
                return $0.count
            }
            return .json(#"{"access_token":"at-\#(count)","token_type":"Bearer","expires_in":4}"#)
        }
        try managed.put(try managed.stored().with(["token_endpoint": .string(server.url("/token"))]))
        let file = managed.home.path("watched")
        let wait = "until grep -q at-\(Extent.of(3, all: 7)) $OAP_TOKEN_FILE; do sleep 0.05; done"
        if watches {
            let watch = try managed.oap("token", "work", "--watch", "-o", file).start()
            var waiting = Program.shell(wait)
            waiting.environment["OAP_TOKEN_FILE"] = file
            try waiting.run().expect(status: 0)
            watch.send(signal: SIGTERM)
            try watch.finish().expect(signal: SIGTERM)
        } else {
            try run(managed, "--keep-fresh", script: wait).run().expect(status: 0).expectSilence()
        }
        let times = issued.withLock { $0 }
        for (first, second) in zip(times, times.dropFirst()) {
            #expect(second.timeIntervalSince(first) < 4, "renewed before it expired")
        }
    }

    @Test("--keep-fresh says that a renewal failed, tries again later, and the command goes on meanwhile")
    func failure() throws {
        let managed = try ManagedHome(expiresIn: 65)
        let server = try Responder(
            .json(#"{"error":"slow_down"}"#, status: 429),
            .json(#"{"access_token":"new","token_type":"Bearer","expires_in":3600}"#))
        try managed.put(try managed.stored().with(["token_endpoint": .string(server.url("/token"))]))
        let script = "until [ $(cat $OAP_TOKEN_FILE) = new ]; do sleep 0.05; done"
        let result = try run(managed, "--keep-fresh", script: script).run().expect(status: 0)
        #expect(result.errorText.contains("oap: run: warning: renewing the token work: "))
        #expect(server.requests.count == 2)
    }

    @Test(
        "signals are passed on to the command, whose status or signal is that of oap",
        arguments: ["--keep-fresh", "--mask"], [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGQUIT])
    func signals(option: String, signal: Int32) throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let loop = "echo ready; while :; do sleep 0.02; done"
        let caught = try run(managed, option, script: "trap 'exit 9' \(signal); \(loop)").start()
        #expect(try caught.firstLine() == "ready")
        caught.send(signal: signal)
        try caught.finish().expect(status: 9)
        let killed = try run(managed, option, script: loop).start()
        #expect(try killed.firstLine() == "ready")
        killed.send(signal: signal)
        try killed.finish().expect(signal: signal)
        #expect(try leftOver(managed) == [])
    }

    @Test("a shell sees that the command is stopped, and continues both")
    func jobControl() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let script = """
            set -m
            oap run work --keep-fresh -- sh -c 'kill -TSTP $$; echo again; exit 5' &
            wait $!; echo first $?
            kill -CONT -- -$!
            wait $!; echo second $?
            """
        var program = Program.shell(script, environment: ["HOME": managed.home.path])
        program.environment["PATH"] = "\((Program.oapPath as NSString).deletingLastPathComponent):/usr/bin:/bin"
        #expect(try program.run().expect(status: 0).text == "first 148\nagain\nsecond 5\n")
    }

    @Test("--mask masks the token in both outputs, in each of its encodings, and passes everything else at once")
    func masking() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        let token = "s3cret+token/of=work"
        try managed.put(try managed.stored().with(["access_token": .string(token)]))
        let script = """
            echo "plain $OAP_ACCESS_TOKEN."; printf 'u:%s' $OAP_ACCESS_TOKEN | base64; printf 's3cret%%2Btoken%%2fof'
            sleep 0.1; echo %3Dwork; echo "to error $OAP_ACCESS_TOKEN" >&2; printf 'Continue? '; read answer; echo $answer
            """
        var program = try run(managed, "--mask", script: script)
        program.input = .text("yes\n")
        let result = try program.run().expect(status: 0)
        #expect(result.text == "plain ***.\ndT***==\n***\nContinue? yes\n", "\(result)")
        #expect(result.errorText == "to error ***\n")
    }

    @Test("with --mask the command has pipes, and ends by SIGPIPE when the reader of its output is gone")
    func pipes() throws {
        let managed = try ManagedHome(expiresIn: 1000)
        #expect(try run(managed, "--mask", script: "test -t 1 || echo no").run().expect(status: 0).text == "no\n")
        var program = try run(managed, "--mask", script: "while echo y; do :; done")
        program.output = .broken
        try program.run().expect(signal: SIGPIPE)
    }

    @Test(
        "a command that is missing or cannot be executed is exit 127 or 126 here too",
        arguments: ["--keep-fresh", "--mask"])
    func unexecuted(option: String) throws {
        let managed = try ManagedHome(expiresIn: 1000)
        try managed.oap("run", "work", option, "--", "no-such-program").run().expect(status: 127)
        let text = try managed.home.write("#!/no/such/interpreter\n", to: "text")
        chmod(text, 0o755)
        try managed.oap("run", "work", option, "--", text).run().expect(status: 126)
        try managed.oap("run", "work", option, "--", managed.home.path).run().expect(status: 126)
    }
}
