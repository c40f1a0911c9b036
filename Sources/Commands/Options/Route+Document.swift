internal import CommandSpec
internal import Errands
internal import OAuth
internal import Wire

extension Route {
    /// What a document says of the way to its server (oap-documents(5)).
    init(of document: JSONObject) {
        self.init()
        caCertificateFile = document["cacert_file"]?.string
        certificateFile = document["tls_client_certificate_file"]?.string
        keyFile = document["tls_client_key_file"]?.string
        proxy = document["proxy"]?.string
        noProxy = document["no_proxy"]?.string
    }

    /// The members of a document that say the same, with absolute paths; a null for one that must go. A descriptor means
    /// nothing to a later process, and a proxy with a user name or a password is not written down.
    ///
    /// - Throws: exit 11 without a working folder.
    func members() throws(Failure) -> JSONObject {
        var members = JSONObject()
        let add = { (name: String, path: String?, isNeeded: Bool) throws(Failure) in
            let isKept = path.map { !DescriptorPath.isOne($0) } ?? false
            if let path, isKept {
                members[name] = .string(try InputFile.absolute(path))
            } else if isNeeded {
                members[name] = .null
            }
        }
        try add("cacert_file", caCertificateFile, caCertificateFile != nil)
        // Without a file of its own, the key is in that of the certificate.
        try add("tls_client_certificate_file", certificateFile, certificateFile != nil)
        try add("tls_client_key_file", keyFile, certificateFile != nil || keyFile != nil)
        if let proxy { members["proxy"] = hasProxyUser ? .null : .string(proxy) }
        if let noProxy { members["no_proxy"] = .string(noProxy) }
        return members
    }

    /// Whether the URL of the proxy has a user name or a password.
    var hasProxyUser: Bool { proxy?.utf8.contains(UInt8(ascii: "@")) ?? false }

    /// The certificates and the proxy as options of curl, whose names are the same.
    ///
    /// - Parameter withCertificate: whether the client certificate is sent.
    func curlOptions(withCertificate: Bool) -> [(name: String, value: String)] {
        var options: [(name: String, value: String)] = []
        let add = { (option: Option, value: String?) in if let value { options.append((option.name, value)) } }
        add(GeneralOption.caCertificate, caCertificateFile)
        if withCertificate { add(GeneralOption.certificate, certificateFile) }
        if withCertificate { add(GeneralOption.key, keyFile) }
        add(GeneralOption.proxy, proxy)
        add(GeneralOption.noProxy, noProxy)
        return options
    }
}
