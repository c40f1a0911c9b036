import Wire

extension JSONObject {
    /// The object with a member set, or without it.
    func with(_ name: String, _ value: JSON?) -> JSONObject {
        var copy = self
        copy[name] = value
        return copy
    }
}
