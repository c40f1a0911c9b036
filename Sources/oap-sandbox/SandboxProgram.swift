internal import Engine
internal import Errands
internal import CommandSpec
internal import Glibc
internal import JOSE
internal import Loopback
internal import Sandbox
internal import System
internal import Wire

/// The program from its arguments to its exit status.
enum SandboxProgram {
    static func main(_ words: [String]) -> Int32 {
        if words.first == Opener.flag { return Opener.run(Array(words.dropFirst())) }
        do throws(Failure) {
            let arguments = try parse(words)
            let width = TextLayout.width(on: TerminalSize.columns(of: 1))
            if arguments.has(SandboxOption.manual) {
                return try show(SandboxRecord.program.manualPage.plainText(width: width, emphasis: emphasis))
            }
            if arguments.has(SandboxOption.help) {
                return try show(SandboxRecord.program.help(width: width, emphasis: emphasis))
            }
            if arguments.has(SandboxOption.version) { return try show(versions) }
            if let shell = arguments.value(SandboxOption.completion) {
                return try show(SandboxRecord.program.completion(for: shell))
            }
            if arguments.has(SandboxOption.manualPage) {
                return try show(SandboxRecord.program.manualPage.mdoc)
            }
            return try run(Invocation(arguments))
        } catch {
            Diagnostics.tell(error.message)
            if let hint = error.hint { Diagnostics.tell("hint: \(hint)") }
            return error.status.rawValue
        }
    }

    private static func parse(_ words: [String]) throws(Failure) -> Arguments {
        do throws(UsageError) {
            return try SandboxRecord.program.parse(words)
        } catch {
            let lacksFault = error.reason == .missingValue(option: "--fault", placeholder: "FAULT")
            throw Failure(.usage, error.message, hint: lacksFault ? FaultSyntaxError.form : error.hint)
        }
    }

    private static var emphasis: Emphasis {
        Emphasis(isTerminal: isatty(1) == 1) { name in getenv(name).map { String(cString: $0) } }
    }

    private static var versions: String {
        let libraries = [LoopbackLibrary.version, CryptoLibrary.version].compactMap(\.self)
        return "oap-sandbox \(Version.text)\n" + libraries.map { "\($0)\n" }.joined()
    }

    private static func show(_ text: String) throws(Failure) -> Int32 {
        try StandardOutput.write(text)
        return Status.done.rawValue
    }

    /// Listens, prints the document, and serves until a signal, the end of the reader of standard output, or the end of
    /// the command.
    private static func run(_ invocation: Invocation) throws(Failure) -> Int32 {
        let signals = try SignalPipe()
        let server = try Service(invocation)
        let decision =
            switch invocation.settings.consent {
            case .automatic: "grants every login"
            case .deny: "refuses every login"
            case .page: "asks the user at every login"
            }
        Diagnostics.tell("for tests only: it listens on \(server.address) and \(decision)")
        if let host = server.unnamedHost {
            let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
            Diagnostics.tell("warning: the certificate does not name \(host), so clients refuse it")
            Diagnostics.tell("hint: make a certificate with subjectAltName=\(isAddress ? "IP" : "DNS"):\(host)")
        }
        guard let command = invocation.command else {
            try StandardOutput.write(JSON.object(server.clientDocument).text + "\n")
            serve(server, until: signals)
            return Status.done.rawValue
        }
        let child = try ChildCommand(
            command, document: server.clientDocument, certificate: invocation.certificate?.chain,
            opensPages: invocation.settings.consent != .page)
        let status = serve(server, for: child, signals)
        let isUnused = server.tellOfUnusedFaults()
        return status == 0 && isUnused && invocation.isStrictWithFaults ? Status.faultUnused.rawValue : status
    }

    private static func serve(_ server: Service, until signals: borrowing SignalPipe) {
        let reader = StandardOutput.hasReader ? [Watched(StandardOutput.descriptor, .closed)] : []
        server.engine.add(DescriptorWatch([Watched(signals.descriptor)] + reader))
        var signal: Int32?
        while signal == nil, StandardOutput.isRead {
            server.engine.turn()
            signal = signals.next()
        }
        _ = server.tellOfUnusedFaults()
        guard let signal else { return }
        server.stop()
        SignalPipe.die(of: signal)
    }

    /// A signal is passed on to the command, which decides how to react.
    private static func serve(
        _ server: Service, for child: borrowing ChildCommand, _ signals: borrowing SignalPipe
    ) -> Int32 {
        server.engine.add(DescriptorWatch([Watched(signals.descriptor)]))
        while true {
            if let status = child.status() { return status }
            server.engine.turn()
            while let signal = signals.next() { if signal != SIGCHLD { child.send(signal) } }
        }
    }
}
