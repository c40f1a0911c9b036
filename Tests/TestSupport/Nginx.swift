import Foundation
import Testing

/// nginx of Debian's package, as a user's process with TLS and HTTP/2. It answers a request with the number of its
/// connection and its URI, as JSON, and one below `/static/` with a file.
package final class Nginx {
    /// `https://127.0.0.1:PORT`
    package let origin: String
    /// The path of the certificate to trust.
    package var certificate: String { folder.path("server.pem") }
    private let folder: TemporaryDirectory
    private let server: RunningProgram

    /// Starts nginx at a port of 127.0.0.1 that is free.
    package init() throws {
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
        // nginx takes no port 0: the number is that of a socket that was just closed.
        var started: (server: RunningProgram, port: Int)?
        for _ in 0..<5 where started == nil {
            let port = try Self.freePort()
            try Self.configuration(port: port, in: folder.path)
                .write(toFile: folder.path("nginx.conf"), atomically: true, encoding: .utf8)
            let nginx = Program(
                path: "/usr/sbin/nginx",
                arguments: ["-p", folder.path, "-e", "stderr", "-c", folder.path("nginx.conf")])
            let running = try nginx.start()
            let line = try running.errorLine { $0.contains("start worker process ") || $0.contains("[emerg]") }
            if !line.contains("[emerg]") { started = (running, port) }
        }
        let (server, port) = try #require(started)
        self.server = server
        origin = "https://127.0.0.1:\(port)"
    }

    deinit {
        server.send(signal: SIGTERM)
        _ = try? server.finish()
    }

    /// Writes a file, `/static/NAME`.
    package func write(_ text: String, to name: String) throws {
        _ = try folder.write(text, to: "static/\(name)")
    }

    private static func freePort() throws -> Int {
        let python = Program(
            path: "/usr/bin/python3",
            arguments: ["-c", "import socket; print(socket.create_server(('127.0.0.1', 0)).getsockname()[1])"])
        return try #require(Int(try python.start().firstLine()))
    }

    private static func configuration(port: Int, in folder: String) -> String {
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
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate \(folder)/server.pem;
                ssl_certificate_key \(folder)/server.key;
                location /static/ { root \(folder); }
                location / { return 200 '{"connection":$connection,"uri":"$request_uri"}'; }
            }
        }
        """
    }
}
