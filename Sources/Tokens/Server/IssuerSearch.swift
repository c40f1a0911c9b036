package import Errands
package import OAuth
package import Wire
package import Shell

extension Input {
    /// The input, with what the metadata of its issuer adds to it if one of these members is missing; see ``completing``.
    ///
    /// - Throws: exit 2 to 10 without metadata or a member.
    package func completed(
        needing names: [String], over transport: Transport, isOptional: Bool = false, takesFirst: Bool = false
    ) -> Attempt<Input, Failure> {
        completing(needing: names, over: transport, isOptional: isOptional, takesFirst: takesFirst)
            .mapFailure { Failure($0) }
    }

    /// The input, with what the metadata of its issuer (RFC 8414 §3) adds to it if one of these members is missing. The
    /// first metadata that is found counts; if it lacks a member too, the other addresses of the issuer are asked for that:
    /// some servers list an endpoint in one document only. A process asks each address once.
    ///
    /// - Parameters:
    ///   - isOptional: whether metadata without them will do.
    ///   - takesFirst: whether no other metadata is asked for them after the first.
    package func completing(
        needing names: [String], over transport: Transport, isOptional: Bool = false, takesFirst: Bool = false
    ) -> Attempt<Input, ServerFault> {
        let transport = transport.serving(document)
        return attempting { () throws(ServerFault) in
            guard let (issuer, discovery) = try ServerFault.doing(document.issuerToAsk(for: names, transport)),
                let missing = names.first(where: document.lacks)
            else { return .done(.success(self)) }
            let cache = transport.cache
            let known = (transport.metadata[issuer] ?? KnownMetadata()).adding(discovery, from: cache)
            transport.metadata[issuer] = known
            let isEnough = { (members: JSONObject) in
                !members.isEmpty && (takesFirst || names.allSatisfy { members[$0] != nil || !document.lacks($0) })
            }
            var search = MetadataSearch(discovery, besides: known.asked, over: transport)
            (search.hasOther, search.needsAnswers) = (!known.members.isEmpty, true)
            search.isEnough = { isEnough(known.adding($0.map(\.metadata)).members) }
            if transport.isDryRun, !search.addresses.isEmpty, !isEnough(known.members) {
                transport.diagnostics.tell("the \(missing) is missing; looking for it in the metadata of \(issuer)")
            }
            search.note = { (found) throws(ServerFault) in
                transport.metadata[issuer] = transport.metadata[issuer]?.adding([found.metadata])
                transport.metadata[issuer]?.asked.append(found.address)
                cache?.store(found.response, from: found.address)
                try ServerFault.doing(transport.diagnostics.warn(found.metadata.warnings))
            }
            let found = search.found().mapFailure {
                ServerFault.search(missing: document.missingHere(missing), of: issuer, $0)
            }
            return found.reading { (_, asked) throws(ServerFault) in
                transport.metadata[issuer]?.asked += asked
                let members = transport.metadata[issuer]?.members ?? [:]
                return adding(try added(by: members, needing: isOptional ? [] : names, issuer))
            }
        }
    }

    /// What the metadata adds to the document: no member that it has.
    ///
    /// - Throws: `refused` with `metadata_missing` if one that is needed is in neither.
    private func added(
        by metadata: JSONObject, needing names: [String], _ issuer: String
    ) throws(ServerFault) -> JSONObject {
        var added = JSONObject()
        for name in Member.completed where document.lacks(name) { added[name] = metadata[name] }
        if let name = names.first(where: { added[$0] == nil && document.lacks($0) }) {
            var error = document.missingHere(name)
            error.message += ", also in the metadata of \(issuer)"
            error.hint = document.ownHint(forMissing: name) ?? error.hint
            throw .refused(error)
        }
        return added
    }

    package func adding(_ members: JSONObject) -> Input {
        changing(self) { for member in members.members { $0.document.members[member.name] = member.value } }
    }
}

extension Document {
    /// The issuer of the document and where to ask, if one of these members is missing and may be looked for.
    ///
    /// - Throws: exit 2, 3 or 9 for an issuer that cannot be asked.
    package func issuerToAsk(
        for names: [String], _ transport: Transport
    ) throws(Failure) -> (issuer: String, discovery: ServerDiscovery)? {
        guard transport.mayDiscover, names.contains(where: lacks), let issuer = try asFailure(string("issuer")) else {
            return nil
        }
        return (issuer, try asFailure(blaming(ServerDiscovery(of: self))))
    }

    fileprivate func lacks(_ name: String) -> Bool { members[name]?.isNull ?? true }

    /// The error for a member that is missing, and not to be found.
    fileprivate func missingHere(_ name: String) -> OAuthError {
        changing(missing(name)) { $0.hint = hintForMissing ?? Member.named(name)?.supply(isKept: isOfServer) }
    }
}
