internal import Wire

/// A fault to inject at one of the endpoints.
package struct Fault: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// This status, and nothing is carried out.
        case status(Int)
        /// This error code with the endpoint's own status or another, and nothing is carried out.
        case error(String, status: Int? = nil)
        /// The connection is reset, and nothing is carried out.
        case reset
        /// The request is carried out, and the connection reset before the response.
        case lost
        /// A page of HTML with status 200, and nothing is carried out.
        case html
        /// Half of the response is sent.
        case truncated
        /// A member or parameter of the response is not there.
        case without(String)
        /// A member or parameter of the response has another value.
        case wrong(String)
        /// The response comes after so many seconds.
        case slow(Double)
    }

    package let endpoint: Endpoint
    package let kind: Kind
    /// The number of requests that fail; nil for all.
    package var count: Int?
    /// The number of requests that succeed first.
    package var skipped = 0
    /// The seconds of `Retry-After`.
    package var retryAfter: Int?

    /// How the fault was written, without its additions.
    let text: String

    /// The words for completions: each kind at each endpoint. After one that ends with `=` its value follows.
    package static let words = Endpoint.allCases.flatMap { endpoint in
        [
            "400", "401", "429", "503", "error=", "reset", "lost", "html", "truncated", "slow=", "without=", "wrong=",
        ].map { "\(endpoint.rawValue):\($0)" }
    }

    /// The names that a fault may have, for messages.
    package static let names = [
        "400 to 599", "error=CODE", "STATUS+error=CODE", "reset", "lost", "html", "truncated", "slow=SECONDS",
        "without=MEMBER", "wrong=MEMBER",
    ]
}

/// Why a text is not a fault; for the user.
package struct FaultSyntaxError: Error, Equatable {
    /// The message: lower case, no full stop.
    package let message: String
    package let hint: String

    /// The hint that shows the form of a fault, with all endpoints and kinds.
    package static let form =
        "a fault is ENDPOINT:KIND, for example token:503x2; endpoints are "
        + Endpoint.allCases.map(\.rawValue).joined(separator: ", ") + "; kinds are "
        + Fault.names.joined(separator: ", ")
}

extension Fault {
    /// Reads `ENDPOINT:KIND[xCOUNT][,after=COUNT][,retry-after=SECONDS]`, for example `token:503x2` or
    /// `api:429,retry-after=1`.
    package init(parsing text: String) throws(FaultSyntaxError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let head = parts[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let endpoint = Endpoint(rawValue: String(head[0])) else {
            throw FaultSyntaxError(
                message: head.count == 2
                    ? "there is no endpoint \(JSON.string(String(head[0])).text)"
                    : "a fault begins with the name of an endpoint and a colon",
                hint: FaultSyntaxError.form)
        }
        guard head.count == 2, let (kind, count) = Self.kind(head[1]) else {
            if let error = head.count == 2 ? Self.numberError(head[1]) : nil { throw error }
            throw FaultSyntaxError(
                message: head.count == 2
                    ? "unknown fault of \(endpoint.rawValue)"
                    : "after \(endpoint.rawValue), a colon and a fault must follow",
                hint: "faults are " + Self.names.joined(separator: ", ") + """
                    ; xCOUNT after a fault ends the fault after COUNT requests
                    """)
        }
        self.endpoint = endpoint
        self.text = String(parts[0])
        (self.kind, self.count) = (kind, count)
        for part in parts.dropFirst() { try take(part) }
    }

    private mutating func take(_ part: Substring) throws(FaultSyntaxError) {
        let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, ["after", "retry-after"].contains(sides[0]) else {
            throw FaultSyntaxError(
                message: "unknown addition to a fault", hint: "use ,after=COUNT or ,retry-after=SECONDS")
        }
        guard let number = Decimal.whole(sides[1]) else {
            throw FaultSyntaxError(
                message: "the value of \(sides[0]) is not a whole number", hint: "use ,\(sides[0])=NUMBER")
        }
        if sides[0] == "after" { skipped = number } else { retryAfter = number }
    }

    /// The error for a known kind whose number is wrong; nil for another kind.
    private static func numberError(_ text: Substring) -> FaultSyntaxError? {
        if let x = text.lastIndex(of: "x"), kind(named: text[..<x]) != nil {
            return FaultSyntaxError(
                message: "the number of requests that fail must be a whole number above 0",
                hint: "\(text[..<x])x2 fails twice; without x2, each request fails")
        }
        guard text.hasPrefix("slow=") else { return nil }
        return FaultSyntaxError(message: "slow takes a number of seconds", hint: "for example slow=2 or slow=0.5")
    }

    /// Reads `KIND[xCOUNT]`.
    private static func kind(_ text: Substring) -> (Kind, Int?)? {
        guard let x = text.lastIndex(of: "x"), let count = Decimal.whole(text[text.index(after: x)...]) else {
            return kind(named: text).map { ($0, nil) }
        }
        return count > 0 ? kind(named: text[..<x]).map { ($0, count) } : nil
    }

    private static func kind(named text: Substring) -> Kind? {
        let plain: [Substring: Kind] = ["reset": .reset, "lost": .lost, "html": .html, "truncated": .truncated]
        if let kind = plain[text] { return kind }
        if text.hasPrefix("slow=") { return Decimal.seconds(text.dropFirst(5)).map { .slow($0) } }
        if let name = name(text, after: "without=", and: "._-") { return .without(name) }
        if let name = name(text, after: "wrong=", and: "._-") { return .wrong(name) }
        if let code = name(text, after: "error=", and: "_") { return .error(code) }
        guard let status = Decimal.whole(text.prefix(3)), (400...599).contains(status) else { return nil }
        guard text.utf8.count > 3 else { return .status(status) }
        return name(text.dropFirst(3), after: "+error=", and: "_").map { .error($0, status: status) }
    }

    /// Letters, digits and these characters after a prefix.
    private static func name(_ text: Substring, after prefix: String, and others: String) -> String? {
        guard text.hasPrefix(prefix) else { return nil }
        let name = text.dropFirst(prefix.count)
        let isName = name.utf8.allSatisfy { $0.isASCIILetterOrDigit || others.utf8.contains($0) }
        return isName && !name.isEmpty ? String(name) : nil
    }
}
