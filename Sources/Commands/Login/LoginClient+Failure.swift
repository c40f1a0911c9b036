internal import CommandSpec
internal import OAuth
internal import Wire

/// What a failure of the login says about the client.
extension LoginClient {
    /// The failure of a login, with the command that mends it: where its code was refused, the one that begins again; where
    /// its scope was, or a client that the server has forgotten, one that registers another client.
    func explained(_ failure: Failure) -> Failure {
        var failure = failure
        if failure.code == "invalid_scope", isRegistered, failure.hint == nil {
            failure.hint = """
                if the client was registered for less, oap login \(name.text) --register --save-profile --scope 'SCOPE' \
                registers another one
                """
        } else if let command = registrationCommand, Self.isUnknown(failure) {
            let hint = members["client_secret"] == nil ? nil : failure.hint
            let other = "if the server has forgotten the registered client, \(command) registers another one"
            failure.hint = [hint, other].compactMap(\.self).joined(separator: "; ")
        } else if let command = registrationCommand, Self.lacksRedirect(failure) {
            let other = "if the login page said that the client is unknown, \(command) registers another one"
            failure.hint = [failure.hint, other].compactMap(\.self).joined(separator: "; ")
        } else if let refusal = Grant.Kind.authorizationCode.refusalHint, failure.hint?.hasPrefix(refusal) == true {
            failure.hint = "a code works once and expires soon; begin again: oap login \(name.text)"
        }
        return failure
    }

    /// The failure of a redirect that cannot be received here on https, with the command that asks for the redirected URL
    /// instead.
    func pasting(_ failure: Failure) -> Failure {
        guard failure.message == ListenTarget.needsCertificate else { return failure }
        var failure = failure
        failure.hint = "without a certificate: \(command(with: LoginWay.paste, without: LoginWay.listening))"
        return failure
    }

    private static func isUnknown(_ failure: Failure) -> Bool {
        ["invalid_client", "unauthorized_client"].contains(failure.code)
    }

    /// Whether no redirect came: the server's page may have said why.
    private static func lacksRedirect(_ failure: Failure) -> Bool {
        failure.kind == .cancelled || failure.kind == .timeout && failure.message.hasPrefix(ListenWait.noRedirect)
    }

    /// The command that registers another client in the place of one that an earlier login registered; nil for any other
    /// client.
    private var registrationCommand: String? {
        guard Self.registrationMembers.contains(where: { members[$0] != nil }) else { return nil }
        let address = ["resource", "issuer"].lazy.compactMap { member -> String? in
            guard let url = members[member]?.string, url.utf8.allSatisfy(Self.isPlain) else { return nil }
            return " \(Member.option(for: member)) \(url)"
        }
        return "oap login \(name.text)\(address.first ?? "") --register --save-profile"
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || ":._/-".utf8.contains(byte) }
}
