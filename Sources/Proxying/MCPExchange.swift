internal import Calling
internal import Calls
internal import HTTP
internal import Shell
internal import Wire

/// One message of the client, or the stream of the server's own, and what came of it.
final class MCPExchange: CallReceiving {
    private static let limit = 16 << 20

    /// That of a request, which is answered; nil for another message.
    let id: JSON?
    let method: String?
    /// Whether the message says by itself of which revision it is.
    let isStateless: Bool
    let isListening: Bool
    /// Whether the client wants no response any more.
    var isCancelled = false
    /// Whether the client waits for it.
    var isAwaited: Bool { id != nil && !isCancelled && !isAnswered }
    var request: APIRequest?
    /// Is given each head.
    var begin: (HTTPResponseHead) -> Void = { _ in }
    /// Gives a message to the client.
    var write: (JSON) throws(Failure) -> Void = { _ in }
    private(set) var content: [UInt8] = []
    private(set) var status: Int?
    private(set) var receivedCount = 0
    private(set) var isAnswered = false
    /// The result of the response, as far as it is an object.
    private(set) var result: JSONObject?
    /// Why a message cannot be given to the client.
    private(set) var failure: Failure?
    private var events: EventStream?
    private var isDelivering = false
    private var disposition: ((HTTPResponseHead) -> Disposition)?

    init(id: JSON?, method: String?, isStateless: Bool, isListening: Bool = false) {
        (self.id, self.method, self.isStateless, self.isListening) = (id, method, isStateless, isListening)
    }

    func receiver(_ disposition: @escaping (HTTPResponseHead) -> Disposition) -> MCPExchange {
        self.disposition = disposition
        return self
    }

    var isEventStream: Bool { events != nil }
    var isStream: Bool { isEventStream }
    var keepsContent: Bool { !isEventStream }

    func receive(head: HTTPResponseHead) -> Bool {
        (content, status, receivedCount) = ([], head.status, 0)
        begin(head)
        isDelivering = [.deliver, .inspect].contains(disposition?(head))
        let isEvents = head.status < 400 && MediaType(head.headers.first("Content-Type") ?? "").isEventStream
        events = isDelivering && isEvents ? EventStream(limit: Self.limit) : nil
        return true
    }

    func receive(content piece: UnsafeRawBufferPointer) -> Bool {
        receivedCount += piece.count
        guard events != nil else {
            content.append(contentsOf: piece.prefix(Self.limit - content.count))
            return true
        }
        var position = 0
        do {
            while let event = try events?.next(in: piece, at: &position) {
                // An event without data is there for its id.
                guard let message = try? JSON(parsing: event.data) else { continue }
                try write(message)
            }
            return true
        } catch let error as Failure {
            failure = error
        } catch {
            failure = Failure(.badAnswer, .tooLarge, "an event of the server is larger than \(Self.limit >> 20) MiB")
        }
        return false
    }

    /// Notes whether it is the response to the request.
    func note(_ message: JSON) {
        guard let members = message.object, let id, members["id"] == id, members["method"] == nil else { return }
        isAnswered = true
        result = members["result"]?.object
    }
}
