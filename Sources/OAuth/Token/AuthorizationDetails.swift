internal import Wire

/// Rich authorization details (RFC 9396 §2): objects, each with a `type`, whose other members only their API knows.
struct AuthorizationDetails: Sendable {
    private let types: Set<String>
    private let details: [JSON]

    /// The details of a value; nil for what is no array of objects with a type.
    init?(_ value: JSON?) {
        guard let array = value?.array else { return nil }
        let named = array.compactMap { $0.object?["type"]?.string }
        guard named.count == array.count else { return nil }
        (types, details) = (Set(named), array)
    }

    /// What is said of those that a token response names (RFC 9396 §7), compared with these, which were asked for. A server
    /// may add to an object what the user has chosen; what it has changed or left out is another authorization.
    ///
    /// - Parameter isRenewal: whether a response without any leaves them as they are.
    func warnings(granting value: JSON?, isRenewal: Bool) -> [OAuthWarning] {
        guard let value, !value.isNull else {
            return isRenewal || types.isEmpty
                ? [] : [.other("the server does not say which authorization_details it granted")]
        }
        guard let granted = AuthorizationDetails(value) else {
            return [.other("the granted authorization_details are not an array of objects with a type")]
        }
        let changed = granted.details.filter { detail in
            let same = details.filter { $0.object?["type"] == detail.object?["type"] }
            return !same.isEmpty && !same.contains { Self.isWithin(detail, $0) }
        }
        let deviations = [
            (types.subtracting(granted.types), "no authorization_details of type"),
            (granted.types.subtracting(types), "authorization_details that were not requested:"),
            (Set(changed.compactMap { $0.object?["type"]?.string }), "other authorization_details than requested:"),
        ]
        return deviations.filter { !$0.0.isEmpty }.map { types, words in
            let list = types.sorted().map { JSON.string($0).text }.joined(separator: ", ")
            return .other("the server granted \(words) \(list)")
        }
    }

    /// Whether a granted value is what was asked for: an object may have more members, a list fewer entries. An empty list
    /// or object, and a null, are asked for to be filled in (RFC 9396 §7.1).
    private static func isWithin(_ granted: JSON, _ asked: JSON) -> Bool {
        if asked.isNull || asked.array?.isEmpty == true || asked.object?.isEmpty == true { return true }
        if let asked = asked.object, let granted = granted.object {
            return asked.members.allSatisfy { isWithin(granted[$0.name] ?? .null, $0.value) }
        }
        if let asked = asked.array, let granted = granted.array {
            return granted.allSatisfy { entry in asked.contains { isWithin(entry, $0) } }
        }
        return granted == asked
    }
}
