import Testing

/// Ports of 127.0.0.1 that nothing listens on: those of sockets that were just closed.
enum FreePorts {
    static func numbers(_ count: Int) throws -> [Int] {
        let script = """
            import socket, sys
            free = [socket.create_server(('127.0.0.1', 0)) for _ in range(int(sys.argv[1]))]
            print(*[one.getsockname()[1] for one in free])
            """
        let python = Program(path: "/usr/bin/python3", arguments: ["-c", script, "\(count)"])
        let numbers = try python.start().firstLine().split(separator: " ").compactMap { Int($0) }
        try #require(numbers.count == count)
        return numbers
    }
}
