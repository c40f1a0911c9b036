/// A secret that is another one each time: a program has printed it, or somebody given it.
package final class FreshSecret {
    let text: String
    /// What its type is called in an exchange (RFC 8693 §3); nil where nothing says that.
    let type: String?
    /// Whether its source gives the same one again, which a server may have taken already.
    let isStatic: Bool
    /// Whether it stands in a request that was made: an assertion is for one.
    var isSpent = false

    package init(text: String, type: String?, isStatic: Bool = false) {
        (self.text, self.type, self.isStatic) = (text, type, isStatic)
    }
}
