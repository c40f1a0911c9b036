import Testing

/// A TLS server written in Python, with a certificate authority of its own for `127.0.0.1` and `as.example`. It answers
/// every request with JSON: `head` as it came, `connect` when it was asked for a tunnel first, `client`, the name in
/// the client's certificate, and `connections`, how many there have been.
package final class TLSPeer {
    /// What the server does out of the ordinary.
    package enum Mode: String {
        /// Nothing.
        case plain
        /// Plays the proxy first, for a tunnel that ends in itself.
        case tunnel
        /// Breaks the connection when the head of a request is there.
        case reset
        /// Breaks the first connection, kept after its answer, before the request on the second is answered.
        case resetFirst
        /// Refuses the handshake without a certificate of its authority, with TLS 1.3.
        case demanding
        /// The same with TLS 1.2.
        case demandingEarlier
    }

    /// The port on 127.0.0.1.
    package let port: Int
    private let folder: TemporaryDirectory
    private let server: RunningProgram

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - names: the names in its certificate.
    ///   - isExpired: whether its certificate has expired.
    package init(
        _ mode: Mode = .plain, names: String = "IP:127.0.0.1,DNS:as.example", isExpired: Bool = false
    ) throws {
        let folder = try TemporaryDirectory()
        self.folder = folder
        func openssl(_ arguments: [String]) throws { try Self.openssl(arguments, in: folder) }
        let new = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
        try openssl(new + ["-subj", "/CN=Test CA", "-keyout", "ca.key", "-out", "ca.pem"])
        let signed = new + ["-CA", "ca.pem", "-CAkey", "ca.key", "-addext", "basicConstraints=critical,CA:false"]
        try openssl(
            signed + ["-subj", "/CN=server", "-keyout", "server.key", "-out", "server.pem"]
                + ["-addext", "subjectAltName=\(names)"])
        if isExpired {
            let request = ["x509", "-x509toreq", "-in", "server.pem", "-signkey", "server.key", "-out", "server.csr"]
            let again = ["x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"]
            try openssl(request)
            try openssl(again + ["-days", "-1", "-out", "server.pem"])
        }
        try openssl(signed + ["-subj", "/CN=the client", "-keyout", "client.key", "-out", "client.pem"])
        var python = Program(path: "/usr/bin/python3", arguments: ["-c", Self.script, mode.rawValue])
        python.directory = folder.path
        server = try python.start()
        port = try #require(Int(server.firstLine()))
    }

    /// The path of one of `ca.pem`, `ca.key`, `client.pem`, `client.key`.
    package func path(_ name: String) -> String { folder.path(name) }

    /// `https://HOST:PORT/`
    package func url(host: String = "127.0.0.1") -> String { "https://\(host):\(port)/" }

    /// Runs `openssl` among the peer's files.
    package func openssl(_ arguments: [String]) throws { try Self.openssl(arguments, in: folder) }

    private static func openssl(_ arguments: [String], in folder: TemporaryDirectory) throws {
        var program = Program(path: "/usr/bin/openssl", arguments: arguments)
        program.directory = folder.path
        try program.run().expect(status: 0)
    }

    private static let script = """
        import json, socket, ssl, struct, sys, threading
        mode = sys.argv[1]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain('server.pem', 'server.key')
        context.load_verify_locations('ca.pem')
        context.verify_mode = ssl.CERT_OPTIONAL
        if mode.startswith('demanding'):
            context.verify_mode = ssl.CERT_REQUIRED
            if mode == 'demandingEarlier': context.maximum_version = ssl.TLSVersion.TLSv1_2
        listener = socket.create_server(('127.0.0.1', 0))
        print(listener.getsockname()[1], flush=True)
        second, broken = threading.Event(), threading.Event()
        def reset(tls):
            tls.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
            tls.close()
        def head(sock):
            data = b''
            while not data.endswith(b'\\r\\n\\r\\n'):
                byte = sock.recv(1)
                if not byte: return None
                data += byte
            return data.decode()
        def serve(sock, number):
            connect = None
            if mode == 'tunnel':
                connect = head(sock)
                sock.sendall(b'HTTP/1.1 200 OK\\r\\n\\r\\n')
            # A connection that is closed with unread bytes would be reset, and the alert lost.
            kept = sock.dup()
            try: tls = context.wrap_socket(sock, server_side=True)
            except (ssl.SSLError, OSError):
                while kept.recv(4096): pass
                return
            kept.close()
            while request := head(tls):
                if mode == 'reset': return reset(tls)
                if mode == 'resetFirst' and number == 2:
                    second.set()
                    broken.wait()
                certificate = tls.getpeercert()
                name = certificate and dict(pair for part in certificate['subject'] for pair in part)['commonName']
                body = json.dumps({'head': request, 'connect': connect, 'client': name, 'connections': number}).encode()
                tls.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n' % len(body) + body)
                if mode == 'resetFirst' and number == 1:
                    second.wait()
                    reset(tls)
                    return broken.set()
        number = 0
        while True:
            sock, _ = listener.accept()
            number += 1
            threading.Thread(target=serve, args=(sock, number), daemon=True).start()
        """
}
