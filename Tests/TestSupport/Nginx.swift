import Foundation
import Testing

/// nginx of Debian's package, as a user's process with TLS and HTTP/2.
package final class Nginx {
    /// What it does with a request.
    package enum Work {
        /// Answers with the number of its connection and the URI, as JSON, and one below `/static/` with a file.
        case answers
        /// Asks for the client's certificate, and passes the request on to a port of this machine.
        ///
        /// What came of the certificate is in the fields `X-Client-Verify`, `X-Client-Subject` and `X-Client-Certificate`
        /// (PEM, percent-encoded); without one the first says `NONE`, and the others are not there.
        case passes(to: Int, asking: CertificateRule, authority: String)
    }

    /// Which certificates of a client nginx takes: its directive `ssl_verify_client`.
    package enum CertificateRule: String, Sendable {
        /// One that the authority has issued, or none.
        case issued = "optional"
        /// Only one that the authority has issued.
        case required = "on"
        /// Any one, or none.
        case any = "optional_no_ca"
    }

    /// `https://127.0.0.1:PORT`, for each of its ports.
    package let origins: [String]
    /// The first of them.
    package var origin: String { origins[0] }
    /// The path of the certificate to trust.
    package var certificate: String { folder.path("server.pem") }
    private let folder: TemporaryDirectory
    private let server: RunningProgram

    /// Starts nginx at ports of 127.0.0.1 that are free.
    package init(_ work: Work = .answers, ports count: Int = 1) throws {
        let folder = try TemporaryDirectory()
        self.folder = folder
        var openssl = Program(
            path: "/usr/bin/openssl",
            arguments: [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=server", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "server.key",
                "-out", "server.pem",
            ])
        openssl.directory = folder.path
        try openssl.run().expect(status: 0)
        // nginx takes no port 0: the numbers are those of sockets that were just closed.
        var started: (server: RunningProgram, ports: [Int])?
        for _ in 0..<5 where started == nil {
            let ports = try FreePorts.numbers(count)
            try Self.configuration(work, ports: ports, in: folder.path)
                .write(toFile: folder.path("nginx.conf"), atomically: true, encoding: .utf8)
            let nginx = Program(
                path: "/usr/sbin/nginx",
                arguments: ["-p", folder.path, "-e", "stderr", "-c", folder.path("nginx.conf")])
            let running = try nginx.start()
            let line = try running.errorLine { $0.contains("start worker process ") || $0.contains("[emerg]") }
            if !line.contains("[emerg]") { started = (running, ports) }
        }
        let (server, ports) = try #require(started)
        self.server = server
        origins = ports.map { "https://127.0.0.1:\($0)" }
    }

    deinit {
        server.send(signal: SIGTERM)
        _ = try? server.finish()
    }

    /// Writes a file, `/static/NAME`.
    package func write(_ text: String, to name: String) throws {
        _ = try folder.write(text, to: "static/\(name)")
    }

    private static func configuration(_ work: Work, ports: [Int], in folder: String) -> String {
        """
        \(geteuid() == 0 ? "user root;" : "")
        daemon off;
        pid \(folder)/pid;
        error_log stderr notice;
        events { worker_connections 256; }
        http {
            access_log off;
            default_type application/json;
            client_body_temp_path \(folder)/body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            keepalive_requests 100000;
            server {
                \(ports.map { "listen 127.0.0.1:\($0) ssl http2;" }.joined(separator: " "))
                ssl_certificate \(folder)/server.pem;
                ssl_certificate_key \(folder)/server.key;
                \(content(of: work, in: folder))
            }
        }
        """
    }

    private static func content(of work: Work, in folder: String) -> String {
        switch work {
        case .answers:
            """
            location /static/ { root \(folder); }
            location / { return 200 '{"connection":$connection,"uri":"$request_uri"}'; }
            """
        case .passes(let port, let rule, let authority):
            """
            ssl_verify_client \(rule.rawValue);
            ssl_client_certificate \(authority);
            location / {
                proxy_pass http://127.0.0.1:\(port);
                proxy_set_header X-Client-Verify $ssl_client_verify;
                proxy_set_header X-Client-Subject $ssl_client_s_dn;
                proxy_set_header X-Client-Certificate $ssl_client_escaped_cert;
            }
            """
        }
    }
}
