package import Calls
package import HTTP
package import OAuth
package import Redaction
internal import System
package import Wire
package import Shell

/// The request that the options of `call` describe. It is built once: a pipe that an option names is empty afterwards.
package struct CallRequest {
    package let headers: CallHeaders
    package let request: APIRequest
    /// Where it goes, with its query.
    package let url: WebURL

    /// With `isStandardInputFree`, standard input holds no document, so that it may be the body. Without a URL, the request
    /// goes to the resource of the token of this name.
    package init(
        _ settings: CallSettings, to target: CallTarget?, named name: String?, document: Document,
        isStandardInputFree: Bool, diagnostics: Diagnostics
    ) throws(Failure) {
        let body = try CallBody(settings, reader: BodyReader(isStandardInputFree: isStandardInputFree))
        if body.sendsFileAsText {
            diagnostics.tell("-F sends the file as JSON text, as in gh; for a form as in curl: \(CallOption.form.name)")
        }
        let bytes: [UInt8]? = if case .bytes(let bytes)? = body.content?.value { bytes } else { nil }
        if !settings.json.isEmpty, let bytes { try CallData.check(json: bytes, of: settings.json, diagnostics) }
        let uploaded = settings.uploadFile
        let method = settings.method ?? (body.content == nil ? "GET" : uploaded == nil ? "POST" : "PUT")
        var url = try CallTarget.url(target, named: name, document: document)
        if let uploaded, uploaded != "-" { url = Self.completing(url, with: uploaded) }
        if let text = body.queryText, !text.isEmpty { url = try Self.appending(text, to: url) }
        let query = settings.query + body.parameters
        if !query.isEmpty { url = try Self.appending(FormEncoding.encode(query), to: url) }
        var headers = try CallHeaders(settings, document: document)
        if settings.hasIdempotencyKey { try headers.addKey(settings.idempotencyKey) }
        try ResourceEndpoint(document).addDefaults(
            to: &headers, for: url, sending: headers.fields.first("Content-Type") ?? body.content?.type, bytes,
            usual: settings.json.isEmpty ? "*/*" : "application/json")
        var message = HTTPRequest(method: method, url: url.withoutFragment)
        var upload: (any ContentSource)?
        if let type = body.content?.type { headers.addDefault("Content-Type", type) }
        switch body.content?.value {
        case .bytes: message.body = bytes
        case .stream(let source): upload = source
        case nil: break
        }
        message.headers = headers.fields
        if let reason = message.syntaxFault(hasUpload: upload != nil) { throw .usage(reason) }
        if let form = upload as? MultipartForm, message.headers.first("Content-Type") != form.type {
            throw .usage("a form sets Content-Type: -H cannot set another one")
        }
        request = APIRequest(message, upload: upload)
        (self.headers, self.url) = (headers, url)
    }
}

extension CallRequest {
    /// The URL of an upload: the name of the file comes behind a slash at the end, as in curl.
    private static func completing(_ url: WebURL, with file: String) -> WebURL {
        let text = url.withoutFragment
        guard url.query == nil, text.hasSuffix("/") else { return url }
        let name = file.utf8.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
        return WebURL(text + String(decoding: CallData.percentEncoded(name), as: UTF8.self)) ?? url
    }

    package static func appending(_ query: String, to url: WebURL) throws(Failure) -> WebURL {
        let separator = url.query == nil ? "?" : url.query == "" ? "" : "&"
        guard let longer = WebURL(url.withoutFragment + separator + query) else {
            throw .usage(
                "the query has characters that a URL cannot hold", hint: "encode the query with --data-urlencode")
        }
        return longer
    }
}

extension CurlCommand {
    /// The command line for a request of `call`, with a variable in the place of the token.
    package init(_ request: APIRequest, with token: AccessToken?, redactor: Redactor) {
        var message = request.message
        token?.authorize(&message, now: Clock.now)
        let secrets = token.map { [Secret(variable: "OAP_ACCESS_TOKEN", value: $0.token)] } ?? []
        if let form = request.upload as? MultipartForm {
            self.init(message, secrets: secrets, redactor: redactor, form: form.curlOptions)
            return
        }
        let file = request.upload.map { $0.name == "standard input" ? "-" : $0.name }
        self.init(message, secrets: secrets, redactor: redactor, contentFile: file)
    }
}
