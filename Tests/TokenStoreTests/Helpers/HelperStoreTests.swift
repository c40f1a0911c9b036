import Foundation
import TestSupport
import Testing

@testable import TokenStore

@Suite("The store behind a docker-credential-helper")
struct HelperStoreTests {
    private let home: TemporaryDirectory
    private let name: TokenName

    init() throws {
        home = try TemporaryDirectory()
        name = try TokenName("work")
    }

    /// A store whose helper is a shell script. It is named by its path, so that the tests need no `PATH` of their own.
    private func store(
        _ script: String, seconds: Int = 20, masking: @escaping (String) -> String = { $0 }
    ) throws -> HelperStore {
        try home.write(script, to: "script")
        let program = HelperProgram(
            name: helper, environment: ["HOME=\(home.path)", "PATH=/usr/bin:/bin"], seconds: seconds,
            masking: masking)
        return HelperStore(program, locks: home.path("locks/fake"))
    }

    private let helper = "\(Fixture.project)/Tests/Fixtures/docker-credential-fake"

    @Test("the store of a credential helper asks for one thing at a time, on standard input, as Docker does")
    func conversation() throws {
        let store = try store(
            #"""
            printf '%s|' "$@" >> "$HOME/log"; cat >> "$HOME/log"; echo >> "$HOME/log"
            [ "$1" != get ] || echo '{"ServerURL":"s","Username":"u","Secret":"{\"a\":1}"}'
            [ "$1" != list ] || echo '{"https://oap.invalid/b":"oap","https://index.docker.io/v1/":"me","https://oap.invalid/a":"oap","https://oap.invalid/../x":"oap","https://oap.example/c":"oap","http://oap.invalid/cc":"oap","https://oap.invalid/work":"oap"}'
            """#)
        #expect(try store.read(name) == Array(#"{"a":1}"#.utf8))
        try store.write(Array("{\"a\":\"é\"}\n".utf8), as: name)
        #expect(try store.remove(name))
        #expect(try store.names().map(\.text) == ["a", "b", "work"])
        #expect(
            try home.read("log") == """
                get|https://oap.invalid/work
                store|{"ServerURL":"https://oap.invalid/work","Username":"oap","Secret":"{\\"a\\":\\"é\\"}"}
                list|
                erase|https://oap.invalid/work
                list|

                """)
    }

    @Test(
        "the store of a credential helper tells what is not there from what cannot be had",
        arguments: [
            "echo 'credentials not found in native keychain'; exit 1",
            #"echo '{"ServerURL":"s","Username":"","Secret":""}'"#,
            "echo 'no usernames for https://oap.invalid/work'; exit 1",
        ])
    func missing(script: String) throws {
        let store = try store(script)
        #expect(try store.read(name) == nil)
    }

    @Test(
        "the store of a credential helper is not interrupted while it stores, and is while it reads",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(signal: Int32) throws {
        let store = try store("cat > /dev/null; kill -\(signal) $$; echo '{\"Secret\":\"s\"}'")
        try store.write(Array("{}".utf8), as: name)
        #expect(throws: StoreError.self) { try store.read(name) }
    }

    @Test("the store of a credential helper forgets what cannot be read any more, and says whether there was anything")
    func removal() throws {
        let script = """
            [ "$1" != list ] || echo '{"https://oap.invalid/work":"oap"}'
            [ "$1" != get ] || exit 1
            """
        #expect(try store(script).remove(name))
        #expect(try !store(script).remove(try TokenName("other")))
        #expect(try store("[ \"$1\" != list ] || exit 1").remove(name), "another token may keep all from being listed")
    }

    @Test(
        "the store of a credential helper says what the helper complained of",
        arguments: [
            ("printf 'locked\\n\\nreally\\n'; exit 1", "work: locked; really"),
            ("exit 3", "work: it ended with status 3"),
            ("kill -9 $$", "work: it ended with status 137"),
            ("echo hello", "its answer is not a JSON object"),
            ("true", "its answer is not a JSON object"),
            (#"echo '{"Username":"u"}'"#, "its answer has no Secret"),
            (#"echo '{"Secret":1}'"#, "its answer has no Secret"),
        ])
    func complaint(script: String, reason: String) throws {
        let store = try store(script)
        #expect(throws: StoreError.helper(helper, reason: reason)) { try store.read(name) }
    }

    @Test("what a credential helper complains of is masked before it is put on one line")
    func maskedComplaint() throws {
        let store = try store("printf 'no: tok\\nen\\n'; exit 1") { $0.replacing("tok\nen", with: "***") }
        #expect(throws: StoreError.helper(helper, reason: "work: no: ***")) { try store.read(name) }
    }

    @Test("the store of a credential helper names the helper that is missing, or cannot be run")
    func noProgram() throws {
        let store = HelperStore(helper: "no-such", locks: home.path("locks"), environment: [], masking: { $0 })
        #expect(throws: StoreError.noHelper("docker-credential-no-such")) { try store.read(name) }
        let path = try home.write("", to: "no-program")
        let program = HelperProgram(name: path, environment: [], seconds: 1, masking: { $0 })
        let fake = HelperStore(program, locks: home.path("locks"))
        #expect(throws: StoreError.helper(path, reason: "it cannot be started: permission denied")) {
            try fake.read(name)
        }
    }

    @Test("the store of a credential helper waits for none for ever: silent, without an end, or without a line end")
    func timeLimit() throws {
        for script in ["exec sleep 100", "exec 1>&-; exec sleep 100", "while :; do echo; sleep 0.1; done"] {
            let store = try store(script, seconds: 1)
            #expect(
                throws: StoreError.helper(helper, reason: "it gave no answer within 1 seconds")
            ) { try store.read(name) }
        }
    }

    @Test("a credential helper that took too long is ended, and not left behind")
    func ended() throws {
        let store = try store("echo $$ > \"$HOME/id\"; exec sleep 1000", seconds: 1)
        #expect(throws: StoreError.self) { try store.read(name) }
        let id = try #require(pid_t(home.read("id").dropLast()))
        #expect(kill(id, 0) == -1 && errno == ESRCH)
    }

    @Test("the store of a credential helper takes no answer without end")
    func endlessAnswer() throws {
        let store = try store("exec cat /dev/zero")
        #expect(throws: StoreError.helper(helper, reason: "its answer is too large")) {
            try store.read(name)
        }
    }

    @Test("a credential helper that reads nothing, or answers before it reads, is given more than a pipe holds")
    func largeInput() throws {
        let token = [UInt8](repeating: 0x78, count: 1 << 20)
        #expect(throws: StoreError.helper(helper, reason: "too long")) {
            try store("echo too long; exit 1").write(token, as: name)
        }
        try store("head -c 200000 /dev/zero; cat > \"$HOME/got\"").write(token, as: name)
        #expect(try home.read("got").utf8.count > 1 << 20)
    }

    @Test("the store of a credential helper keeps text only")
    func bytes() throws {
        #expect(throws: StoreError.helper(helper, reason: "it stores only UTF-8 text, and the token is other data")) {
            try store("true").write([0xFF], as: name)
        }
    }

    @Test("the store of a credential helper has a lock for each helper and name, in a folder of its owner alone")
    func lock() throws {
        let store = try store("true")
        let held = try store.hold(name)
        #expect(home.contains("locks/fake/work.lock"))
        #expect(try home.permissions("locks/fake") == 0o700)
        #expect(throws: StoreError.locked(path: home.path("locks/fake/work.lock"), seconds: 1)) {
            _ = try StoreLock.held(home.path("locks/fake/work.lock"), seconds: 1)
        }
        _ = held
    }

    @Test("the store of a credential helper runs one program at a time, however many ask")
    func oneAtATime() throws {
        // Its masking, which is used by one thread at a time in a program, changes nothing.
        nonisolated(unsafe) let store = try store(
            """
            mkdir "$HOME/busy" || echo overlap >> "$HOME/log"
            echo run >> "$HOME/log"
            sleep 0.05
            rmdir "$HOME/busy"
            echo '{"Secret":"s"}'
            """)
        let name = name
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            #expect(throws: Never.self) { try store.read(name) }
        }
        #expect(try home.read("log") == String(repeating: "run\n", count: 8))
    }

    @Test("a helper that cannot give the token stores the new one, and one that gives another version does not")
    func changed() throws {
        for (get, isStored) in [
            ("exit 1", true), ("echo hello", true), (#"echo '{"Username":"u","Secret":"first"}'"#, true),
            (#"echo '{"Username":"u","Secret":"other"}'"#, false),
        ] {
            try? FileManager.default.removeItem(atPath: home.path("stored"))
            let kept = try store(#"echo '{"Username":"u","Secret":"first"}'"#).hold(name).token()
            let held = try store("case $1 in get) \(get);; store) cat > \"$HOME/stored\";; esac").hold(name)
            let result = Result { try held.write(Array("new\n".utf8), over: kept) }
            #expect(home.contains("stored") == isStored, "\(get)")
            if !isStored { #expect(throws: StoreError.changed(path: "work")) { try result.get() } }
        }
    }
}
