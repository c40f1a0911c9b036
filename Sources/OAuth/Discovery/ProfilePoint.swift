package import Wire

/// A point that the FAPI 2.0 Security Profile has for servers, and what the metadata of one shows of it.
package struct ProfilePoint {
    /// The section, the point, the member that shows it, the value found, and the verdict.
    package let members: JSONObject
    /// Nil where the metadata does not tell.
    package let holds: Bool?
}

extension ServerMetadata {
    /// The points that metadata can show, in the order of the profile.
    package var fapi2: [ProfilePoint] {
        let open = endpoints.filter { member in
            guard let url = member.value.string.flatMap({ WebURL($0) }) else { return true }
            return url.scheme != "https" && !url.isLoopback
        }
        let (dpop, certificates) = ("dpop_signing_alg_values_supported", "tls_client_certificate_bound_access_tokens")
        let binding = bindsToCertificates && members[dpop] == nil ? certificates : dpop
        let shown = members.changed(by: ["*_endpoint": .array(open.map(\.value)), certificates: .bool(true)])
        func lists(_ names: [String], orElse missing: Bool? = false) -> (JSON?) -> Bool? {
            { found in
                guard let listed = found?.strings else { return missing }
                guard listed.contains(where: names.contains) else { return false }
                // Whether a server holds the clients of the profile to its best, the list does not tell.
                return listed.allSatisfy(names.contains) ? true : nil
            }
        }
        let known = lists(SecurityProfile.names(among: []), orElse: nil)
        let points: [(section: String, point: String, member: String, holds: (JSON?) -> Bool?)] = [
            ("5.2.1", "no endpoint without TLS", "*_endpoint", { $0 == .array([]) }),
            ("5.3.2.1", "no password grant", "grant_types_supported", { $0?.strings?.contains("password") != true }),
            (
                "5.3.2.1", "clients prove a key or a certificate", "token_endpoint_auth_methods_supported",
                lists(SecurityProfile.methods.map(\.rawValue))
            ),
            ("5.3.2.1", "access tokens are bound to a key", binding, { $0 != nil }),
            ("5.3.2.2", "response type code", "response_types_supported", { $0?.strings?.contains("code") ?? false }),
            ("5.3.2.2", "pushed authorization requests", "pushed_authorization_request_endpoint", { $0 != nil }),
            (
                "5.3.2.2", "no other authorization requests", "require_pushed_authorization_requests",
                { $0 == .bool(true) ? true : nil }
            ),
            ("5.3.2.2", "PKCE with S256", "code_challenge_methods_supported", lists(["S256"])),
            (
                "5.3.2.2", "the response names the issuer", "authorization_response_iss_parameter_supported",
                { $0 == .bool(true) }
            ),
            ("5.4.1", "algorithms of client JWTs", "token_endpoint_auth_signing_alg_values_supported", known),
            ("5.4.1", "algorithms of DPoP proofs", dpop, known),
            ("5.4.1", "algorithms of ID tokens", "id_token_signing_alg_values_supported", known),
        ]
        return points.map { section, point, member, holds in
            let (found, holds) = (shown[member], holds(shown[member]))
            let members: JSONObject = [
                "section": .string(section), "point": .string(point), "member": .string(member),
                "found": found ?? .null, "verdict": .string(holds.map { $0 ? "pass" : "fail" } ?? "unknown"),
            ]
            return ProfilePoint(members: members, holds: holds)
        }
    }
}
