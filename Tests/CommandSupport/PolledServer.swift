import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

/// A token endpoint that notes when it was asked and when it had answered.
final class PolledServer: Sendable {
    private struct State {
        var replies: [Responder.Reply]
        var gaps: [Duration] = []
        var answered = ContinuousClock.now
    }

    let responder: Responder
    private let state: Box

    private final class Box: Sendable {
        let value: Mutex<State>
        init(_ value: State) { self.value = Mutex(value) }
    }

    convenience init(_ replies: Responder.Reply...) throws { try self.init(replies) }

    init(_ replies: [Responder.Reply]) throws {
        let box = Box(State(replies: replies))
        state = box
        responder = try Responder { _ in
            box.value.withLock { state in
                state.gaps.append(ContinuousClock.now - state.answered)
                let reply = state.replies.isEmpty ? .text("", status: 500) : state.replies.removeFirst()
                // Before the answer is on its way: the program cannot have seen its end any earlier.
                state.answered = .now
                return reply
            }
        }
    }

    /// How long each poll came after the answer before it, the first after the server's start.
    var gaps: [Duration] { state.value.withLock { $0.gaps } }

    func run(_ more: JSONObject = [:], _ options: [String] = [], lifetime: Int = 600) throws -> ProgramResult {
        try Program.oap(
            ["exchange"] + options, input: responder.deviceFlow(lifetime: lifetime).with(more).input
        ).run()
    }

    /// Expects that each poll came at least so many seconds after the answer before it.
    func expectGaps(_ seconds: [Int], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(gaps.count == seconds.count, sourceLocation: sourceLocation)
        for (gap, least) in zip(gaps, seconds) {
            #expect(gap >= .seconds(least), "\(gaps)", sourceLocation: sourceLocation)
        }
    }
}

extension Responder {
    /// The document of a public client that logs in by device.
    var device: JSONObject {
        client.with(["device_authorization_endpoint": .string(url("/device")), "scope": "a"])
    }

    /// A flow that is ready for polling: a poll a second, and this long.
    func deviceFlow(interval: Int = 1, lifetime: Int = 600) -> JSONObject {
        client.with([
            "device_code": "the-device-code", "user_code": "WDJB-MJHT",
            "verification_uri": "https://as.example/device",
            "verification_uri_complete": "https://as.example/device?user_code=WDJB-MJHT",
            "interval": .integer(interval), "expires_at": .integer(Int(time(nil)) + lifetime),
        ])
    }
}
