internal import Errands
internal import System
internal import Wire

/// The requests to the API of a cluster, about the Secrets of a namespace.
final class KubernetesAPI {
    enum Answer {
        case object(JSONObject)
        /// There is no such Secret.
        case missing
        /// Another version is there, or one where none should be.
        case conflict
        /// The outcome of the change is unknown.
        case unknown
    }

    private let access: KubernetesAccess
    private let namespace: String
    private let place: String
    /// The bearer token as it was read last.
    private var token: String?

    init(_ access: KubernetesAccess, namespace: String, place: String) {
        (self.access, self.namespace, self.place) = (access, namespace, place)
    }

    var strange: StoreError { .shared(place, reason: "its answer is not one of Kubernetes", hint: nil) }

    /// Asks for something, again where that does no harm.
    ///
    /// - Parameters:
    ///   - verb: as roles call it: get, list, create, update or delete.
    ///   - subject: the name of the Secret; for a list, the query.
    func ask(_ verb: String, _ subject: String, _ body: JSONObject? = nil) -> Attempt<Answer, StoreError> {
        attempt(Query(verb: verb, subject: subject, body: body), left: Self.attempts, mayReadToken: access.hasTokenFile)
    }

    private struct Query {
        let verb: String
        let subject: String
        let body: JSONObject?

        var isChange: Bool { body != nil }

        /// The longest wait that a server may ask for, in seconds: that of a change is within the time of a claim.
        var longestWait: Int { isChange ? SharedRecord.longestRequest : 10 }
    }

    private static let attempts = 3

    private func attempt(_ query: Query, left: Int, mayReadToken: Bool) -> Attempt<Answer, StoreError> {
        attempting { () throws(StoreError) in
            var request = try request(query)
            if left == 1, !query.isChange { request.maximumTime = Double(SharedRecord.patience) }
            return .send(request) { [self] (result, moment) in
                attempting { () throws(StoreError) in
                    func again(after pause: Duration) -> Attempt<Answer, StoreError> {
                        .pause(until: moment.time + pause) { [self] in
                            attempt(query, left: left - 1, mayReadToken: mayReadToken)
                        }
                    }
                    switch try reply(in: result, to: query, at: moment) {
                    case .answer(let answer): return .done(.success(answer))
                    case .unauthenticated where mayReadToken:
                        // A projected token is replaced while programs run.
                        token = nil
                        return attempt(query, left: left, mayReadToken: false)
                    case .unauthenticated(let reason):
                        throw .shared(place, reason: "it refuses the credentials: \(reason)", hint: nil)
                    case .deferred(let seconds) where left > 1 && seconds <= query.longestWait:
                        return again(after: .seconds(seconds))
                    case .deferred(let seconds):
                        throw .away(place, reason: "it asks to come back in \(seconds) seconds")
                    case .nothing(wasSent: true, _) where query.isChange: return .done(.success(.unknown))
                    case .nothing where left > 1: return again(after: .milliseconds(.random(in: 100...300)))
                    case .nothing(_, let reason): throw .away(place, reason: reason)
                    }
                }
            }
        }
    }

    private enum Reply {
        case answer(Answer)
        case unauthenticated(String)
        /// Not carried out: it may come again after these seconds.
        case deferred(Int)
        case nothing(wasSent: Bool, reason: String)
    }

    private func reply(
        in result: ServerRequest.Result, to query: Query, at moment: Moment
    ) throws(StoreError) -> Reply {
        let response: HTTPResponse
        switch result {
        case .success(let received): response = received
        case .failure(let error):
            guard error.mayPass || error.requestSent else {
                throw .shared(place, reason: error.message, hint: nil)
            }
            return .nothing(wasSent: error.requestSent, reason: error.message)
        }
        let status = response.head.status
        guard let members = (try? JSON(parsing: response.body))?.object, let kind = members["kind"]?.string else {
            // Behind a proxy, perhaps.
            return status == 401
                ? .unauthenticated("it answered 401")
                : .nothing(wasSent: true, reason: "its answer, with status \(status), is not one of Kubernetes")
        }
        let said = members["message"]?.string ?? "it answered \(status)"
        switch (status, kind) {
        case (200...202, _): return .answer(.object(members))
        case (401, _): return .unauthenticated(said)
        // A missing namespace is another matter.
        case (404, "Status") where query.verb != "create": return .answer(.missing)
        // The next page of a list that has changed too much since the first: it begins again.
        case (409, "Status"), (410, "Status"): return .answer(.conflict)
        case (403, "Status") where said.contains("cannot"): throw forbidden(query, said)
        case (429, _):
            let seconds = response.head.headers.first("Retry-After").flatMap {
                RetryAfter.seconds($0, now: moment.seconds)
            }
            return .deferred(seconds ?? 1)
        case _ where HTTPStatus.isFailureOfServer(status): return .nothing(wasSent: true, reason: said)
        default: throw .shared(place, reason: said, hint: nil)
        }
    }

    /// What a role needs. Only `list` and `create` cannot be limited to a name.
    private func forbidden(_ query: Query, _ said: String) -> StoreError {
        func rule(_ verbs: String, of names: String = "") -> String {
            #"{apiGroups: [""], resources: [secrets], \#(names)verbs: [\#(verbs)]}"#
        }
        let rules =
            switch query.verb {
            case "list": rule("list")
            case "create": rule("create") + ", or first: kubectl create secret generic \(query.subject) -n \(namespace)"
            default: rule("get, update, watch, delete", of: "resourceNames: [\(query.subject)], ")
            }
        return .shared(
            place, reason: "it forbids to \(query.verb): \(said)",
            hint: "a Role in the namespace \(namespace) needs the rule \(rules)")
    }
}

extension KubernetesAPI {
    private func request(_ query: Query) throws(StoreError) -> ServerRequest {
        let method = ["create": "POST", "update": "PUT", "delete": "DELETE"][query.verb] ?? "GET"
        let path = query.verb == "list" ? "?\(query.subject)" : query.verb == "create" ? "" : "/\(query.subject)"
        var request = try request(method, path)
        if query.verb == "list" {
            // Not the content of all Secrets.
            request.message.headers[0].value =
                "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"
        }
        if let body = query.body {
            request.message.headers.append(HTTPField("Content-Type", "application/json"))
            request.message.body = JSON.object(body).bytes
        }
        return request
    }

    private func request(_ method: String, _ path: String) throws(StoreError) -> ServerRequest {
        var headers = [HTTPField("Accept", "application/json")]
        if token == nil { token = try access.token() }
        if let token { headers.append(HTTPField("Authorization", "Bearer \(token)")) }
        let url = "\(access.server)/api/v1/namespaces/\(namespace)/secrets\(path)"
        var request = ServerRequest(message: HTTPRequest(method: method, url: url, headers: headers))
        (request.maximumTime, request.route) = (Double(SharedRecord.longestRequest), access.route)
        request.maximumBody = Self.largest
        return request
    }

    /// A Secret has up to 1 MiB of data, in Base64.
    private static let largest = 4 << 20

    /// A watch of one Secret, which begins with its present version: so none is missed, and none is too old.
    func watch(_ secret: String, milliseconds: Int64) throws(StoreError) -> ServerRequest {
        let seconds = max(1, (milliseconds + 999) / 1000)
        return try request(
            "GET",
            "?watch=1&fieldSelector=metadata.name%3D\(secret)&allowWatchBookmarks=true&timeoutSeconds=\(seconds)")
    }
}
