/// What a log says about a request that its response does not show.
struct RequestTrace {
    /// The client, as far as the request was understood.
    var clientID: String?
    /// The parameters in the request object, if its signature is right (RFC 9101).
    var requestObject: [(name: String, value: String)] = []
    /// Why a page refuses the request.
    var refusal: Refusal?
    var fault: String?
    /// Whether the fault changed nothing, since a good response has no such member: a test with it would prove nothing.
    var hasIdleFault = false
}
