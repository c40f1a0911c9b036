internal import CLibMicroHTTPD
internal import Glibc

/// One of the library's daemons: a listening socket and its connections, without a thread.
final class Daemon {
    /// Readable when `run` must be called.
    let descriptor: Int32
    private let pointer: OpaquePointer
    private let service: Service
    private let certificate: LoopbackCertificate.Copy?
    private var hasPort = true

    /// Starts on a listening socket, which the library then owns, and closes even if it does not start.
    init(
        _ socket: Int32, limits: LoopbackLimits, certificate: LoopbackCertificate?,
        service: Service
    ) throws(LoopbackError) {
        self.service = service
        self.certificate = certificate.map { LoopbackCertificate.Copy($0) }
        var settings = oap_mhd_settings()
        settings.socket = socket
        // Besides the header's bytes there is a record for each of its fields, and the response's header.
        settings.memory = UInt32(clamping: limits.headerBytes * 2 + 16 << 10)
        settings.connections = UInt32(clamping: limits.connections)
        settings.seconds = UInt32(clamping: max(1, limits.time.components.seconds))
        settings.certificate = UnsafePointer(self.certificate?.chain)
        settings.key = UnsafePointer(self.certificate?.key)
        settings.authorities = UnsafePointer(self.certificate?.authorities)
        settings.context = Unmanaged.passUnretained(service).toOpaque()
        settings.connection = certificate?.asksClients == true ? Self.askingConnectionChanged : Self.connectionChanged
        settings.target = Self.targetArrived
        settings.request = Self.requestArrived
        settings.completed = Self.requestCompleted
        guard let pointer = oap_mhd_start(&settings) else {
            let reason = String(cString: oap_mhd_complaint()).split(separator: ".").joined()
            throw certificate.map { .certificate($0.problem) } ?? .system("libmicrohttpd does not start: \(reason)")
        }
        self.pointer = pointer
        descriptor = oap_mhd_descriptor(pointer)
    }

    deinit {
        service.proceedAll()
        oap_mhd_stop(pointer)
    }

    /// Does all pending work, and returns.
    func run() {
        service.rescue()
        _ = oap_mhd_run(pointer)
    }

    /// Closes the port, if it is open; connections stay open.
    func closePort() {
        // The library names its descriptor each time, though another may have the number by then.
        guard hasPort else { return }
        hasPort = false
        let socket = oap_mhd_quiesce(pointer)
        if socket >= 0 { close(socket) }
    }

    /// Milliseconds after which `run` must be called in any case; nil for never.
    var timeout: Int64? {
        let timeout = oap_mhd_timeout(pointer)
        return timeout < 0 ? nil : timeout
    }
}

extension Daemon {
    private static func service(_ context: UnsafeMutableRawPointer?) -> Service {
        guard let context else { preconditionFailure("libmicrohttpd lost the context of a callback") }
        return Unmanaged<Service>.fromOpaque(context).takeUnretainedValue()
    }

    private static func connection(of handle: OpaquePointer?) -> Connection {
        guard let context = oap_mhd_context(handle) else {
            preconditionFailure("libmicrohttpd lost the context of a connection")
        }
        return Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
    }

    private static let connectionChanged: MHD_NotifyConnectionCallback = { context, handle, slot, event in
        guard let handle, let slot else { return }
        if event == .CONNECTION_NOTIFY_STARTED {
            slot.pointee = Unmanaged.passUnretained(service(context).open(handle)).toOpaque()
        } else {
            service(context).close(connection(of: handle))
            slot.pointee = nil
        }
    }

    /// The callback like `connectionChanged` for a server that asks for client certificates.
    private static let askingConnectionChanged: MHD_NotifyConnectionCallback = { context, handle, slot, event in
        if event == .CONNECTION_NOTIFY_STARTED { oap_peer_ask(handle) }
        connectionChanged(context, handle, slot, event)
    }

    private static let targetArrived:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
            _, target, handle in
            guard let target else { return nil }
            let bytes = UnsafeRawBufferPointer(start: target, count: strlen(target))
            connection(of: handle).begin(target: Array(bytes))
            return nil
        }

    private static let requestArrived: MHD_AccessHandlerCallback = {
        context, handle, _, method, _, content, size, _ in
        guard let method, let size else { return .NO }
        let connection = connection(of: handle)
        if connection.isFirstCall() {
            return service(context).begin(connection, method: String(cString: method)) ? .YES : .NO
        }
        if size.pointee > 0 {
            size.pointee -= connection.receive(UnsafeRawBufferPointer(start: content, count: size.pointee))
            return .YES
        }
        return service(context).serve(connection, method: String(cString: method)) ? .YES : .NO
    }

    private static let requestCompleted: MHD_RequestCompletedCallback = { _, handle, _, _ in
        connection(of: handle).end()
    }
}
