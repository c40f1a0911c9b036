internal import Wire

/// Rich authorization details (RFC 9396 §2): what a client asks for, or was granted; empty for nothing.
struct AuthorizationDetails: Equatable {
    let objects: [JSON]

    static let none = AuthorizationDetails(objects: [])
}

extension AuthorizationDetails {
    /// Reads a parameter; no parameter asks for nothing.
    ///
    /// - Parameter types: those that the client may use.
    /// - Throws: `invalid_authorization_details` (§5) for another type, and for a common member (§2.2) of another form.
    init(_ text: String?, types: [String]) throws(Refusal) {
        guard let text else {
            self = .none
            return
        }
        guard let objects = (try? JSON(parsing: Array(text.utf8)))?.array else {
            throw .invalidDetails("authorization_details is not a JSON array")
        }
        for value in objects {
            guard let object = value.object, let type = object["type"]?.string else {
                throw .invalidDetails("authorization_details has an element that is not an object with a type")
            }
            guard types.contains(where: { $0.isIdentical(to: type) }) else {
                throw .invalidDetails("the type \(type.shown) is unknown, or not available to this client")
            }
            for name in Self.lists where object[name] != nil && object[name]?.strings == nil {
                throw .invalidDetails("\(name) of \(type.shown) is not an array of strings")
            }
            guard object["identifier"] == nil || object["identifier"]?.string != nil else {
                throw .invalidDetails("identifier of \(type.shown) is not a string")
            }
        }
        self.objects = objects
    }

    private static let lists = ["locations", "actions", "datatypes", "privileges"]

    /// What a later request may have of what was granted: all of it, or the objects that it names again (§6).
    func narrowed(to asked: AuthorizationDetails) throws(Refusal) -> AuthorizationDetails {
        guard asked.objects.allSatisfy(objects.contains) else {
            throw .invalidDetails("authorization_details has an object that was not granted")
        }
        return asked.objects.isEmpty ? self : asked
    }

    /// The objects of some types.
    func within(_ types: [String]) -> AuthorizationDetails {
        AuthorizationDetails(
            objects: objects.filter { object in
                types.contains { object.object?["type"] == .string($0) }
            })
    }

    /// The member of responses, tokens and introspection (§7, §9); nil for nothing.
    var member: JSON? { objects.isEmpty ? nil : .array(objects) }

    var types: [String] { objects.compactMap { $0.object?["type"]?.string } }
}

extension Client {
    /// The types that it may use.
    func detailTypes(_ settings: SandboxSettings) -> [String] { registeredDetailTypes ?? settings.detailTypes }

    /// What a request asks for.
    func details(
        _ parameters: FormParameters, _ settings: SandboxSettings
    ) throws(Refusal) -> AuthorizationDetails {
        try AuthorizationDetails(
            parameters["authorization_details"], types: detailTypes(settings))
    }
}

extension Refusal {
    fileprivate static func invalidDetails(_ description: String) -> Refusal {
        Refusal("invalid_authorization_details", description)
    }
}
