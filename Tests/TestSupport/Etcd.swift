import Foundation
import Testing

/// etcd of Debian's package (etcd-server), as processes of the test. One thread at a time starts and stops its members.
package final class Etcd: @unchecked Sendable {
    /// `http://127.0.0.1:PORT` of each member, `https` with certificates.
    package let endpoints: [String]
    private let folder: TemporaryDirectory
    private let programs: [Program]
    private var members: [RunningProgram?]
    private let certificates: ClientCertificates?
    /// The user of ``control(_:)``, `NAME:PASSWORD`.
    package var user: String?

    /// Starts a cluster at ports of 127.0.0.1 that are free, and waits until it has a leader.
    ///
    /// - Parameters:
    ///   - count: of its members.
    ///   - certificates: those with the names `ca`, `server` and `machine`: each client needs one of `ca` then.
    package init(members count: Int = 1, certificates: ClientCertificates? = nil) throws {
        self.certificates = certificates
        let scheme = certificates == nil ? "http" : "https"
        let options =
            certificates.map {
                [
                    "--cert-file", $0.path("server"), "--key-file", $0.path("server", "key"), "--trusted-ca-file",
                    $0.path("ca"), "--client-cert-auth",
                ]
            } ?? []
        let folder = try TemporaryDirectory()
        self.folder = folder
        // etcd takes no port 0: the numbers are those of sockets that were just closed.
        let ports = try FreePorts.numbers(2 * count)
        let peers = (0..<count).map { "m\($0)=http://127.0.0.1:\(ports[count + $0])" }
        endpoints = ports[..<count].map { "\(scheme)://127.0.0.1:\($0)" }
        programs = (0..<count).map { number in
            let (client, peer) = ("\(scheme)://127.0.0.1:\(ports[number])", "http://127.0.0.1:\(ports[count + number])")
            return Program(
                path: "/usr/bin/etcd",
                arguments: [
                    "--name", "m\(number)", "--data-dir", folder.path("m\(number)"), "--listen-client-urls", client,
                    "--advertise-client-urls", client, "--listen-peer-urls", peer,
                    "--initial-advertise-peer-urls", peer, "--initial-cluster", peers.joined(separator: ","),
                    // Nobody reads a pipe.
                    "--logger", "zap", "--log-outputs", folder.path("log\(number)"),
                ] + options)
        }
        members = try programs.map { try $0.start() }
        try awaitAnswer()
    }

    deinit { for number in members.indices { stop(number) } }

    private func awaitAnswer() throws {
        try control("get", "--dial-timeout=20s", "--command-timeout=20s", "nothing")
    }

    /// Ends a member at once.
    package func stop(_ number: Int) {
        members[number]?.send(signal: SIGKILL)
        _ = try? members[number]?.finish()
        members[number] = nil
    }

    /// Starts a member again that was stopped, with its data.
    package func restart(_ number: Int) throws {
        members[number] = try programs[number].start()
        try awaitAnswer()
    }

    /// The store of `oap` in it.
    package var store: String { "etcd:\(endpoints.joined(separator: ","))/test" }

    /// Runs etcdctl, and returns what it prints.
    @discardableResult
    package func control(_ arguments: String...) throws -> String {
        var etcdctl = Program(
            path: "/usr/bin/etcdctl", arguments: ["--endpoints", endpoints.joined(separator: ",")] + arguments)
        etcdctl.environment = ["ETCDCTL_API": "3"]
        if let user { etcdctl.environment["ETCDCTL_USER"] = user }
        if let certificates {
            etcdctl.environment["ETCDCTL_CACERT"] = certificates.path("ca")
            etcdctl.environment["ETCDCTL_CERT"] = certificates.path("machine")
            etcdctl.environment["ETCDCTL_KEY"] = certificates.path("machine", "key")
        }
        return try etcdctl.run().expect(status: 0).text
    }
}
