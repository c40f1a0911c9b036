import Testing

/// An HTTP/2 server over TLS, written in Python with the library h2. It answers a request with its method and path.
package final class HTTP2Peer {
    /// What the server does out of the ordinary.
    package enum Mode: String {
        /// Answers four requests at a time, the last first.
        case reversed
        /// Ends its first connection when there are four requests: answers two, and refuses the others (GOAWAY, RFC 9113
        /// §6.8).
        case goAway
    }

    /// The path of the certificate to trust.
    package var certificate: String { folder.path("server.pem") }
    /// `https://127.0.0.1:PORT`
    package let origin: String
    private let folder: TemporaryDirectory
    private let server: RunningProgram

    /// Starts a server.
    package init(_ mode: Mode) throws {
        folder = try TemporaryDirectory()
        var openssl = Program(
            path: "/usr/bin/openssl",
            arguments: [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=server", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "server.key",
                "-out", "server.pem",
            ])
        openssl.directory = folder.path
        try openssl.run().expect(status: 0)
        var python = Program(path: "/usr/bin/python3", arguments: ["-c", Self.script, mode.rawValue])
        python.directory = folder.path
        server = try python.start()
        origin = "https://127.0.0.1:\(try server.firstLine())"
    }

    /// The requests so far, each as `CONNECTION METHOD PATH`.
    package func requests() throws -> [String] {
        try String(contentsOfFile: folder.path("requests"), encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private static let script = """
        import socket, ssl, sys, threading
        import h2.config, h2.connection, h2.events
        mode = sys.argv[1]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain('server.pem', 'server.key')
        context.set_alpn_protocols(['h2'])
        log = open('requests', 'w', buffering=1)
        listener = socket.create_server(('127.0.0.1', 0))
        print(listener.getsockname()[1], flush=True)
        def serve(sock, number):
            tls = context.wrap_socket(sock, server_side=True)
            connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
            connection.initiate_connection()
            tls.sendall(connection.data_to_send())
            heads, whole = {}, []
            def answer(stream):
                connection.send_headers(stream, [(':status', '200'), ('content-type', 'text/plain')])
                connection.send_data(stream, heads[stream].encode(), end_stream=True)
            while data := tls.recv(65536):
                try: events = connection.receive_data(data)
                except Exception: break
                for event in events:
                    if isinstance(event, h2.events.RequestReceived):
                        fields = {k.decode() if isinstance(k, bytes) else k: v.decode() if isinstance(v, bytes) else v
                                  for k, v in event.headers}
                        heads[event.stream_id] = fields[':method'] + ' ' + fields[':path']
                        log.write(f'{number} {heads[event.stream_id]}\\n')
                    if isinstance(event, h2.events.StreamEnded): whole.append(event.stream_id)
                if mode == 'goAway' and number == 1:
                    if len(whole) == 4:
                        whole.sort()
                        for stream in whole[:2]: answer(stream)
                        connection.close_connection(last_stream_id=whole[1])
                        whole.append(None)
                elif mode == 'reversed':
                    if len(whole) == 4:
                        for stream in reversed(whole): answer(stream)
                        whole.clear()
                else:
                    for stream in whole: answer(stream)
                    whole.clear()
                tls.sendall(connection.data_to_send())
        number = 0
        while True:
            sock, _ = listener.accept()
            number += 1
            threading.Thread(target=serve, args=(sock, number), daemon=True).start()
        """
}
