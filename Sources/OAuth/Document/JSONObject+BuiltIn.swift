internal import CTexts
internal import Wire

extension JSONObject {
    /// Data that the program brings along.
    package init(builtIn name: String) {
        var length = 0
        let bytes = UnsafeBufferPointer(start: oap_text(name, &length), count: length)
        guard let object = (try? JSON(parsing: Array(bytes)))?.object else {
            preconditionFailure("\(name) is not a JSON object")
        }
        self = object
    }
}
