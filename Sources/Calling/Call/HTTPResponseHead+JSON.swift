package import Wire

extension HTTPResponseHead {
    /// What an envelope begins with: the values of the variables of a filter (``CallResult/variables``).
    package var members: JSONObject { ["status": .integer(status), "headers": .object(fields), "url": .string(url)] }

    /// The header fields by their names in lower case; the values of one name are joined with commas (RFC 9110 §5.3),
    /// those of `set-cookie`, which may contain commas, with line ends.
    package var fields: JSONObject {
        var object = JSONObject()
        for field in headers {
            let name = field.name.asciiLowercased
            let separator = name == "set-cookie" ? "\n" : ", "
            object[name] = .string(object[name]?.string.map { $0 + separator + field.value } ?? field.value)
        }
        return object
    }
}

extension JSONObject {
    /// Adds the content of a response to an envelope: content that is not JSON becomes a string, content that is not UTF-8
    /// Base64. Too deep for JSON that is a part of other JSON is a string too, so that `oap` can read what it wrote.
    package mutating func add(content: [UInt8]) {
        if content.isEmpty {
            self["body"] = .null
        } else if let value = try? JSON(answer: content, depth: JSON.maximumDepthOfPart) {
            self["body"] = value
        } else if let text = String(validating: content, as: UTF8.self) {
            self["body"] = .string(text)
        } else {
            self["body_base64"] = .string(Base64.encode(content))
        }
    }
}
