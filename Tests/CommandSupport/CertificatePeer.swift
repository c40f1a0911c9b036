import TestSupport
import Testing

/// A TLS server at two ports, that is two origins, which tells for each request who the client certificate says it is. It
/// answers with the JSON of a file that has the name of the path.
final class CertificatePeer {
    /// The base of the first and of the second origin.
    let origins: [String]
    private let folder: TemporaryDirectory
    private let server: RunningProgram

    /// Starts the server.
    ///
    /// - Parameter answers: the answers, by path.
    init(_ answers: [String: String]) throws {
        let certificates = try ClientCertificates()
        folder = certificates.folder
        try certificates.make("server", subject: "/CN=server", issuer: "ca", address: "127.0.0.1")
        try certificates.make("client", subject: "/CN=client", issuer: "ca")
        for (path, answer) in answers { try folder.write(answer, to: String(path.dropFirst())) }
        var python = Program(path: "/usr/bin/python3", arguments: ["-c", Self.script])
        python.directory = folder.path
        server = try python.start()
        origins = try server.firstLine().split(separator: " ").map { "https://127.0.0.1:\($0)" }
    }

    /// Options that trust the server and name the client certificate.
    var options: [String] {
        ["--cacert", folder.path("ca.pem"), "--cert", folder.path("client.pem"), "--key", folder.path("client.key")]
    }

    /// The requests so far: the number of the origin, the path, and the name in the certificate, or `-` without one.
    func requests() throws -> [String] { try folder.read("log").split(separator: "\n").map(String.init) }

    private static let script = """
        import http.server, os, ssl, sys, threading
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain('server.pem', 'server.key')
        context.load_verify_locations('ca.pem')
        context.verify_mode = ssl.CERT_OPTIONAL
        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                certificate = self.connection.getpeercert()
                name = certificate and dict(p for part in certificate['subject'] for p in part)['commonName'] or '-'
                self.rfile.read(int(self.headers.get('Content-Length', 0)))
                with open('log', 'a') as log: log.write('%d %s %s\\n' % (self.server.number, self.path, name))
                with open(self.path[1:], 'rb') as file: body = file.read()
                self.send_response(200)
                self.send_header('Content-Type', 'application/json')
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            do_GET = do_POST = answer
        servers = [http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler) for _ in range(2)]
        for number, server in enumerate(servers, 1):
            server.number = number
            server.socket = context.wrap_socket(server.socket, server_side=True)
        print(*[server.server_address[1] for server in servers], flush=True)
        for server in servers: threading.Thread(target=server.serve_forever).start()
        """
}
