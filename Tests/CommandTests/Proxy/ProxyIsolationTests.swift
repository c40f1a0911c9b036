import CommandSupport
import Foundation
import TestSupport
import Testing
import Wire

/// An agent that is another user, in a network namespace of its own, and sees only the socket (oap-agents(7), AN AGENT WITHOUT
/// A TOKEN).
@Suite("An agent behind oap proxy")
struct ProxyIsolationTests {
    /// What an agent may try to get the token. Each line that it prints is something that it got.
    private static let attack = #"""
        answer=$(curl -sS --unix-socket "$SOCKET" http://localhost/work/user) && echo "answer $answer"
        curl -sS -m 3 "$API" 2> /dev/null && echo network
        for file in environ mem maps fd/0 root/etc cwd exe; do
            [ "$(head -c 1 "/proc/$PROXY/$file" 2> /dev/null | wc -c)" = 0 ] || echo "proc $file"
        done
        grep -a "$PART" "/proc/$PROXY/cmdline" && echo cmdline
        cat "$STORE"/* 2> /dev/null && echo store
        find / -xdev -newer "$SOCKET" -readable -name '*core*' -type f -user root 2> /dev/null | head -n 1
        timeout 1 strace -p "$PROXY" -o /dev/null 2>&1 | grep -v 'not permitted' && echo ptrace
        kill -ABRT "$PROXY" 2> /dev/null && echo signal
        env | grep "$PART" && echo environment
        exit 0
        """#

    @Test(
        "it gets answers, and no token from the environment, /proc, memory, files, a debugger or the network",
        .enabled(if: geteuid() == 0, "only root can start a process of another user"))
    func attacked() throws {
        let api = try Responder { _ in .text("hello") }
        let folder = try TemporaryDirectory()
        chmod(folder.path, 0o711)
        let socket = folder.path("s")
        let proxy = try ProxyScene(["--listen", "unix:\(socket)"], base: api.url())
        chown(socket, 65534, 65534)
        var agent = Program(
            path: "/usr/bin/unshare",
            arguments: [
                "--net", "--", "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--no-new-privs",
                "--inh-caps=-all", "--", "/bin/bash", "-c", Self.attack,
            ])
        agent.environment = [
            "SOCKET": socket, "API": api.url(), "PROXY": String(proxy.running.process),
            "PART": String(ProxyScene.token.prefix(12)).replacingOccurrences(of: "t", with: "[t]"),
            "STORE": proxy.home.path(".local/state/oap/tokens"),
        ]
        let result = try agent.run().expect(status: 0)
        #expect(result.text == "answer hello\n", "\(result)")
        // Another user who is not the agent gets nothing.
        agent.arguments = agent.arguments.map { $0 == "65534" ? "65533" : $0 }
        #expect(try agent.run().expect(status: 0).text == "")
        #expect(api.requests.count == 1)
    }
}
