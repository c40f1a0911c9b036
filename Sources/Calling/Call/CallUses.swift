internal import Calls
internal import Wire
internal import Shell
internal import Sessions
internal import Tokens

/// The requests of calls as uses of their token, for the log: a line for each when it ends, however often it was sent.
struct CallUses {
    private let transport: Transport
    private var sent: [CallGroup.ID: TokenUse.Request] = [:]

    /// Nil without a log, and for requests without a token.
    init?(_ session: Session, _ source: TokenSource) {
        guard session.log != nil, !source.isAnonymous else { return nil }
        transport = session.transport
    }

    mutating func begin(_ id: CallGroup.ID, _ message: HTTPRequest) {
        if sent[id] == nil { sent[id] = TokenUse.Request(message, at: transport.world.moment) }
    }

    /// Takes note of an attempt, which may be the last.
    mutating func take(_ receiver: any CallReceiving, of id: CallGroup.ID) {
        sent[id]?.status = receiver.status
        sent[id]?.bytes = receiver.receivedCount
    }

    /// Writes the line of a request, unless it was never sent.
    ///
    /// - Parameter isAnswered: whether the last attempt counts.
    mutating func end(_ id: CallGroup.ID, isAnswered: Bool = true) {
        guard var request = sent.removeValue(forKey: id) else { return }
        if !isAnswered { request.status = nil }
        transport.note(request)
    }
}
