internal import OAuth
package import Wire
package import Shell

/// The profile whose registration is managed (RFC 7592): the server may replace its token and its secret.
package struct ManagedClient {
    private let name: String
    private let members: JSONObject
    private let profiles: Profiles

    /// The profile that the command line names, which must be writable; nil without one.
    ///
    /// - Throws: exit 2, 3 or 11.
    package init?(_ inputs: InputReader) throws(Failure) {
        guard case .name(let name) = try inputs.source() else { return nil }
        members = try inputs.profiles.read(name)
        try inputs.profiles.writable(name)
        (self.name, profiles) = (name, inputs.profiles)
    }

    /// Writes what the server says of the client.
    ///
    /// - Throws: exit 11.
    package func update(from client: JSONObject) throws(Failure) {
        var members = members
        for name in Member.registrationResponse { members[name] = client[name] ?? members[name] }
        for name in Member.issuedSecrets where client[name] != nil {
            members.remove(Member.forms(of: name).filter { $0 != name })
        }
        // A key of an option is the client's from now on.
        for secret in ClientCredential.key.members {
            guard let path = client["\(secret)_file"], path != members["\(secret)_file"] else { continue }
            members.remove(Member.forms(of: secret))
            members["\(secret)_file"] = path
        }
        for name in ["client_key_id", "tls_client_certificate_file", "tls_client_key_file"] {
            members[name] = client[name]
        }
        try profiles.write(members, as: name)
    }

    /// Removes the client from the profile.
    ///
    /// - Throws: exit 11.
    package func forget() throws(Failure) {
        var members = members
        members.remove(Member.clientMetadata + Member.ofRegistration)
        try profiles.write(members, as: name)
    }
}
