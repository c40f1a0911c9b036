extension Grant.Kind {
    /// The grant of a login without a page (OpenID Connect CIBA Core §10.1).
    package static let ciba = polled(
        type: "urn:openid:params:grant-type:ciba", name: "ciba", with: "auth_req_id", called: "login request")
}
