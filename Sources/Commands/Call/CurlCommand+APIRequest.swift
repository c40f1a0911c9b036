internal import Calls
internal import HTTP
internal import OAuth
internal import Redaction
internal import System
internal import Wire

extension CurlCommand {
    /// The command line for a request of `call`, with a variable in the place of the token.
    init(_ request: APIRequest, with token: AccessToken?, redactor: Redactor) {
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
