internal import Wire

/// What a server calls the parameters of its requests, where it has names of its own (`parameter_names`): TikTok says
/// `client_key` for `client_id`.
package struct ParameterNames: Sendable {
    private let names: [(standard: String, own: String)]

    package init(of document: Document) throws(OAuthError) {
        let names = try document.parameters("parameter_names")
        guard names.allSatisfy({ !$0.value.isEmpty }), Set(names.map(\.value)).count == names.count else {
            throw document.invalid("parameter_names", "must give each parameter a different name that is not empty")
        }
        self.names = names.map { ($0.name, $0.value) }
    }

    package subscript(standard: String) -> String {
        names.first { $0.standard.isIdentical(to: standard) }?.own ?? standard
    }

    func renaming(_ pairs: [(name: String, value: String)]) -> [(name: String, value: String)] {
        pairs.map { (self[$0.name], $0.value) }
    }

    /// Parameters that cannot be set by hand, with what the server calls them.
    func reserving(_ reserved: [String]) -> [String] { reserved + reserved.map { self[$0] } }
}
