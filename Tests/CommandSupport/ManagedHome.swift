import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

/// A home with a token that oap keeps, and a token endpoint that rotates and detects reuse.
struct ManagedHome {
    /// Where the token is.
    enum Place: CaseIterable {
        /// In the store as `work`, with a profile of that name.
        case store
        /// In a file.
        case file
    }

    let home: TemporaryDirectory
    let endpoint: Responder
    private let place: Place

    /// Puts a token there.
    ///
    /// - Parameters:
    ///   - seconds: how many are left of it.
    ///   - refreshable: whether there is a refresh token.
    ///   - arrival: opened when the endpoint gets its first request.
    ///   - answer: the gate behind which it answers.
    init(
        _ place: Place = .store, expiresIn seconds: Int = -10, refreshable: Bool = true,
        arrival: Responder.Gate? = nil, answer: Responder.Gate? = nil
    ) throws {
        self.place = place
        home = try TemporaryDirectory()
        let tokens = RotatingTokens()
        endpoint = try Responder { request in
            let reply = tokens.answer(request.body)
            arrival?.open()
            return answer.map { reply.after($0) } ?? reply
        }
        var token: JSONObject = [
            "client_id": .string("c"), "token_endpoint": .string(endpoint.url("/token")),
            "access_token": .string("at-0"),
            "token_type": .string("Bearer"), "expires_in": .number("3600"),
            "expires_at": .number(String(Int(Date().timeIntervalSince1970) + seconds)),
            "team": .object(["id": .number("1.10")]),
        ]
        if refreshable { token["refresh_token"] = .string("rt-0") }
        try put(token)
    }

    /// Puts another token in its place, as a login does.
    func put(_ token: JSONObject) throws {
        switch place {
        case .store:
            try oap("store", "put", "work", input: JSON.object(token).text).run().expect(status: 0)
            let folder = home.path(".config/oap/profiles")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try home.write(#"{"client_id":"c"}"#, to: ".config/oap/profiles/work.json")
        case .file:
            try FileManager.default.createDirectory(atPath: home.path("tokens"), withIntermediateDirectories: true)
            try home.write(JSON.object(token).text, to: "tokens/work.json")
            chmod(file, 0o600)
        }
    }

    /// Runs oap in this home.
    func oap(_ arguments: String..., input: String? = nil) -> Program {
        var program = oap(arguments)
        if let input { program.input = .text(input) }
        return program
    }

    /// Runs oap in this home.
    func oap(_ arguments: [String]) -> Program { .oap(arguments, environment: ["HOME": home.path]) }

    /// What names the token to `oap call` and `oap refresh`.
    var options: [String] { place == .store ? ["-p", "work"] : ["--token-file", file] }

    /// A command that renews the token when it must and prints it, in turn each that there is.
    ///
    /// - Parameter api: what `oap call` calls, and answers with the token that it was sent.
    func asking(_ number: Int, api: Responder) -> Program {
        let filter = ["--jq", ".access_token", "-r"]
        let commands =
            (place == .store ? [["token", "work"]] : []) + [
                ["call"] + options + [api.url("/me")] + filter, ["refresh", "--if-expired"] + options + filter,
            ]
        return oap(commands[number % commands.count])
    }

    /// The file that holds the token.
    var file: String { folder + "/work.json" }

    /// The folder of the file.
    var folder: String { home.path(place == .store ? ".local/state/oap/tokens" : "tokens") }

    /// The file that is locked while the token is renewed.
    var lock: String { place == .store ? "\(folder)/work.lock" : "\(file).lock" }

    /// The token as it is kept.
    func stored() throws -> JSONObject {
        try #require(JSON(parsing: Array(Data(contentsOf: URL(fileURLWithPath: file)))).object)
    }

    /// An API that answers with the token that it was sent.
    static func api() throws -> Responder {
        try Responder { request in
            let field = request.headers.first { $0.name == "Authorization" }?.value ?? ""
            return .json(JSON.object(["access_token": .string(String(field.dropFirst("Bearer ".count)))]).text)
        }
    }
}

/// A token endpoint in which every refresh token serves once, and the second use voids all.
private final class RotatingTokens: Sendable {
    private let count = Mutex(0)
    private let isRevoked = Mutex(false)

    func answer(_ body: [UInt8]) -> Responder.Reply {
        let form = (try? FormEncoding.parse(String(decoding: body, as: UTF8.self))) ?? []
        let sent = form.first { $0.name == "refresh_token" }?.value
        return count.withLock { count in
            guard sent == "rt-\(count)", !isRevoked.withLock({ $0 }) else {
                isRevoked.withLock { $0 = true }
                return .json(#"{"error":"invalid_grant"}"#, status: 400)
            }
            count += 1
            return .json(
                #"{"access_token":"at-\#(count)","token_type":"Bearer","expires_in":3600,"refresh_token":"rt-\#(count)"}"#
            )
        }
    }
}

extension ManagedHome {
    /// Starts processes that want the token, and waits until each of them is waiting for the lock.
    func start(_ count: Int, api: Responder, waiting: Bool = true) throws -> [RunningProgram] {
        let started = try (0..<count).map { number in
            var program = asking(number, api: api)
            program.deadline = .seconds(20)  // less than the patience of the lock
            return try program.start()
        }
        if waiting { try waitForLock(started) }
        return started
    }

    /// Waits until each of the processes waits for the lock, or holds it.
    func waitForLock(_ started: [RunningProgram]) throws {
        // No event tells that a process waits, but the system call that it is in: it polls nothing else before.
        let deadline = ContinuousClock.now + .seconds(60)
        for process in started {
            while !isPolling(process.process) {
                try #require(ContinuousClock.now < deadline, "nobody waits for the lock")
                sched_yield()
            }
        }
    }

    /// Whether a process is in poll(2) or ppoll(2): it waits for the lock, or for the server.
    private func isPolling(_ process: Int32) -> Bool {
        let call = (try? String(contentsOfFile: "/proc/\(process)/syscall", encoding: .utf8)) ?? ""
        return ["7 ", "271 ", "73 "].contains { call.hasPrefix($0) }
    }

    /// The sizes of the files that were to take the place of the token, in the folder where they all are.
    func drafts() throws -> [Int] {
        let kept = ["work.json", "work.lock", "work.json.lock"]
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { !kept.contains($0) }.map {
            try FileManager.default.attributesOfItem(atPath: "\(folder)/\($0)")[.size] as? Int ?? -1
        }
    }
}
